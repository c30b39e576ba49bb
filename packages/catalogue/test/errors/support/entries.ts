import { type ErrorCode, type ErrorEntry, errorCatalogue } from '../../../src/errors/index.js';

/** Every entry with its code, without the literal types that only the table needs. */
export const entries: readonly (readonly [ErrorCode, ErrorEntry])[] = (
  Object.keys(errorCatalogue) as ErrorCode[]
).map((code) => [code, errorCatalogue[code]]);
