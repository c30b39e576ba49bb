export { excerpt } from './characters.js';
export type { ErrorWord, ErrorWords, QueryPhrase } from './error-words.js';
export {
  type Arithmetic,
  type ArithmeticOperator,
  arithmeticOperators,
  type Call,
  type Comparison,
  type ComparisonOperator,
  type Constant,
  comparisonOperators,
  type Field,
  type FilterExpression,
  functionOf,
  type Inclusion,
  type Junction,
  type Literal,
  type Negation,
  type Negative,
  type Operand,
  type OperandType,
  type TextMatch,
  type TextMatchKind,
  textTests,
  type ValueFunctionName,
  valueFunctions,
} from './filter-expression.js';
export { limits } from './limits.js';
export type { ExpandItem, OrderItem, SelectItem } from './parse-lists.js';
export {
  QueryOptionError,
  type QueryOptionErrorCode,
  type QueryOptionFault,
  queryOptionErrors,
} from './query-option-error.js';
export {
  type Acceptance,
  type DecimalSign,
  decimalSigns,
  type ExportFormat,
  exportFormats,
  type Format,
  formats,
  type OwnParameter,
  type QueryOptions,
} from './query-options.js';
export { type ParsedQueryString, parseQueryString, type QueryParameter } from './query-string.js';
export {
  type EarlyOptions,
  isExportFormat,
  readEarlyOptions,
  readQueryOptions,
} from './read-query-options.js';
export { readBoolean, readChoice } from './read-values.js';
