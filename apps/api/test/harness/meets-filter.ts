import { compareFolded, foldCase } from './compare-text.js';
import {
  type ModelFilter,
  type ModelOperand,
  type ModelOperator,
  type ModelRow,
  scaled,
} from './model-filter.js';

type Value = bigint | string | boolean | null;

/**
 * Whether a row meets a filter, by the decisions: two-valued, a comparison with a missing value is false save
 * `eq null` and `ne null`, text is compared without regard to case.
 */
export function meetsFilter(filter: ModelFilter, row: ModelRow): boolean {
  switch (filter.kind) {
    case 'and':
      return meetsFilter(filter.left, row) && meetsFilter(filter.right, row);
    case 'or':
      return meetsFilter(filter.left, row) || meetsFilter(filter.right, row);
    case 'not':
      return !meetsFilter(filter.inner, row);
    case 'comparison':
      return meetsComparison(filter, row);
    case 'in': {
      const value = evaluate(filter.operand, row);
      return filter.values.some((listed) => holds('eq', value, evaluate(listed, row)));
    }
    case 'match': {
      const isMet = meetsMatch(filter, row);
      if (filter.truth === undefined) return isMet;
      return filter.truth.operator === 'eq' ? isMet === filter.truth.value : isMet !== filter.truth.value;
    }
  }
}

type Comparison = Extract<ModelFilter, { kind: 'comparison' }>;

function meetsComparison({ operator, left, right }: Comparison, row: ModelRow): boolean {
  if (left.kind === 'null' || right.kind === 'null') {
    const tested = evaluate(left.kind === 'null' ? right : left, row);
    if (operator === 'eq') return tested === null;
    return operator === 'ne' && tested !== null;
  }
  return holds(operator, evaluate(left, row), evaluate(right, row));
}

function holds(operator: ModelOperator, left: Value, right: Value): boolean {
  if (left === null || right === null) return false;
  const order = compare(left, right);
  switch (operator) {
    case 'eq':
      return order === 0;
    case 'ne':
      return order !== 0;
    case 'lt':
      return order < 0;
    case 'le':
      return order <= 0;
    case 'gt':
      return order > 0;
    case 'ge':
      return order >= 0;
  }
}

function compare(left: Exclude<Value, null>, right: Exclude<Value, null>): number {
  if (typeof left === 'string' && typeof right === 'string') return compareFolded(left, right);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function meetsMatch(filter: Extract<ModelFilter, { kind: 'match' }>, row: ModelRow): boolean {
  const [text, part] = [evaluate(filter.text, row), evaluate(filter.part, row)];
  if (typeof text !== 'string' || typeof part !== 'string') return false;
  const [whole, wanted] = [foldCase(text), foldCase(part)];
  switch (filter.function) {
    case 'startswith':
      return whole.startsWith(wanted);
    case 'endswith':
      return whole.endsWith(wanted);
    case 'contains':
    case 'substringof':
      return whole.includes(wanted);
  }
}

function evaluate(operand: ModelOperand, row: ModelRow): Value {
  switch (operand.kind) {
    case 'field':
      return row.values[operand.name] ?? null;
    case 'number':
      return scaled(operand.digits);
    case 'text':
      return operand.text;
    case 'boolean':
      return operand.value;
    case 'null':
      return null;
    case 'tolower':
    case 'toupper':
    case 'trim':
    case 'length': {
      const text = evaluate(operand.argument, row);
      return typeof text === 'string' ? call(operand.kind, text) : null;
    }
  }
}

function call(name: 'tolower' | 'toupper' | 'trim' | 'length', text: string): Value {
  switch (name) {
    case 'tolower':
      return text.toLowerCase();
    case 'toupper':
      return text.toUpperCase();
    case 'trim':
      return text.trim();
    case 'length':
      return scaled(String([...text].length));
  }
}
