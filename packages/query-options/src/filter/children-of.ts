import type { FilterExpression, Operand } from './filter-expression.js';

/** The nodes directly below a node, in the order of the text (of substringof: text, then part). */
export function childrenOf(node: FilterExpression | Operand): readonly (FilterExpression | Operand)[] {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.operands;
    case 'not':
      return [node.operand];
    case 'comparison':
      return [node.left, node.right];
    case 'in':
      return [node.operand, ...node.values];
    case 'textMatch':
      return [node.text, node.part];
    case 'call':
      return [node.argument];
    case 'field':
    case 'literal':
      return [];
  }
}
