import { queryBatchErrors } from './query-batch.js';
import { queryExportErrors } from './query-export.js';
import { queryExpressionErrors } from './query-expression.js';
import { queryPageErrors } from './query-page.js';
import { queryParameterErrors } from './query-parameter.js';

/** Errors about the query string: 100200 to 100299, numbered across its five parts. */
export const queryErrors = {
  ...queryParameterErrors,
  ...queryExpressionErrors,
  ...queryPageErrors,
  ...queryExportErrors,
  ...queryBatchErrors,
};
