import type { FilterExpression, Literal, Operand } from '../../src/index.js';

/** Returns a syntax tree as text in one canonical form. Leaves out the positions and the spelling. */
export function shape(node: FilterExpression | Operand): string {
  switch (node.kind) {
    case 'and':
    case 'or':
      return `${node.kind}[${node.operands.map(shape).join(' ')}]`;
    case 'not':
      return `not[${shape(node.operand)}]`;
    case 'comparison':
      return `${node.operator}[${shape(node.left)} ${shape(node.right)}]`;
    case 'in':
      return `in[${[node.operand, ...node.values].map(shape).join(' ')}]`;
    case 'textMatch':
      return `${node.match}[${shape(node.text)} ${shape(node.part)}]`;
    case 'constant':
      return `constant:${node.holds}`;
    case 'call':
      return `${node.function}[${node.arguments.map(shape).join(' ')}]`;
    case 'arithmetic':
      return `${node.operator}[${shape(node.left)} ${shape(node.right)}]`;
    case 'negative':
      return `minus[${shape(node.operand)}]`;
    case 'field':
      return node.name;
    case 'literal':
      return literalShape(node);
  }
}

function literalShape({ type, value }: Literal): string {
  return type === 'text' ? JSON.stringify(value) : `${type}:${value}`;
}
