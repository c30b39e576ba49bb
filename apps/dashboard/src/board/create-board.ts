import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { RejectedEvents } from '@takt/database/rejected-events';
import type { EventQueue } from '@takt/events';
import type { ApiAnswer } from '@takt/http';
import type { Logger } from '@takt/run';
import { boardPolicy } from '../page-headers.js';
import { writeStranger } from '../pages/error-pages.js';
import type { PageMount } from '../serve-visits.js';
import type { Person } from '../visit.js';
import { answerHtml, type Visit } from '../visit.js';
import type { Board, BoardAnswer } from './bull-board.js';

export interface BoardPlace {
  readonly queues: readonly EventQueue[];
  /** Runs a change while no worker moves rejected events. */
  readonly changing: RejectedEvents['changing'];
  readonly baseUrl: string;
  readonly base: string;
  readonly logger: Logger;
}

export const BOARD_PREFIX = '/queues/';

/**
 * What Bull Board may change for who may operate the queues: what can be undone, or concerns one job that is seen. The rest
 * of what it offers would break what Takt guarantees: emptying or obliterating a queue loses events, edited or added
 * data pass by validation, and limits of concurrency and rate are the workers' to set.
 */
export const ALLOWED_CHANGES: readonly string[] = [
  'PUT /api/queues/pause',
  'PUT /api/queues/resume',
  'PUT /api/queues/:queueName/pause',
  'PUT /api/queues/:queueName/resume',
  'PUT /api/queues/:queueName/promote',
  'PUT /api/queues/:queueName/retry/:queueStatus',
  'PUT /api/queues/:queueName/:jobId/retry',
  'PUT /api/queues/:queueName/:jobId/promote',
  'PUT /api/queues/:queueName/:jobId/clean',
];

/** Bull Board below /queues/, for people whose companies are all there are; loaded when somebody opens it. */
export function createBoard(place: BoardPlace): PageMount {
  let loading: Promise<Board> | undefined;
  const load = () => {
    loading ??= import('./bull-board.js').then(({ openBoard }) => openBoard(place.queues, `${place.base}/`));
    return loading;
  };
  return {
    prefix: BOARD_PREFIX,
    answer: async (visit, person) => {
      if (!person.hasAllCompanies) return refuseStranger(place, person);
      const board = await load();
      const path = visit.path.slice(BOARD_PREFIX.length - 1);
      if (visit.method !== 'GET') return change(visit, person, { path, board, place });
      if (path.startsWith('/static/')) return answerFile(board.folder, path.slice(1));
      const entry = board.writeEntry(path, {
        basePath: `${place.base}${BOARD_PREFIX}`,
        isReadOnly: !person.mayOperate,
      });
      if (entry !== undefined) return answerHtml(entry, 200, { 'Content-Security-Policy': boardPolicy });
      return answerApi(await ask(visit, person, { path, board, place }));
    },
  };
}

interface Asked {
  readonly path: string;
  readonly board: Board;
  readonly place: BoardPlace;
}

async function change(visit: Visit, person: Person, { path, board, place }: Asked): Promise<ApiAnswer> {
  const route = board.findRoute(visit.method, path);
  if (route === undefined) return answerApi({ status: 404, body: { error: 'There is no such action.' } });
  if (!person.mayOperate) {
    return answerApi({
      status: 403,
      body: { error: 'It needs the duty operate-queues, so nothing was done.' },
    });
  }
  if (!ALLOWED_CHANGES.includes(`${route.method} ${route.pattern}`)) {
    const error = 'Takt does not let the board do this, because events could be lost. Nothing was done.';
    return answerApi({ status: 405, body: { error } });
  }
  const answer = await place.changing(() => ask(visit, person, { path, board, place }));
  const { pid, name } = person;
  place.logger.info(
    { pid, person: name, action: route.pattern, path, status: answer.status },
    'the board changed a queue',
  );
  return answerApi(answer);
}

/** The board's own messages are not passed on where something failed: they may hold anything. */
async function ask(
  visit: Visit,
  { mayOperate }: Person,
  { path, board, place }: Asked,
): Promise<BoardAnswer> {
  try {
    return await board.ask(visit.method, path, visit.query, {
      headers: visit.headers,
      isReadOnly: !mayOperate,
    });
  } catch (error) {
    place.logger.error({ error, path }, 'the board failed');
    return { status: 503, body: { error: 'The queue did not answer. Try again.' } };
  }
}

const STATUSES: readonly ApiAnswer['status'][] = [200, 204, 400, 403, 404, 405, 409, 503];

function answerApi({ status, body }: BoardAnswer): ApiAnswer {
  return {
    status: STATUSES.find((one) => one === status) ?? 503,
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: body === undefined ? [] : [JSON.stringify(body)],
    isStreamed: false,
  };
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};
const FILE = /^static(?:\/[\w-][\w.-]*)+$/;
const YEAR_S = 31_536_000;

/** Its names change with what is in them, so a browser may keep them; nobody else may. */
async function answerFile(folder: URL, path: string): Promise<ApiAnswer> {
  const type = TYPES[extname(path)];
  const isFile = FILE.test(path) && type !== undefined;
  const content = isFile ? await readFile(new URL(path, folder)).catch(() => undefined) : undefined;
  if (content === undefined || type === undefined) {
    const headers = { 'Content-Type': 'text/plain; charset=utf-8' };
    return { status: 404, headers, body: ['no such file\n'], isStreamed: false };
  }
  const headers = { 'Content-Type': type, 'Cache-Control': `private, max-age=${YEAR_S}, immutable` };
  return { status: 200, headers, body: content, isStreamed: false };
}

function refuseStranger({ base }: BoardPlace, person: Person): ApiAnswer {
  return answerHtml(writeStranger({ base, person, path: BOARD_PREFIX }), 403);
}
