import { randomFrom } from '@takt/test-support';
import type { ModelFilter, ModelOperand } from './model-filter.js';

const TIGHTNESS = { or: 0, and: 1, not: 2, comparison: 3, in: 3, match: 3, constant: 3 } as const;

/** Returns the text of a filter. The seed `style` varies letter case, spaces and needless parentheses. */
export function printModelFilter(filter: ModelFilter, style: number): string {
  const { below } = randomFrom(style);
  const word = (text: string): string => {
    const spelling = below(5);
    if (spelling > 1) return text;
    return spelling === 0 ? text.toUpperCase() : Array.from(text, swapAtRandom).join('');
  };
  const swapAtRandom = (letter: string) => (below(2) === 0 ? letter.toUpperCase() : letter.toLowerCase());
  const gap = () => ['', '', ' ', '  ', '\t'][below(5)] ?? '';
  const space = () => [' ', ' ', ' ', '  ', '\t'][below(5)] ?? ' ';

  /**
   * Prints an operand. Adds parentheses if it binds less tightly than `needed`: 0 for a sum, 1 for a product, 2 for a
   * factor, 3 for a factor without a sign.
   */
  const operand = (node: ModelOperand, needed = 0): string => {
    const isBracketed = tightnessOf(node) < needed || below(12) === 0;
    return isBracketed ? `(${gap()}${plainOperand(node)}${gap()})` : plainOperand(node);
  };
  const called = (name: string, given: readonly ModelOperand[]): string =>
    `${word(name)}${gap()}(${gap()}${given.map((argument) => operand(argument)).join(`${gap()},${gap()}`)}${gap()})`;

  const plainOperand = (node: ModelOperand): string => {
    switch (node.kind) {
      case 'field':
        return word(node.path ?? node.name);
      case 'arithmetic': {
        const own = tightnessOf(node);
        return `${operand(node.left, own)}${space()}${word(node.operator)}${space()}${operand(node.right, own + 1)}`;
      }
      case 'minus':
        return `-${node.operand.kind === 'number' ? ' ' : gap()}${operand(node.operand, 3)}`;
      case 'call':
        return called(node.function, node.arguments);
      case 'number':
        return node.digits + node.suffix;
      case 'text':
        return `'${node.text.replaceAll("'", "''")}'`;
      case 'boolean':
        return word(String(node.value));
      case 'null':
        return word('null');
    }
  };

  const match = (node: Extract<ModelFilter, { kind: 'match' }>): string => {
    const given = node.function === 'substringof' ? [node.part, node.text] : [node.text, node.part];
    const test = called(node.function, given);
    if (node.truth === undefined) return test;
    return `${test}${space()}${word(node.truth.operator)}${space()}${word(String(node.truth.value))}`;
  };

  const plain = (node: ModelFilter): string => {
    switch (node.kind) {
      case 'and':
      case 'or': {
        // The operators and / or are associative, so both sides need the same parentheses.
        const tightness = TIGHTNESS[node.kind];
        return `${print(node.left, tightness)}${space()}${word(node.kind)}${space()}${print(node.right, tightness)}`;
      }
      case 'not':
        return `${word('not')} ${print(node.inner, TIGHTNESS.comparison)}`;
      case 'comparison':
        return `${operand(node.left)}${space()}${word(node.operator)}${space()}${operand(node.right)}`;
      case 'in':
        return `${operand(node.operand)}${space()}${word('in')}${space()}(${gap()}${node.values.map((value) => plainOperand(value)).join(`${gap()},${gap()}`)}${gap()})`;
      case 'match':
        return match(node);
      case 'constant':
        return word(String(node.value));
    }
  };

  const print = (node: ModelFilter, needed: number): string => {
    const isBracketed = TIGHTNESS[node.kind] < needed || below(6) === 0;
    return isBracketed ? `(${gap()}${plain(node)}${gap()})` : plain(node);
  };
  return print(filter, 0);
}

function tightnessOf(node: ModelOperand): number {
  if (node.kind === 'arithmetic') return ['add', 'sub'].includes(node.operator) ? 0 : 1;
  return node.kind === 'minus' ? 2 : 3;
}
