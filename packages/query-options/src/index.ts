export { excerpt } from './characters.js';
export type {
  Call,
  Comparison,
  ComparisonOperator,
  Field,
  FilterExpression,
  Inclusion,
  Junction,
  Literal,
  Negation,
  Operand,
  TextMatch,
} from './filter/filter-expression.js';
export { limits } from './limits.js';
export type { Acceptance, Format, QueryOptions } from './options/query-options.js';
export { type EarlyOptions, readEarlyOptions } from './options/read-early-options.js';
export { readQueryOptions } from './options/read-query-options.js';
export type { ExpandItem } from './parse-expand.js';
export type { OrderItem } from './parse-order-by.js';
export type { SelectItem } from './parse-select.js';
export {
  QueryOptionError,
  type QueryOptionErrorCode,
  type QueryOptionFault,
  queryOptionErrors,
} from './query-option-error.js';
export {
  type ParsedQueryString,
  parseQueryString,
  type QueryParameter,
} from './query-string/parse-query-string.js';
