import type { Random } from '@takt/test-support';
import {
  arithmeticOperators,
  type FilterExpression,
  type Literal,
  type Operand,
  type TextMatch,
} from '../../src/index.js';

/** How tightly an expression binds: what is looser than its surroundings needs parentheses. */
const tightness = { or: 0, and: 1, not: 2, comparison: 3, in: 3, textMatch: 3, constant: 3 } as const;

/** The same of operands. */
const SUM = 0;
const TERM = 1;
const FACTOR = 2;
const UNSIGNED = 3;

/** Writes a tree as one of the many texts that denote it: case, spacing, parentheses and spelling are left to chance. */
export function printFilter(expression: FilterExpression, random: Random): string {
  const gap = (): string => random.pick(['', '', ' ', '   ', '\u00a0', '\t']);
  const space = (): string => random.pick([' ', ' ', '  ', '\u00a0 ']);
  const anyCase = (word: string): string =>
    Array.from(word, (letter) => (random.below(4) === 0 ? letter.toUpperCase() : letter)).join('');
  const call = (name: string, parts: readonly string[]): string =>
    `${anyCase(name)}${gap()}(${gap()}${parts.join(`${gap()},${gap()}`)}${gap()})`;

  const number = ({ type, value }: Literal): string => {
    const [, sign = '', digits = ''] = /^(-?)(.*)$/.exec(value) ?? [];
    const padded = sign + '0'.repeat(random.below(3)) + digits;
    if (type === 'integer') {
      return padded + random.pick(['', '', 'l', 'L']);
    }
    const suffix = random.pick(['m', 'M', 'd', 'D', 'f', 'F']);
    const zeros = '0'.repeat(1 + random.below(2));
    if (random.below(3) === 0) return sign + withExponent(digits) + random.pick(['', suffix]);
    if (!digits.includes('.')) {
      return padded + random.pick([suffix, `.${zeros}`, `.${zeros}${suffix}`]);
    }
    return padded + random.pick(['', suffix, zeros]);
  };

  /** The point moved, and an exponent that moves it back. */
  const withExponent = (digits: string): string => {
    const [whole = '', fraction = ''] = digits.split('.');
    const places = random.below(fraction.length + 1);
    const [moved, rest] = [fraction.slice(0, places), fraction.slice(places)];
    const exponent = places === 0 ? random.pick(['0', '-0', '+0', '00']) : `-${places}`;
    return `${whole}${moved}${rest === '' ? '' : `.${rest}`}${random.pick(['e', 'E'])}${exponent}`;
  };

  const operand = (node: Operand, needed = SUM): string => {
    const isBracketed = operandTightness(node) < needed || random.below(8) === 0;
    const text = plainOperand(node);
    return isBracketed ? `(${gap()}${text}${gap()})` : text;
  };

  const plainOperand = (node: Operand): string => {
    switch (node.kind) {
      case 'field':
        return node.name;
      case 'call':
        return call(
          node.function,
          node.arguments.map((argument) => operand(argument)),
        );
      case 'arithmetic': {
        const own = operandTightness(node);
        return `${operand(node.left, own)}${space()}${anyCase(node.operator)}${space()}${operand(node.right, own + 1)}`;
      }
      case 'negative':
        // A number that follows directly would be a negative literal.
        return `-${node.operand.kind === 'literal' ? ' ' : gap()}${operand(node.operand, UNSIGNED)}`;
      case 'literal':
        if (node.type === 'text') {
          return `'${node.value.replaceAll("'", "''")}'`;
        }
        return node.type === 'boolean' || node.type === 'null' ? anyCase(node.value) : number(node);
    }
  };

  const textMatch = ({ match, text, part }: TextMatch): string => {
    const written =
      match === 'contains' && random.below(2) === 0
        ? call('substringof', [operand(part), operand(text)])
        : call(match, [operand(text), operand(part)]);
    const suffixes = ['', ' eq true', ' ne false'] as const;
    return written + anyCase(random.pick(suffixes));
  };

  const print = (node: FilterExpression, needed: number): string => {
    const bracketed = tightness[node.kind] < needed || random.below(6) === 0;
    const text = plain(node);
    return bracketed ? `(${gap()}${text}${gap()})` : text;
  };

  const plain = (node: FilterExpression): string => {
    switch (node.kind) {
      case 'or':
      case 'and': {
        const needed = tightness[node.kind] + 1;
        return node.operands
          .map((inner) => print(inner, needed))
          .reduce((text, next) => `${text}${space()}${anyCase(node.kind)}${space()}${next}`);
      }
      case 'not':
        if (node.operand.kind === 'textMatch' && random.below(3) === 0) {
          const { match, text, part } = node.operand;
          return `${call(match, [operand(text), operand(part)])} ${random.pick(['eq false', 'ne true'])}`;
        }
        return `${anyCase('not')}${space()}${print(node.operand, tightness.comparison)}`;
      case 'comparison':
        return `${operand(node.left)}${space()}${anyCase(node.operator)}${space()}${operand(node.right)}`;
      case 'in':
        return `${operand(node.operand)}${space()}${call(
          'in',
          node.values.map((value) => plainOperand(value)),
        )}`;
      case 'textMatch':
        return textMatch(node);
      case 'constant':
        return anyCase(String(node.holds));
    }
  };

  return gap() + print(expression, 0) + gap();
}

function operandTightness(node: Operand): number {
  if (node.kind === 'arithmetic') return arithmeticOperators[node.operator].bindsTighter ? TERM : SUM;
  return node.kind === 'negative' ? FACTOR : UNSIGNED;
}
