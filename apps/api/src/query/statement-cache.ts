import { createHash } from 'node:crypto';
import { isComputed, type ListResource, type Node } from '@takt/catalogue/resources';
import { fillPlaceholders, type SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { LRUCache } from 'lru-cache';
import { countParts, holdsValues } from './condition.js';
import { detailSql, isMadeByFunction, listSql } from './list-sql.js';
import type { Column } from './outline.js';
import { isSortedByIndex, type ListShape, type Plan, sortingTermsOf } from './plan.js';
import type { ListQuestion } from './resolve-question.js';

/** A statement without its values: one for each shape of a request. */
export interface Statement {
  readonly text: string;
  /** Under this name, which no other text ever gets, a connection prepares the statement once; undefined: it does not. */
  readonly name: string | undefined;
  /** Whether a client can ask for less, so that it takes less time. */
  readonly canBeNarrowed: boolean;
  /** The values in the order in which the text has them. */
  bind(values: Readonly<Record<string, unknown>>): unknown[];
}

/** Shapes whose text is kept. */
const MAX_STATEMENTS = 500;
/** In characters of its key: a filter may be so large that hundreds of them would fill the memory. */
const MAX_KEPT_KEY = 10_000;

export interface StatementShape {
  /** Equal for two shapes only where their statements are the same. */
  readonly key: string;
  /**
   * Whether one plan is good for all values: then it is prepared. A filter is planned for its values, or the plan for
   * any value is taken, which looks cheap and reads the table for a value that leaves a thousandth of it.
   */
  readonly isPlannedOnce: boolean;
  readonly canBeNarrowed?: boolean;
  readonly build: () => SQL;
}

export type StatementOf = (shape: StatementShape) => Statement;

/** Builds the statement of a shape once. */
export function createStatementCache(): StatementOf {
  const statements = new LRUCache<string, Statement>({ max: MAX_STATEMENTS });
  const dialect = new PgDialect();
  return ({ key, isPlannedOnce, canBeNarrowed = false, build }) => {
    const known = statements.get(key);
    if (known !== undefined) return known;
    const isKept = key.length <= MAX_KEPT_KEY;
    const { sql: text, params } = dialect.sqlToQuery(build());
    const statement: Statement = {
      text,
      name: isKept && isPlannedOnce ? nameOf(text) : undefined,
      canBeNarrowed,
      bind: (values) => fillPlaceholders(params, { ...values }),
    };
    if (isKept) statements.set(key, statement);
    return statement;
  };
}

/** The same text has the same name in every process, for a pooler may lend several of them one session. */
function nameOf(text: string): string {
  return `takt_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}

/** The statement of a plan: its SQL, which is written only where no plan of the same shape came before. */
export function statementShapeOf(plan: Plan): StatementShape {
  if (plan.kind === 'list') {
    const { question, shape } = plan;
    return {
      key: listKeyOf(question.resource, shape),
      isPlannedOnce: isPlannedOnce(question, shape),
      canBeNarrowed:
        shape.condition !== undefined ||
        shape.searchedWords > 0 ||
        shape.order.length > 1 ||
        isMadeByFunction(question.resource.source),
      build: () => listSql(question.resource, shape),
    };
  }
  const { question, columns } = plan;
  const { resource } = question;
  if (isComputed(resource)) throw new Error(`${resource.path} is in no table`);
  return {
    key: `${resource.identifier}/${resource.version}/${identityOf(resource.source)}/${columnsKeyOf(columns)}`,
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
  // Words decide how an index of them finds the rows: a plan for any words would ask it once a row.
  const isSearchedByIndex = shape.searchedWords > 0 && question.resource.searchIndex !== undefined;
  // The best plan of a period depends on its months.
  const isOfPeriod = question.resource.source.computedRows !== undefined;
  return !holdsValues(shape.condition) && !shape.skips && !isSearchedByIndex && !isOfPeriod;
}

/** A text that two shapes share only where their statements are the same. */
function listKeyOf(resource: ListResource, shape: ListShape): string {
  return JSON.stringify(
    [
      resource.identifier,
      resource.version,
      identityOf(resource.source),
      columnsKeyOf(shape.columns),
      shape.order.map(({ field, direction }) => [field, direction]),
      shape.condition,
      // The same list, seen by somebody from whom fields are hidden, is searched in fewer places.
      shape.searchedWords === 0 ? [] : [shape.searchedWords, ...resource.searched],
      shape.start,
      shape.skips,
      shape.countsUpTo,
      columnsKeyOf(shape.totals),
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

const identities = new WeakMap<object, number>();
let lastIdentity = 0;

function identityOf(part: object): number {
  const known = identities.get(part);
  if (known !== undefined) return known;
  identities.set(part, ++lastIdentity);
  return lastIdentity;
}

function isNode(value: unknown): value is Node {
  const isObject = typeof value === 'object' && value !== null;
  return isObject && 'kind' in value && value.kind === 'field' && 'source' in value;
}

/** Rows that a walk reads, times what it asks each of them: 100 to 200 ms of the database at most. */
const MOST_CHECKS = 150_000;

/**
 * Whether the statement of a plan may look at every row of its list. It need not: a filter of a small table takes a
 * millisecond. No other statement takes long, however many rows there are.
 */
export function mayTakeLong(plan: Plan): boolean {
  if (plan.kind === 'detail') return false;
  const { question, shape } = plan;
  const { source } = question.resource;
  const { condition, reading } = shape;
  const isSearched = shape.searchedWords > 0;
  const isSizeKept = source.sizeOf !== undefined && condition === undefined && !isSearched;
  if (isSearched || shape.skips || shape.totals.length > 0) return true;
  if (shape.countsUpTo > 0 && !isSizeKept) return true;
  if (reading.kind === 'walk') {
    return reading.length * (condition === undefined ? 1 : countParts(condition)) > MOST_CHECKS;
  }
  if (condition !== undefined || reading.kind === 'sifted') return true;
  return isMadeByFunction(source) || !isSortedByIndex(sortingTermsOf(question.resource, shape));
}
