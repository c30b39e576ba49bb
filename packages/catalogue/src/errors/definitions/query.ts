import { queryExpressionErrors } from './query-expression.js';
import {
  queryBatchErrors,
  queryExportErrors,
  queryPageErrors,
  queryParameterErrors,
} from './query-parameter.js';

/** All errors of the query string. Their identifiers, 100200 to 100299, are numbered across the five parts. */
export const queryErrors = {
  ...queryParameterErrors,
  ...queryExpressionErrors,
  ...queryPageErrors,
  ...queryExportErrors,
  ...queryBatchErrors,
};
