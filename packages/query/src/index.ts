export { excerpt, readIdentifier } from './characters.js';
export {
  type ArithmeticOperator,
  arithmeticOperators,
  type Call,
  type Comparison,
  type ComparisonOperator,
  comparisonOperators,
  type FilterExpression,
  functionOf,
  type Inclusion,
  type Literal,
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
  canonicalName,
  type DecimalSign,
  decimalSigns,
  type ExportFormat,
  exportFormats,
  type Format,
  formats,
  invalidValue,
  MONTH_PATTERN,
  type QueryOptions,
  readBoolean,
  readChoice,
} from './parameter-table.js';
export { parseConditions } from './parse-filter.js';
export { type ExpandItem, type OrderItem, parseOrderBy, type SelectItem } from './parse-lists.js';
export { phrase, QueryOptionError, quote } from './query-option-error.js';
export {
  type EarlyOptions,
  FORM_PARAMETER,
  isExportFormat,
  type ParsedQueryString,
  parseQueryString,
  type QueryParameter,
  readEarlyOptions,
  readQueryOptions,
} from './read-query-options.js';
export { withPlainNumbers } from './tokens.js';
export { type NumberStyle, readTypedNumber, type TypedNumber } from './typed-numbers.js';
