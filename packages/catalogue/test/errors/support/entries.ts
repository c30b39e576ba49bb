import { type ErrorCode, type ErrorEntry, errorCatalogue } from '../../../src/errors/index.js';

/**
 * Every error of the catalogue with its code. The literal types of the values are widened, because tests do not need
 * them.
 */
export const entries: readonly (readonly [ErrorCode, ErrorEntry])[] = (
  Object.keys(errorCatalogue) as ErrorCode[]
).map((code) => [code, errorCatalogue[code]]);
