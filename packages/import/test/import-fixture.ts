import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@takt/database/testing';
import { type PreparedEvent, parseEvent, type TaktEvent } from '@takt/events';
import { isCarriedBy } from '@takt/events/internal';
import { applyWorkOrderOperationEvents, auditProductionTimes } from '@takt/figures';
import { addCompany, applyReferenceData } from '@takt/figures/master-data';
import {
  freeNaming,
  type ImportOptions,
  openTableFile,
  type PreparedImport,
  parseMapping,
  prepareImport,
  publishImport,
  type Undone,
  undoImport,
} from '../src/index.js';

export const COMPANY = 'TEM-NO';

export interface ImportFixture {
  /** Makes the publisher fail after this number of calls, as if the process ended. */
  failAfter(calls: number): void;
  readonly database: TestDatabase['database'];
  /** Prepares and publishes an import of a file with this content. */
  import(
    content: string | Uint8Array,
    mapping: string,
    options?: Partial<ImportOptions>,
  ): Promise<PreparedImport>;
  /** Undoes an import, and frees the naming unless events still wait. */
  undo(number: number, waits?: boolean): Promise<Undone & { readonly freed: boolean }>;
  apply(events: readonly object[]): Promise<void>;
  close(): Promise<void>;
}

/** Opens a database with a company. Published events are applied at once, by the functions of the worker. */
export async function openImportFixture(timeZone = 'Europe/Oslo'): Promise<ImportFixture> {
  const test = await createTestDatabase();
  const { pool } = test.database;
  await addCompany(test.database, COMPANY, 'Tempus Norge', { timeZone });
  const folder = await mkdtemp(join(tmpdir(), 'import-'));

  async function applyParsed(events: readonly TaktEvent[]): Promise<void> {
    const ofOperations = events.filter((event) => isCarriedBy('work-order-operations', event));
    const ofPlans = events.filter((event) => isCarriedBy('reference-data', event));
    if (ofOperations.length > 0) await applyWorkOrderOperationEvents(pool, ofOperations);
    if (ofPlans.length > 0) await applyReferenceData(pool, ofPlans);
  }
  const parsed = (event: unknown): TaktEvent => {
    const result = parseEvent(event);
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    return result.event;
  };
  let callsLeft = Number.POSITIVE_INFINITY;
  const publisher = {
    publishPrepared: async (events: readonly PreparedEvent[]) => {
      if (callsLeft <= 0) throw new Error('interrupted');
      callsLeft -= 1;
      await applyParsed(events.map(({ data }) => parsed(data)));
      return { events: events.length, jobs: 1 };
    },
  };
  return {
    failAfter: (calls) => {
      callsLeft = calls;
    },
    database: test.database,
    import: async (content, mapping, options = {}) => {
      const path = join(folder, 'export.csv');
      await writeFile(path, content);
      const read = parseMapping(mapping);
      const file = await openTableFile(path, read);
      try {
        const prepared = await prepareImport(pool, file, {
          ...{
            companyCode: COMPANY,
            mapping: read,
            importedBy: 'a test',
            skipsFaulty: false,
            ignoresDoubts: false,
          },
          ...{ dryRun: false, ...options },
        });
        if (prepared.number !== undefined) await publishImport(pool, publisher, prepared.number);
        return prepared;
      } finally {
        await file.close();
      }
    },
    undo: async (number, waits = false) => {
      const undone = await undoImport(pool, publisher, number, { by: 'a test' });
      return { ...undone, freed: !waits && (await freeNaming(pool, number)) };
    },
    apply: async (events) => await applyParsed(events.map(parsed)),
    close: async () => {
      const { differences } = await auditProductionTimes(pool);
      await test.close();
      await rm(folder, { recursive: true });
      if (differences.length > 0) throw new Error(`audit: ${JSON.stringify(differences)}`);
    },
  };
}
