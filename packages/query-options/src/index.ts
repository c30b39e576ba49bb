export { excerpt } from './characters.js';
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
  readBoolean,
  readChoice,
} from './parameter-table.js';
export type { ExpandItem, OrderItem, SelectItem } from './parse-lists.js';
export type { ErrorWord, ErrorWords, QueryPhrase } from './query-option-error.js';
export {
  QueryOptionError,
  type QueryOptionErrorCode,
  type QueryOptionFault,
  queryOptionErrors,
} from './query-option-error.js';
export {
  type EarlyOptions,
  isExportFormat,
  type ParsedQueryString,
  parseQueryString,
  type QueryParameter,
  readEarlyOptions,
  readQueryOptions,
} from './read-query-options.js';
