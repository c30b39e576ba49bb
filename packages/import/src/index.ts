export { FIELDS, type FieldKind, type ImportedKind, REQUIRED, TIMES } from './fields.js';
export { type FirstRows, tabulate } from './first-rows.js';
export { findImport, type Import, listImports, type NoteAudit, readMappings } from './imports.js';
export { findLayout, type Layout } from './layout.js';
export {
  formatMapping,
  ImportError,
  type Mapping,
  PLACE,
  parseMapping,
  type Source,
  UNITS,
} from './mapping.js';
export { type FileProposal, proposeMapping } from './propose.js';
export {
  countUnapplied,
  type ImportOptions,
  type PreparedImport,
  type Preview,
  prepareImport,
  publishImport,
} from './run-import.js';
export type { FaultyRow } from './stage.js';
export { openTableFile, type TableFile } from './table-file.js';
export { freeNaming, publishOrUndo, type Undone, undoImport } from './undo-import.js';
export { type Applied, waitUntilApplied } from './wait-until-applied.js';
export { type FaultyLayout, openFaultyWriter } from './write-faulty.js';
