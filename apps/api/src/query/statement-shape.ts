import { isComputed, type ListResource, type Node } from '@takt/resources';
import { detailSql } from './detail-sql.js';
import { listSql } from './list-sql.js';
import type { ListShape, Plan } from './plan.js';
import type { Column } from './plan-columns.js';
import type { ListQuestion } from './resolve-question.js';
import type { StatementShape } from './statement-cache.js';
import { holdsValues } from './walk-range.js';

/** The statement of a plan: its SQL, which is written only where no plan of the same shape came before. */
export function statementShapeOf(plan: Plan): StatementShape {
  if (plan.kind === 'list') {
    const { question, shape } = plan;
    return {
      key: listKeyOf(question.resource, shape),
      isPlannedOnce: isPlannedOnce(question, shape),
      canBeNarrowed: shape.condition !== undefined || shape.searchedWords > 0 || shape.order.length > 1,
      build: () => listSql(question.resource, shape),
    };
  }
  const { question, columns } = plan;
  const { resource } = question;
  if (isComputed(resource)) throw new Error(`${resource.path} is in no table`);
  return {
    key: `${resource.identifier}/${resource.version}/${columnsKeyOf(columns)}`,
    isPlannedOnce: true,
    build: () => detailSql(resource, columns),
  };
}

/**
 * A walk reads the same index for all values. Of what is sifted the values decide how it is found, and where the planner
 * chooses, those of a filter do.
 */
function isPlannedOnce(question: ListQuestion, shape: ListShape): boolean {
  if (shape.reading.kind !== 'planned') return shape.reading.kind === 'walk';
  return !holdsValues(shape.condition) && !shape.skips && !isSearchedByIndex(question, shape);
}

/** Then the words decide how rows are found: a plan for any words would ask the index once a row. */
function isSearchedByIndex({ resource }: ListQuestion, { searchedWords }: ListShape): boolean {
  return searchedWords > 0 && resource.searchIndex !== undefined;
}

/** A text that two shapes share only where their statements are the same. */
function listKeyOf(resource: ListResource, shape: ListShape): string {
  return JSON.stringify(
    [
      resource.identifier,
      resource.version,
      columnsKeyOf(shape.columns),
      shape.order.map(({ field, direction }) => [field, direction]),
      shape.condition,
      // The same list, seen by somebody from whom fields are hidden, is searched in fewer places.
      shape.searchedWords === 0 ? [] : [shape.searchedWords, ...resource.searched],
      shape.start,
      shape.skips,
      shape.counts,
      shape.mostRows,
      shape.reading,
    ],
    // A field is known by its identity, which its definition has for the life of the process.
    (_, value: unknown) => (isNode(value) ? identityOf(value) : value),
  );
}

function columnsKeyOf(columns: readonly Column[]): string {
  return columns.map(identityOf).join();
}

const identities = new WeakMap<Node, number>();
let lastIdentity = 0;

function identityOf(node: Node): number {
  const known = identities.get(node);
  if (known !== undefined) return known;
  identities.set(node, ++lastIdentity);
  return lastIdentity;
}

function isNode(value: unknown): value is Node {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    value.kind === 'field' &&
    'source' in value
  );
}
