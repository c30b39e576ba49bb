import { Agent, get } from 'node:http';
import type { Database } from '@takt/database';
import { median, say } from '../../harness.js';
import { LIST_PATH } from '../make-requests.js';
import { makeFilters } from './make-filters.js';
import {
  countWithinWalk,
  FILTERED_ORDERS,
  makeLongOrders,
  makeTwoFieldOrders,
  type Question,
  queryOf,
  SINGLE_ORDERS,
  textOf,
} from './make-questions.js';

type Page = 'first' | 'next' | 'last' | 'before the last';

/** What a question for one page took. */
export interface AskedPage {
  readonly family: Question['family'];
  readonly text: string;
  readonly page: Page;
  /** Whether the page is full within what the API walks of the order; a page of all rows always is. */
  readonly isFilled: boolean;
  readonly medianMs: number;
  readonly worstMs: number;
  readonly isPastDeadline: boolean;
}

export interface AskedQuestions {
  readonly rows: number;
  /** In the same order at every size. */
  readonly pages: readonly AskedPage[];
}

interface QuestionOptions {
  readonly rows: number;
  readonly rounds: number;
  /** How many filters, each by ten orders. */
  readonly filters: number;
  readonly seed: number;
}

const LONG_ORDERS = 50;
const WARM_UP_QUESTIONS = 200;
const PAGE_SIZE = 80;
/** What took longer is no matter of chance, and is not asked again. */
const SLOW_MS = 500;

/** Asks the API at `origin` every question for its pages, each several times, one after the other. */
export async function measureQuestions(
  api: { readonly origin: string; readonly token: string; readonly database: Database },
  options: QuestionOptions,
): Promise<AskedQuestions> {
  const questions = makeQuestions(options);
  const withinWalk = await countWithinWalk(
    api.database,
    questions.filter(({ filter }) => filter !== undefined),
  );
  say(`${options.rows} rows: ${questions.length} questions are to be asked`);
  const asker = openAsker(api.origin, api.token);
  try {
    for (const question of questions.slice(0, WARM_UP_QUESTIONS)) {
      await asker.ask(`${LIST_PATH}?${queryOf(question)}`);
    }
    const pages: AskedPage[] = [];
    for (const [index, question] of questions.entries()) {
      if (index % 200 === 0) say(`${options.rows} rows: ${index} questions are asked`);
      pages.push(...(await askForPages(asker, question, withinWalk.get(question), options.rounds)));
    }
    return { rows: options.rows, pages };
  } finally {
    asker.close();
  }
}

function makeQuestions({ seed, filters }: QuestionOptions): readonly Question[] {
  const whole = (family: Question['family'], orders: readonly Question['order'][]) =>
    orders.map((order): Question => ({ family, order, filter: undefined }));
  return [
    ...whole('single orders', SINGLE_ORDERS),
    ...whole('two-field orders', makeTwoFieldOrders(seed)),
    ...whole('orders of three and four', makeLongOrders(LONG_ORDERS, seed)),
    ...makeFilters(filters, seed).flatMap((filter) =>
      FILTERED_ORDERS.map((order): Question => ({ family: 'filters by order', order, filter })),
    ),
  ];
}

/** What of an answer is needed to ask on. */
interface ListDocument {
  readonly paging: Readonly<Record<'nextPage' | 'lastPage' | 'previousPage', string | null>>;
}

/** `matching`: rows within the walk, of what is filtered. Its last page would count the rows, which is another question. */
async function askForPages(
  asker: Asker,
  question: Question,
  matching: number | undefined,
  rounds: number,
): Promise<readonly AskedPage[]> {
  const asked: AskedPage[] = [];
  const askFor = async (page: Page, path: string | null, needed: number) => {
    if (path === null) return undefined;
    const { document, ...times } = await askSeveralTimes(asker, path, rounds);
    const isFilled = matching === undefined || matching > needed;
    asked.push({ family: question.family, text: textOf(question), page, isFilled, ...times });
    return document;
  };
  const first = await askFor('first', `${LIST_PATH}?${queryOf(question)}`, PAGE_SIZE);
  if (matching === undefined) {
    const last = await askFor('last', pathOf(first?.paging.lastPage), 0);
    await askFor('before the last', pathOf(last?.paging.previousPage), 0);
  } else {
    await askFor('next', pathOf(first?.paging.nextPage), 2 * PAGE_SIZE);
  }
  return asked;
}

async function askSeveralTimes(asker: Asker, path: string, rounds: number) {
  const times: number[] = [];
  let document: ListDocument | undefined;
  let isPastDeadline = false;
  while (times.length < rounds && !times.some((ms) => ms > SLOW_MS)) {
    const { ms, status, body } = await asker.ask(path);
    times.push(ms);
    if (status === 500) {
      isPastDeadline = true;
    } else if (status === 200) {
      document ??= JSON.parse(body) as ListDocument;
    } else {
      throw new Error(`${path}: ${body}`);
    }
  }
  return { document, medianMs: median(times), worstMs: Math.max(...times), isPastDeadline };
}

function pathOf(link: string | null | undefined): string | null {
  return link == null ? null : link.slice(new URL(link).origin.length);
}

interface Answer {
  readonly ms: number;
  readonly status: number;
  readonly body: string;
}

export interface Asker {
  readonly ask: (path: string) => Promise<Answer>;
  readonly close: () => void;
}

/** Asks one question after the other on one connection, and takes the time until the last byte of the answer. */
export function openAsker(origin: string, token: string): Asker {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { Authorization: `Bearer ${token}` };
  return {
    ask: (path) =>
      new Promise((resolve, reject) => {
        const startedAt = performance.now();
        const request = get(origin + path, { agent, headers }, (response) => {
          const pieces: Buffer[] = [];
          response.on('data', (piece: Buffer) => pieces.push(piece));
          response.on('error', reject);
          response.on('end', () => {
            const ms = performance.now() - startedAt;
            resolve({ ms, status: response.statusCode ?? 0, body: Buffer.concat(pieces).toString() });
          });
        });
        request.on('error', reject);
      }),
    close: () => agent.destroy(),
  };
}
