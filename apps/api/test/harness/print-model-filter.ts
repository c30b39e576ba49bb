import { randomFrom } from '@takt/test-support';
import type { ModelFilter, ModelOperand } from './model-filter.js';

const TIGHTNESS = { or: 0, and: 1, not: 2, comparison: 3, in: 3, match: 3 } as const;

/** One of the texts that denote a filter; `style` decides letter case, spaces and needless parentheses. */
export function printModelFilter(filter: ModelFilter, style: number): string {
  const { below } = randomFrom(style);
  const word = (text: string): string => {
    const spelling = below(5);
    if (spelling > 1) return text;
    return spelling === 0 ? text.toUpperCase() : Array.from(text, swapAtRandom).join('');
  };
  const swapAtRandom = (letter: string) => (below(2) === 0 ? letter.toUpperCase() : letter.toLowerCase());
  const gap = () => ' '.repeat([0, 0, 1, 2][below(4)] ?? 0);
  const space = () => ' '.repeat(1 + Math.floor(below(5) / 4));

  const operand = (node: ModelOperand): string => {
    switch (node.kind) {
      case 'field':
        return word(node.name);
      case 'number':
        return node.digits + node.suffix;
      case 'text':
        return `'${node.text.replaceAll("'", "''")}'`;
      case 'boolean':
        return word(String(node.value));
      case 'null':
        return word('null');
      default:
        return `${word(node.kind)}${gap()}(${gap()}${operand(node.argument)}${gap()})`;
    }
  };

  const match = (node: Extract<ModelFilter, { kind: 'match' }>): string => {
    const [text, part] = [operand(node.text), operand(node.part)];
    const [first, second] = node.function === 'substringof' ? [part, text] : [text, part];
    const called = `${word(node.function)}(${gap()}${first}${gap()},${gap()}${second}${gap()})`;
    if (node.truth === undefined) return called;
    return `${called}${space()}${word(node.truth.operator)}${space()}${word(String(node.truth.value))}`;
  };

  const plain = (node: ModelFilter): string => {
    switch (node.kind) {
      case 'and':
      case 'or': {
        // Both are associative: what stands on the right needs no parentheses of its own either.
        const tightness = TIGHTNESS[node.kind];
        return `${print(node.left, tightness)}${space()}${word(node.kind)}${space()}${print(node.right, tightness)}`;
      }
      case 'not':
        return `${word('not')} ${print(node.inner, TIGHTNESS.comparison)}`;
      case 'comparison':
        return `${operand(node.left)}${space()}${word(node.operator)}${space()}${operand(node.right)}`;
      case 'in':
        return `${operand(node.operand)}${space()}${word('in')}${space()}(${gap()}${node.values.map(operand).join(`${gap()},${gap()}`)}${gap()})`;
      case 'match':
        return match(node);
    }
  };

  const print = (node: ModelFilter, needed: number): string => {
    const isBracketed = TIGHTNESS[node.kind] < needed || below(6) === 0;
    return isBracketed ? `(${gap()}${plain(node)}${gap()})` : plain(node);
  };
  return print(filter, 0);
}
