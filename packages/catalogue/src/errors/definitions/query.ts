import { queryExpressionErrors } from './query-expression.js';
import {
  queryBatchErrors,
  queryExportErrors,
  queryPageErrors,
  queryParameterErrors,
} from './query-parameter.js';

/** Errors of the query string: 100200 to 100299, numbered across its five parts. */
export const queryErrors = {
  ...queryParameterErrors,
  ...queryExpressionErrors,
  ...queryPageErrors,
  ...queryExportErrors,
  ...queryBatchErrors,
};
