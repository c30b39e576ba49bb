import type { Database } from '@takt/database';
import { openConnection, randomFrom, request } from '@takt/test-support';
import { goal, median, percentile, type Row, readNumber, say } from '../harness.js';
import {
  COUNT,
  columnOf,
  LIST_PATH,
  ORDER_FIELDS,
  PAGE_SIZE,
  queryOf,
  UNINDEXED_FIELDS,
} from '../read/requests.js';
import type { ServedList } from '../read/serve-list.js';
import { makeFilters, sqlOf } from './filters.js';

/** A list in a sort order, with an optional filter. The benchmark measures its pages. */
export interface Question {
  readonly family: string;
  /** The terms of `$orderby`. */
  readonly order: readonly string[];
  /** The text of `$filter`; empty for the whole list. */
  readonly filter: string;
}

export const pathOf = ({ order, filter }: Question) =>
  `${LIST_PATH}?${queryOf({ $orderby: order.join(','), $filter: filter })}`;

/**
 * The sort orders that are measured together with filters: the default order, figures with few and with many ties or
 * nulls, names, and several fields.
 */
export const FILTERED_ORDERS: readonly (readonly string[])[] = [
  [],
  ...['AverageRunTime', 'LongestSetupTime desc', 'AverageCleanupTime', COUNT, 'ProductName'].map((term) => [
    term,
  ]),
  ['CleanupTimeOverPlanPercent desc'],
  ['ProductName desc', 'RunTime'],
  ['AverageCleanupTime', 'AverageRunTime desc'],
  ['RunTime desc', 'DeviationSetupTime', 'HoursOverPlan'],
];
const LONG_ORDERS = 50;

function makeQuestions(filters: number, seed: number): readonly Question[] {
  const random = randomFrom(seed);
  const sorted = (family: string, orders: readonly (readonly string[])[]) =>
    orders.map((order): Question => ({ family, order, filter: '' }));
  const inSomeDirection = (field: string) => field + random.pick(['', ' desc']);
  const pairs = ORDER_FIELDS.flatMap((first) =>
    ORDER_FIELDS.filter((second) => second !== first).map((second) => [first, second].map(inSomeDirection)),
  );
  const long = Array.from({ length: LONG_ORDERS }, (_, index) =>
    random
      .shuffle(ORDER_FIELDS)
      .slice(0, 3 + (index % 2))
      .map(inSomeDirection),
  );
  return [
    ...sorted(
      'single orders',
      ORDER_FIELDS.flatMap((field) => [[field], [`${field} desc`]]),
    ),
    ...sorted('two-field orders', pairs),
    ...sorted('orders of three and four', long),
    ...makeFilters(filters, seed).flatMap((filter) =>
      FILTERED_ORDERS.map((order): Question => ({ family: 'filters by order', order, filter })),
    ),
  ];
}

/** Returns the sort order in SQL. Nulls sort lowest. Ties are sorted by id, in the direction of the last field. */
function orderSql(order: readonly string[]): string {
  const terms = order.map((term) => {
    const [field = '', direction] = term.split(' ');
    return columnOf(field) + (direction === 'desc' ? ' DESC NULLS LAST' : ' NULLS FIRST');
  });
  const last = order.at(-1)?.endsWith(' desc') ? 'DESC' : 'ASC';
  return [...terms, `product_structure_version_id ${last}`].join(', ');
}

/** Number of rows that the API reads in the sort order before it changes to another kind of search. */
const WALK = 10_000;

/**
 * Counts, for each question, the matching rows among the first `WALK` rows of the sort order. It counts at most two
 * pages and one row.
 */
export async function countWithinWalk(
  { pool }: Database,
  questions: readonly Question[],
): Promise<ReadonlyMap<Question, number>> {
  const counts = new Map<Question, number>();
  const client = await pool.connect();
  try {
    for (const order of new Set(questions.map((question) => question.order))) {
      await client.query(`CREATE TEMP TABLE walk AS
        SELECT * FROM takt.product_structure_versions ORDER BY ${orderSql(order)} LIMIT ${WALK}`);
      for (const question of questions.filter((one) => one.order === order)) {
        const matching = `SELECT FROM walk WHERE ${sqlOf(question.filter)} LIMIT ${2 * PAGE_SIZE + 1}`;
        counts.set(question, await readNumber(client, `(SELECT count(*) FROM (${matching}) AS found)`));
      }
      await client.query('DROP TABLE walk');
    }
  } finally {
    client.release();
  }
  return counts;
}

/** The measured times of one page of a question. */
export interface MeasuredPage {
  readonly rows: number;
  /**
   * The group in which the page is shown. It names the family of the question and the page, and says if the first
   * `WALK` rows contain enough rows for the page.
   */
  readonly group: string;
  readonly question: string;
  /** Median of the times in all rounds, in ms. */
  readonly ms: number;
  readonly worstMs: number;
  readonly isPastDeadline: boolean;
}

interface QuestionOptions {
  readonly rounds: number;
  /** Number of filters. Each filter is combined with ten sort orders. */
  readonly filters: number;
  readonly seed: number;
}

const WARM_UP_QUESTIONS = 200;
/** A question that takes longer than this is slow and is not repeated. */
const SLOW_MS = 500;

interface ListDocument {
  readonly paging: Readonly<Record<'nextPage' | 'lastPage' | 'previousPage', string | null>>;
}

/**
 * Measures every question on one connection. For a question without a filter, it measures the first page, the last page
 * and the page before the last page. For a question with a filter, it measures the first two pages.
 */
export async function measureQuestions(
  { api, token, database, rows }: ServedList,
  { rounds, filters, seed }: QuestionOptions,
): Promise<readonly MeasuredPage[]> {
  const questions = makeQuestions(filters, seed);
  const filtered = questions.filter(({ filter }) => filter !== '');
  const withinWalk = await countWithinWalk(database, filtered);
  const connection = await openConnection(Number(new URL(api.origin).port));
  connection.socket.setNoDelay(true);
  const headers = { Authorization: `Bearer ${token}`, Host: new URL(api.origin).host };
  const measured: MeasuredPage[] = [];
  const ask = async (path: string) => {
    const startedAt = performance.now();
    connection.send(request(path, headers));
    const { status, body } = await connection.answer();
    const ms = performance.now() - startedAt;
    if (status !== 200 && status !== 500) throw new Error(`${path}: ${body}`);
    return { ms, document: status === 200 ? (JSON.parse(body.toString()) as ListDocument) : undefined };
  };
  const measurePage = async (question: Question, page: string, link: string, needed: number) => {
    const path = link.replace(api.origin, '');
    const answers = [await ask(path)];
    while (answers.length < rounds && answers.every(({ ms }) => ms <= SLOW_MS)) answers.push(await ask(path));
    const times = answers.map(({ ms }) => ms);
    const isFilled = (withinWalk.get(question) ?? Number.POSITIVE_INFINITY) > needed;
    measured.push({
      rows,
      group: `${question.family}${isIndexed(question) ? '' : ' without an index'}, ${page}${isFilled ? '' : ', not filled within the walk'}`,
      question: `${page}: ${decodeURIComponent(pathOf(question)).split('?')[1]}`,
      ms: median(times),
      worstMs: Math.max(...times),
      isPastDeadline: answers.some(({ document }) => document === undefined),
    });
    return answers.find(({ document }) => document !== undefined)?.document?.paging;
  };
  try {
    for (const question of questions.slice(0, WARM_UP_QUESTIONS)) await ask(pathOf(question));
    for (const [index, question] of questions.entries()) {
      if (index % 200 === 0) say(`${rows} rows: question ${index} of ${questions.length}`);
      const first = await measurePage(question, 'first page', pathOf(question), PAGE_SIZE);
      if (question.filter !== '') {
        // The last page is not measured here, because finding it would require a count of the rows, which is measured
        // separately.
        if (first?.nextPage) await measurePage(question, 'next page', first.nextPage, 2 * PAGE_SIZE);
        continue;
      }
      const last = first?.lastPage ? await measurePage(question, 'last page', first.lastPage, 0) : undefined;
      if (last?.previousPage) {
        await measurePage(question, 'before the last page', last.previousPage, 0);
      }
    }
  } finally {
    connection.destroy();
  }
  return measured;
}

/** Returns true if the first sort field has an index. Otherwise the question reads all rows. */
function isIndexed({ order: [first = ''] }: Question): boolean {
  return !UNINDEXED_FIELDS.includes(first.split(' ')[0] ?? '');
}

const TARGET_MS = 600;
const SLOWEST = 10;

/**
 * Makes the tables: a row for each number of rows and each group, the ratios to the smallest list, and the slowest
 * questions.
 */
export function toTables(pages: readonly MeasuredPage[]): Readonly<Record<string, readonly Row[]>> {
  const sizes = [...new Set(pages.map(({ rows }) => rows))];
  const groups = [...new Set(pages.map(({ group }) => group))];
  const of = (rows: number, group: string) =>
    pages.filter((page) => page.rows === rows && page.group === group);
  const timesOf = (some: readonly MeasuredPage[]) => some.map(({ ms }) => ms);
  const [smallest = 0, largest = 0] = [sizes[0], sizes.at(-1)];
  const table = sizes.flatMap((rows) =>
    groups.flatMap((group): readonly Row[] => {
      const measured = of(rows, group);
      if (measured.length === 0) return [];
      const times = timesOf(measured);
      const row = {
        rows,
        'pages of 80': group,
        questions: measured.length,
        'p50 ms': percentile(times, 0.5),
        'p99 ms': percentile(times, 0.99),
        'longest ms': Math.max(...times),
        'worst try ms': Math.max(...measured.map(({ worstMs }) => worstMs)),
        '> 20 ms': times.filter((ms) => ms > 20).length,
        '> 600 ms': times.filter((ms) => ms > TARGET_MS).length,
        'past the deadline': measured.filter(({ isPastDeadline }) => isPastDeadline).length,
      };
      return [row];
    }),
  );
  const ratios = groups.flatMap((group) => {
    const measured = of(largest, group);
    const p99 = percentile(timesOf(measured), 0.99);
    if (/not filled|without an index/.test(group)) return goal(`p99 in ms: ${group}`, p99, `<= ${TARGET_MS}`);
    if (smallest === largest) return [];
    const names = new Set(measured.map(({ question }) => question));
    const same = pages.filter(({ rows, question }) => rows === smallest && names.has(question));
    const name = `p99 at ${largest} rows / at ${smallest}: ${group}`;
    return goal(name, p99 / percentile(timesOf(same), 0.99), '<= 2');
  });
  const pastDeadline = sizes.map((rows) => {
    const past = pages.filter((page) => page.rows === rows && page.isPastDeadline);
    return goal(`questions past the deadline at ${rows} rows`, past.length, '<= 0');
  });
  const slowest = pages
    .filter(({ rows }) => rows === largest)
    .sort((one, other) => other.ms - one.ms)
    .slice(0, SLOWEST)
    .map(({ question, ms }): Row => ({ slowest: question, ms }));
  return {
    Questions: table,
    'Goals for questions': [...ratios, ...pastDeadline],
    [`Slowest at ${largest} rows`]: slowest,
  };
}
