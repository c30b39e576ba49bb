export { excerpt } from './characters.js';
export {
  type Call,
  type Comparison,
  type ComparisonOperator,
  comparisonOperators,
  type Field,
  type FilterExpression,
  type Inclusion,
  type Junction,
  type Literal,
  type Negation,
  type Operand,
  type TextFunctionName,
  type TextMatch,
  type TextMatchKind,
  textFunctions,
  textTests,
} from './filter-expression.js';
export { limits } from './limits.js';
export type { ExpandItem, OrderItem, SelectItem } from './parse-lists.js';
export {
  QueryOptionError,
  type QueryOptionErrorCode,
  type QueryOptionFault,
  queryOptionErrors,
} from './query-option-error.js';
export type { Acceptance, Format, QueryOptions } from './query-options.js';
export { type ParsedQueryString, parseQueryString, type QueryParameter } from './query-string.js';
export { type EarlyOptions, readEarlyOptions, readQueryOptions } from './read-query-options.js';
