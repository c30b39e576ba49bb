import { atMost, percentile, type Ratio, table } from '../../harness.js';
import { FAMILIES } from './make-questions.js';
import type { AskedPage, AskedQuestions } from './measure-questions.js';

const PAGES: readonly AskedPage['page'][] = ['first', 'next', 'last', 'before the last'];
const SLOWEST = 10;

interface Group {
  readonly name: string;
  readonly pages: readonly AskedPage[];
}

/** By family and page, and filters by whether the page is full within the walk. */
function groupsOf({ pages }: AskedQuestions): readonly Group[] {
  return FAMILIES.flatMap((family) =>
    PAGES.flatMap((page) =>
      [true, false].map((isFilled) => {
        const suffix = isFilled ? '' : ', not filled within the walk';
        return {
          name: `${family}, ${page} page${suffix}`,
          pages: pages.filter(
            (one) => one.family === family && one.page === page && one.isFilled === isFilled,
          ),
        };
      }),
    ),
  ).filter((group) => group.pages.length > 0);
}

const p99 = (pages: readonly AskedPage[]) =>
  percentile(
    pages.map(({ medianMs }) => medianMs),
    0.99,
  );

/** The time of a question is the median of its rounds. */
export function questionTable(sizes: readonly AskedQuestions[]): readonly string[] {
  const lines = sizes.flatMap((size) =>
    groupsOf(size).map(({ name, pages }) => {
      const times = pages.map(({ medianMs }) => medianMs);
      const longerThan = (ms: number) => times.filter((time) => time > ms).length;
      return [
        size.rows,
        name,
        pages.length,
        ...[0.5, 0.99, 1].map((share) => percentile(times, share).toFixed(1)),
        Math.max(...pages.map(({ worstMs }) => worstMs)).toFixed(0),
        longerThan(20),
        longerThan(600),
        pages.filter(({ isPastDeadline }) => isPastDeadline).length,
      ];
    }),
  );
  const titles = [
    ...['rows:', 'pages of 80', 'questions:', 'p50 ms:', 'p99 ms:', 'longest ms:', 'worst try ms:'],
    ...['> 20 ms:', '> 600 ms:', 'past the deadline:'],
  ];
  return table(titles, lines);
}

/** The slowest of the largest size, by text. */
export function slowestQuestions(sizes: readonly AskedQuestions[]): readonly string[] {
  const largest = sizes.at(-1);
  if (largest === undefined) return [];
  const slowest = [...largest.pages].sort((one, other) => other.medianMs - one.medianMs).slice(0, SLOWEST);
  return [
    `Slowest at ${largest.rows} rows:`,
    '',
    ...slowest.map(({ medianMs, page, text }) => `- ${medianMs.toFixed(0)} ms, ${page} page: \`${text}\``),
    '',
  ];
}

/** The largest size beside the smallest: the same questions, those that are filled at the largest. */
export function questionRatios(sizes: readonly AskedQuestions[]): readonly Ratio[] {
  const [smallest, largest] = [sizes[0], sizes.at(-1)];
  if (smallest === undefined || largest === undefined) return [];
  const atSmallest = new Map(smallest.pages.map((page) => [keyOf(page), page]));
  const growth = groupsOf(largest)
    .filter(({ pages }) => pages[0]?.isFilled === true)
    .map(({ name, pages }): Ratio => {
      const both = pages.filter((page) => atSmallest.has(keyOf(page)));
      const before = both.flatMap((page) => atSmallest.get(keyOf(page)) ?? []);
      return {
        name: `p99 at ${largest.rows} rows / at ${smallest.rows}: ${name}`,
        reached: p99(both) / p99(before),
        target: atMost(2),
      };
    });
  const rest = groupsOf(largest)
    .filter(({ pages }) => pages[0]?.isFilled === false)
    .map(({ name, pages }) => ({ name: `p99 in ms: ${name}`, reached: p99(pages), target: atMost(600) }));
  const isPast = (size: AskedQuestions) => size.pages.filter(({ isPastDeadline }) => isPastDeadline).length;
  const pastDeadline = sizes.map((size) => ({
    name: `questions past the deadline at ${size.rows} rows`,
    reached: isPast(size),
    target: atMost(0),
  }));
  return smallest === largest ? [...rest, ...pastDeadline] : [...growth, ...rest, ...pastDeadline];
}

const keyOf = ({ text, page }: AskedPage) => `${page}: ${text}`;
