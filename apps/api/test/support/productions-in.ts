import { evaluate } from './meets-filter.js';
import type { ModelFilter, ModelOperand, ModelRow } from './model-filter.js';

/**
 * Returns the names of the grammar productions in a filter. Also returns special cases of its arithmetic in the rows,
 * such as a division by zero.
 */
export function productionsIn(
  filter: ModelFilter,
  text: string,
  rows: readonly ModelRow[],
): ReadonlySet<string> {
  const found = new Set<string>();
  const meetOperand = (operand: ModelOperand): void => {
    for (const name of namesOf(operand, rows)) found.add(name);
    for (const inner of operandsOf(operand)) meetOperand(inner);
  };
  const meet = (node: ModelFilter): void => {
    found.add(node.kind);
    switch (node.kind) {
      case 'and':
      case 'or':
        meet(node.left);
        meet(node.right);
        return;
      case 'not':
        found.add(`not ${node.inner.kind}`);
        meet(node.inner);
        return;
      case 'constant':
        found.add(String(node.value));
        return;
      case 'comparison':
        found.add(node.operator);
        found.add(`${kindOf(node.left)} with ${kindOf(node.right)}`);
        meetOperand(node.left);
        meetOperand(node.right);
        return;
      case 'in':
        found.add(node.values.some(({ kind }) => kind === 'null') ? 'in with null' : 'in without null');
        meetOperand(node.operand);
        for (const value of node.values) meetOperand(value);
        return;
      case 'match':
        found.add(node.function);
        if (node.truth !== undefined) found.add(`match ${node.truth.operator} ${node.truth.value}`);
        meetOperand(node.text);
        meetOperand(node.part);
        return;
    }
  };
  meet(filter);
  if (text.includes('\t')) found.add('tab');
  if (/\)\s*(eq|ne|lt|le|gt|ge|in)\b/i.test(text)) found.add('operator after parenthesis');
  return found;
}

function kindOf({ kind }: ModelOperand): string {
  if (kind === 'field' || kind === 'null') return kind;
  return ['number', 'text', 'boolean'].includes(kind) ? 'literal' : 'computed';
}

function operandsOf(operand: ModelOperand): readonly ModelOperand[] {
  switch (operand.kind) {
    case 'arithmetic':
      return [operand.left, operand.right];
    case 'minus':
      return [operand.operand];
    case 'call':
      return operand.arguments;
    default:
      return [];
  }
}

function namesOf(operand: ModelOperand, rows: readonly ModelRow[]): readonly string[] {
  switch (operand.kind) {
    case 'field':
      return [
        operand.name,
        ...(operand.path === undefined ? [] : [operand.path.includes('/') ? 'a/b' : 'a.b']),
      ];
    case 'number':
      return [
        ...(operand.suffix === '' ? [] : [`suffix ${operand.suffix}`]),
        ...(/e/i.test(operand.digits) ? ['exponent'] : []),
      ];
    case 'arithmetic': {
      const isZero = isNumber((units) => units === 0n);
      const [left, right] = [operand.left, operand.right];
      return [
        operand.operator,
        ...(rows.some((row) => evaluate(left, row) === null) ? [`missing ${operand.operator}`] : []),
        ...(rows.some((row) => isZero(evaluate(right, row))) ? [`${operand.operator} zero`] : []),
        ...(rows.some((row) => isNumber((units) => units < 0n)(evaluate(left, row)))
          ? [`negative ${operand.operator}`]
          : []),
      ];
    }
    case 'minus':
      return ['minus'];
    case 'call': {
      const [first] = operand.arguments;
      const isMissing = first !== undefined && rows.some((row) => evaluate(first, row) === null);
      const isNegative =
        first !== undefined && rows.some((row) => isNumber((units) => units < 0n)(evaluate(first, row)));
      return [
        operand.function,
        `${operand.function} of ${operand.arguments.length}`,
        ...(isMissing ? [`${operand.function} of nothing`] : []),
        ...(isNegative ? [`${operand.function} of a negative`] : []),
      ];
    }
    default:
      return [];
  }
}

const isNumber =
  (is: (units: bigint) => boolean) =>
  (value: ReturnType<typeof evaluate>): boolean =>
    typeof value === 'object' && value !== null && is(value.units);
