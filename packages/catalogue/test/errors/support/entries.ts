import { type ErrorCode, type ErrorEntry, errorCatalogue } from '../../../src/errors/index.js';

/**
 * Every error of the catalogue with its code. The values do not have the literal types that only the catalogue needs.
 */
export const entries: readonly (readonly [ErrorCode, ErrorEntry])[] = (
  Object.keys(errorCatalogue) as ErrorCode[]
).map((code) => [code, errorCatalogue[code]]);
