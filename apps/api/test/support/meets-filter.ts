import { compareFolded, foldCase } from './compare-text.js';
import {
  calculate,
  compareDecimals,
  type Decimal,
  decimalOf,
  negated,
  truncated,
  wholeOf,
} from './decimal.js';
import {
  type ModelFilter,
  type ModelFunction,
  type ModelOperand,
  type ModelOperator,
  type ModelRow,
  ROW_SCALE,
} from './model-filter.js';

type Value = Decimal | string | boolean | null;

/**
 * True if a row matches a filter by the rules of the specification. A condition is either true or false. A comparison
 * with a missing value is false, except `eq null` and `ne null`. Texts are compared without regard to case.
 */
export function meetsFilter(filter: ModelFilter, row: ModelRow): boolean {
  switch (filter.kind) {
    case 'and':
      return meetsFilter(filter.left, row) && meetsFilter(filter.right, row);
    case 'or':
      return meetsFilter(filter.left, row) || meetsFilter(filter.right, row);
    case 'not':
      return !meetsFilter(filter.inner, row);
    case 'constant':
      return filter.value;
    case 'comparison':
      return meetsComparison(filter, row);
    case 'in': {
      const value = evaluate(filter.operand, row);
      return filter.values.some((listed) =>
        listed.kind === 'null' ? value === null : holds('eq', value, evaluate(listed, row)),
      );
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
  if (typeof left === 'object' && typeof right === 'object') return compareDecimals(left, right);
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

/** Returns the value of an operand in a row. A computation with a missing value gives a missing value (null). */
export function evaluate(operand: ModelOperand, row: ModelRow): Value {
  switch (operand.kind) {
    case 'field': {
      const value = row.values[operand.name] ?? null;
      return typeof value === 'bigint' ? { units: value, scale: ROW_SCALE } : value;
    }
    case 'number':
      return decimalOf(operand.digits);
    case 'text':
      return operand.text;
    case 'boolean':
      return operand.value;
    case 'null':
      return null;
    case 'arithmetic': {
      const [left, right] = [evaluate(operand.left, row), evaluate(operand.right, row)];
      return isDecimal(left) && isDecimal(right) ? calculate(operand.operator, left, right) : null;
    }
    case 'minus': {
      const value = evaluate(operand.operand, row);
      return isDecimal(value) ? negated(value) : null;
    }
    case 'call':
      return call(
        operand.function,
        operand.arguments.map((argument) => evaluate(argument, row)),
      );
  }
}

const isDecimal = (value: Value | undefined): value is Decimal => typeof value === 'object' && value !== null;

const countOf = (count: number): Decimal => ({ units: BigInt(count), scale: 0 });

function call(name: ModelFunction, given: readonly Value[]): Value {
  if (given.includes(null)) return null;
  const [first, second, third] = given;
  if (isDecimal(first)) {
    return name === 'round' || name === 'floor' || name === 'ceiling' ? wholeOf(name, first) : null;
  }
  const text = String(first);
  switch (name) {
    case 'tolower':
      return text.toLowerCase();
    case 'toupper':
      return text.toUpperCase();
    case 'trim':
      return text.trim();
    case 'concat':
      return text + String(second);
    case 'length':
      return countOf([...text].length);
    case 'indexof':
      return countOf(placeOf(text, String(second)));
    case 'substring':
      return isDecimal(second) ? partOf(text, second, isDecimal(third) ? third : undefined) : null;
    default:
      return null;
  }
}

/** Returns the characters of a text from a position on. A position before the first character counts as the first. */
function partOf(text: string, place: Decimal, characters: Decimal | undefined): string {
  const all = [...text];
  const atMost = (value: bigint) => Number(value > BigInt(all.length) ? BigInt(all.length) : value);
  const start = Math.max(0, atMost(truncated(place)));
  const count = characters === undefined ? all.length : Math.max(0, atMost(truncated(characters)));
  return all.slice(start, start + count).join('');
}

/** Returns the position of a part in a text without regard to case, or -1 if the text does not contain the part. */
function placeOf(text: string, part: string): number {
  const folded = Array.from(text, foldCase);
  const index = folded.join('').indexOf(foldCase(part));
  if (index === -1) return -1;
  let before = 0;
  for (const [place, character] of folded.entries()) {
    before += character.length;
    if (before > index) return place;
  }
  return 0;
}
