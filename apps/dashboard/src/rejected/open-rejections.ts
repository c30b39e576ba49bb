import type { Database } from '@takt/database';
import {
  NotRejectedError,
  openRejectedEvents,
  openRejectionOverview,
  RefusedCorrectionError,
  type RejectedEvents,
  type RejectionOverview,
  UnreadableJobError,
} from '@takt/database/rejected-events';
import type { EventQueue, QueueBackend } from '@takt/events/internal';
import type { ApiAnswer } from '@takt/http';
import type { Logger } from '@takt/run';
import { writeMessagePage } from '../pages/frame.js';
import type { IdsOf } from '../sealed-ids.js';
import {
  answerHtml,
  answerRedirect,
  noticeOf,
  type PageRoute,
  type People,
  type Person,
  type Visit,
} from '../visit.js';
import type { DashboardText } from '../words.js';
import { beginRun, confirmRun, showResolved, showRun, undo, undoRun } from './bulk-routes.js';
import { MAY_CORRECT, openBulkRuns } from './bulk-runs.js';
import { findProblemsFor, readCorrection } from './correction.js';
import { eventPage } from './event-page.js';
import { readFilter } from './filter.js';
import { rejectedListPage } from './list-page.js';
import { type Answer, answerPage, notThere, openResolvers, type Room } from './room.js';
import { openVisibility } from './visibility.js';

interface RejectionsDependencies {
  readonly pool: Database['pool'];
  readonly queues: readonly EventQueue[];
  readonly backend: QueueBackend;
  readonly people: People;
  readonly idsOf: IdsOf;
  readonly baseUrl: string;
  readonly base: string;
  readonly logger: Logger;
}

interface Rejections {
  readonly routes: readonly PageRoute[];
  readonly overview: RejectionOverview;
  /** Runs changes while no worker moves events from a queue to the database. */
  readonly changing: RejectedEvents['changing'];
  close(): Promise<void>;
}

/**
 * Maximum size in bytes of a posted correction. An event is smaller than 1 MB, and a form encodes most of JSON's
 * punctuation as three characters.
 */
const MAX_CORRECTION_BYTES = 4_000_000;
const NOTICES = {
  corrected: 'correctedNotice',
  retried: 'retriedNotice',
  discarded: 'discardedNotice',
} as const satisfies Readonly<Record<string, DashboardText>>;

/** Opens the pages of rejected events and the actions on these events. */
export function openRejections(dependencies: RejectionsDependencies): Rejections {
  const { pool, queues, backend, people, idsOf, logger } = dependencies;
  const opened = openRejectedEvents(pool, queues);
  const overview = openRejectionOverview({ pool, queues, failedJobs: backend.view });
  // The events are read at the start, so that the first viewer need not wait until ten thousand events are read.
  overview.read().catch((error: unknown) => logger.warn({ error }, 'rejected events could not be read'));
  const rejected: RejectedEvents = {
    ...opened,
    changing: (work) => opened.changing(work).finally(overview.expire),
  };
  const visibility = openVisibility(rejected, idsOf);
  const runs = openBulkRuns({ pool, rejected, people, visibility, logger });
  return {
    overview,
    changing: rejected.changing,
    close: runs.close,
    routes: routesOf({
      ...dependencies,
      rejected,
      overview,
      visibility,
      runs,
      resolverOf: openResolvers(logger),
    }),
  };
}

function routesOf(room: Room): readonly PageRoute[] {
  const inTurn = room.rejected.changing;
  const answered = (answer: Answer) => (visit: Visit, person: Person) => answer(room, visit, person);
  const read = ['read-production-times'] as const;
  return [
    { method: 'GET', path: '/rejected', access: read, answer: answered(showList) },
    { method: 'GET', path: '/rejected/event', access: read, answer: answered(showEvent) },
    {
      ...{ method: 'POST', path: '/rejected/correct', access: MAY_CORRECT, inTurn },
      maxFormBytes: MAX_CORRECTION_BYTES,
      answer: answered(orErrorPage(correct)),
    },
    {
      ...{ method: 'POST', path: '/rejected/retry', access: MAY_CORRECT, inTurn },
      answer: answered(orErrorPage(changeOne('retry', 'retried'))),
    },
    {
      ...{ method: 'POST', path: '/rejected/discard', access: MAY_CORRECT, inTurn },
      answer: answered(orErrorPage(changeOne('discard', 'discarded'))),
    },
    { method: 'GET', path: '/rejected/bulk', access: MAY_CORRECT, answer: answered(confirmRun) },
    { method: 'POST', path: '/rejected/bulk', access: MAY_CORRECT, answer: answered(beginRun) },
    { method: 'GET', path: '/rejected/run', access: MAY_CORRECT, answer: answered(showRun) },
    { method: 'GET', path: '/rejected/resolved', access: read, answer: answered(showResolved) },
    { method: 'POST', path: '/rejected/run/undo', access: MAY_CORRECT, answer: answered(undoRun) },
    { method: 'POST', path: '/rejected/undo', access: MAY_CORRECT, inTurn, answer: answered(undo) },
  ];
}

async function showList(
  { overview, visibility, idsOf, base }: Room,
  visit: Visit,
  person: Person,
): Promise<ApiAnswer> {
  const snapshot = await overview.read();
  const visible = visibility.ofFacts(person, snapshot.events);
  const content = rejectedListPage({
    visible,
    shownId: (await idsOf(person)).shown,
    hidden: snapshot.events.length - visible.length,
    isCut: snapshot.isCut,
    filter: readFilter(visit.query),
    page: pageOf(visit.query),
    base,
    words: visit.words,
    mayOperate: person.mayOperate,
    notice: noticeOf(visit, NOTICES),
  });
  return answerPage({ base, person, visit }, 'rejectedEvents', content);
}

async function showEvent({ visibility, base }: Room, visit: Visit, person: Person): Promise<ApiAnswer> {
  const id = visit.query.get('id') ?? '';
  const found = await visibility.find(person, id).catch(noneWhereGone);
  if (found === undefined) return notThere({ base, person, visit });
  const back = visit.query.get('back') ?? '';
  const content = eventPage({
    ...{ id, events: found.events, base, back, words: visit.words, mayOperate: person.mayOperate },
  });
  return answerPage({ base, person, visit }, 'rejectedEvent', content);
}

async function correct(room: Room, visit: Visit, person: Person): Promise<ApiAnswer> {
  const { rejected, visibility, people, base } = room;
  const [id, text] = [visit.form.get('id') ?? '', visit.form.get('event') ?? ''];
  const found = await visibility.find(person, id).catch(noneWhereGone);
  if (found === undefined) return notThere({ base, person, visit });
  const registered = await people.registeredCompanies();
  const edit = (original: unknown) => {
    const correction = readCorrection(text, { original, person, registered, words: visit.words });
    const problems = findProblemsFor(person, correction, registered);
    if (problems.length > 0) throw new RefusedCorrectionError(problems);
    return correction;
  };
  try {
    await rejected.correct(found.id, edit, room.resolverOf(person, 'correct', found.id));
  } catch (error) {
    if (!(error instanceof RefusedCorrectionError)) throw error;
    const back = visit.form.get('back') ?? '';
    const refused = { text, problems: error.problems };
    const content = eventPage({
      ...{ id, events: found.events, base, back, words: visit.words, mayOperate: true, refused },
    });
    return answerPage({ base, person, visit }, 'rejectedEvent', content, { status: 400 });
  }
  return backToList(room, visit, 'corrected');
}

const changeOne =
  (action: 'retry' | 'discard', done: keyof typeof NOTICES): Answer =>
  async (room, visit, person) => {
    const { rejected, visibility, base } = room;
    const found = await visibility.find(person, visit.form.get('id') ?? '').catch(noneWhereGone);
    if (found === undefined) return notThere({ base, person, visit });
    const { id } = found;
    const by = room.resolverOf(person, action, id);
    await (action === 'retry' ? rejected.retry(id, by) : rejected.discard(id, by));
    return backToList(room, visit, done);
  };

/** Answers with an error page if the event is gone or its job is unreadable. */
const orErrorPage =
  (change: Answer): Answer =>
  async (room, visit, person) => {
    const { base } = room;
    try {
      return await change(room, visit, person);
    } catch (error) {
      if (error instanceof NotRejectedError) return notThere({ base, person, visit });
      if (!(error instanceof UnreadableJobError)) throw error;
      const { words } = visit;
      const page = { title: words.say('refused'), words, base, person };
      return answerHtml(writeMessagePage(page, words.say('unreadableEvent')), 409);
    }
  };

/** Redirects to the list, which then shows a message about the change. */
function backToList({ baseUrl }: Room, visit: Visit, done: keyof typeof NOTICES): ApiAnswer {
  const parameters = new URLSearchParams(visit.form.get('back') ?? '');
  parameters.set('done', done);
  return answerRedirect(`${baseUrl}/rejected?${parameters}`);
}

function noneWhereGone(error: unknown): undefined {
  if (!(error instanceof NotRejectedError)) throw error;
}

function pageOf(parameters: URLSearchParams): number {
  const page = Number(parameters.get('page') ?? 1);
  return Number.isSafeInteger(page) ? page : 1;
}
