import { createHash } from 'node:crypto';
import { isComputed, type ListResource, type Node } from '@takt/catalogue/resources';
import { fillPlaceholders, type SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { LRUCache } from 'lru-cache';
import { countParts, holdsValues } from '../plan/condition.js';
import type { Column } from '../plan/outline.js';
import { isSortedByIndex, type ListShape, type Plan, sortingTermsOf } from '../plan/plan.js';
import type { ListQuestion } from '../plan/resolve-question.js';
import { detailSql, isMadeByFunction, listSql } from './list-sql.js';

/** The text of a statement without its values. Requests of the same shape share one statement. */
export interface Statement {
  readonly text: string;
  /**
   * The name under which each connection prepares the statement once. Different texts have different names. undefined
   * if the statement is not prepared.
   */
  readonly name: string | undefined;
  /** True if a client can make the request faster by narrowing it. */
  readonly canBeNarrowed: boolean;
  /** Returns the values in the order in which the text refers to them. */
  bind(values: Readonly<Record<string, unknown>>): unknown[];
}

const MAX_STATEMENTS = 500;
/**
 * A statement is cached only if its key has at most this number of characters. Otherwise hundreds of very large filters
 * would fill the memory.
 */
const MAX_KEPT_KEY = 10_000;

export interface StatementShape {
  /** Identifies the statement: shapes with equal keys have equal statements. */
  readonly key: string;
  /**
   * True if the same plan is good for all values, so that the statement can be prepared. A statement with a filter is
   * not prepared: PostgreSQL plans it again for each set of values. A generic plan of such a statement seems cheap to
   * PostgreSQL, but it reads the whole table even for a value that only one row in a thousand has.
   */
  readonly isPlannedOnce: boolean;
  readonly canBeNarrowed?: boolean;
  readonly build: () => SQL;
}

export type StatementOf = (shape: StatementShape) => Statement;

/** Creates a cache that builds the statement of each shape only once. */
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

/**
 * The name of a prepared statement. All processes use the same name for the same text, because a connection pooler may
 * lend them the same session.
 */
function nameOf(text: string): string {
  return `takt_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}

/** The shape of the statement for a plan. Its SQL is built only if the cache does not know the shape. */
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
 * True if the same plan of PostgreSQL is good for all values. This is so for a walk, because it always reads the same
 * index. In other statements the best plan depends on the values of the filter.
 */
function isPlannedOnce(question: ListQuestion, shape: ListShape): boolean {
  // The sort key of these fields depends on the company of the session.
  if (shape.order.some(({ field }) => field.sorting !== undefined)) return false;
  if (shape.reading.kind !== 'planned') return shape.reading.kind === 'walk';
  // The best use of the search index depends on the words that are searched. A generic plan would query the search
  // index once per row.
  const isSearchedByIndex = shape.searchedWords > 0 && question.resource.searchIndex !== undefined;
  // The best plan for a list of a period depends on how many months the period has.
  const isOfPeriod = question.resource.source.computedRows !== undefined;
  return !holdsValues(shape.condition) && !shape.skips && !isSearchedByIndex && !isOfPeriod;
}

/** The key of a list's shape. Shapes with equal keys have equal statements. */
function listKeyOf(resource: ListResource, shape: ListShape): string {
  return JSON.stringify(
    [
      resource.identifier,
      resource.version,
      identityOf(resource.source),
      columnsKeyOf(shape.columns),
      shape.order.map(({ field, direction }) => [field, direction]),
      shape.condition,
      // A search ignores fields that are hidden from the reader. So the key names the searched fields.
      shape.searchedWords === 0 ? [] : [shape.searchedWords, ...resource.searched],
      shape.start,
      shape.skips,
      shape.countsUpTo,
      columnsKeyOf(shape.totals),
      shape.mostRows,
      shape.reading,
    ],
    // A field is represented by a number that identifies the object. The number is constant within a process.
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

/**
 * The maximum number of tests in a statement that counts as fast: the rows of a walk times the tests per row. So many
 * tests take the database at most 100 to 200 ms.
 */
const MOST_CHECKS = 150_000;

/**
 * True if a statement may read all rows of its list, which takes long if the table is large. All other statements are
 * fast, however many rows the list has.
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
  if (condition !== undefined || reading.kind === 'sorted') return true;
  return isMadeByFunction(source) || !isSortedByIndex(sortingTermsOf(question.resource, shape));
}
