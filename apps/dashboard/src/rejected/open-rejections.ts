import type { Database } from '@takt/database';
import {
  companyIn,
  NotRejectedError,
  openRejectedEvents,
  openRejectionOverview,
  type RejectedEvents,
  type RejectionOverview,
  UnreadableJobError,
} from '@takt/database/rejected-events';
import { describeProblems, type EventQueue, parseEvent, type QueueBackend } from '@takt/events';
import type { ApiAnswer } from '@takt/http';
import type { Markup } from '@takt/pages';
import type { Logger } from '@takt/run';
import { writeGone } from '../pages/error-pages.js';
import { type DashboardPage, writeMessagePage, writePage } from '../pages/frame.js';
import {
  answerHtml,
  answerRedirect,
  maySee,
  noticeOf,
  type PageRoute,
  type People,
  type Person,
  type Visit,
} from '../visit.js';
import type { DashboardText, Words } from '../words.js';
import { confirmationPage, runPage } from './bulk-pages.js';
import { type BulkAction, openBulkRuns, openVisibility } from './bulk-runs.js';
import { eventPage } from './event-page.js';
import { meets, readFilter } from './filter.js';
import { rejectedListPage } from './list-page.js';

export interface RejectionsPlace {
  readonly pool: Database['pool'];
  readonly queues: readonly EventQueue[];
  readonly backend: QueueBackend;
  readonly people: People;
  readonly baseUrl: string;
  readonly base: string;
  readonly logger: Logger;
}

export interface Rejections {
  readonly routes: readonly PageRoute[];
  readonly overview: RejectionOverview;
  /** Runs changes while no worker moves events from queue to database. */
  readonly changing: RejectedEvents['changing'];
  close(): void;
}

/** An event is smaller than 1 MB; a form writes most signs of JSON as three. */
const MAX_CORRECTION_BYTES = 4_000_000;
/** So long a page waits for the end of a run before it shows how far that has come. */
const RUN_PATIENCE_MS = 1_500;

const NOTICES = {
  corrected: 'correctedNotice',
  retried: 'retriedNotice',
  discarded: 'discardedNotice',
} as const satisfies Readonly<Record<string, DashboardText>>;

/** What the pages work with. */
interface Room extends Pick<RejectionsPlace, 'people' | 'baseUrl' | 'base' | 'logger'> {
  readonly rejected: RejectedEvents;
  readonly overview: RejectionOverview;
  readonly visibility: ReturnType<typeof openVisibility>;
  readonly runs: ReturnType<typeof openBulkRuns>;
}

type Answer = (room: Room, visit: Visit, person: Person) => Promise<ApiAnswer>;

/** The pages of rejected events, and what changes them. */
export function openRejections(place: RejectionsPlace): Rejections {
  const { pool, queues, backend, people, logger } = place;
  const opened = openRejectedEvents(pool, queues);
  const overview = openRejectionOverview({ pool, queues, failedJobs: backend.view });
  // The first who looks is not to wait until ten thousand have been read.
  overview.read().catch((error: unknown) => logger.warn({ error }, 'rejected events could not be read'));
  const rejected: RejectedEvents = {
    ...opened,
    changing: (work) => opened.changing(work).finally(overview.expire),
  };
  const visibility = openVisibility(rejected);
  const runs = openBulkRuns({ rejected, people, visibility, logger });
  return {
    overview,
    changing: rejected.changing,
    close: runs.close,
    routes: routesOf({ ...place, rejected, overview, visibility, runs }),
  };
}

function routesOf(room: Room): readonly PageRoute[] {
  const answered = (answer: Answer) => (visit: Visit, person: Person) => answer(room, visit, person);
  const operate = 'operate-queues' as const;
  return [
    { method: 'GET', path: '/rejected', access: 'signed-in', answer: answered(showList) },
    { method: 'GET', path: '/rejected/event', access: 'signed-in', answer: answered(showEvent) },
    {
      ...{ method: 'POST', path: '/rejected/correct', access: operate },
      maxFormBytes: MAX_CORRECTION_BYTES,
      answer: answered(orErrorPage(correct)),
    },
    {
      ...{ method: 'POST', path: '/rejected/retry', access: operate },
      answer: answered(orErrorPage(changeOne('retry', 'retried'))),
    },
    {
      ...{ method: 'POST', path: '/rejected/discard', access: operate },
      answer: answered(orErrorPage(changeOne('discard', 'discarded'))),
    },
    { method: 'GET', path: '/rejected/bulk', access: operate, answer: answered(confirm) },
    { method: 'POST', path: '/rejected/bulk', access: operate, answer: answered(beginRun) },
    { method: 'GET', path: '/rejected/run', access: operate, answer: answered(showRun) },
  ];
}

async function showList(
  { overview, visibility, base }: Room,
  visit: Visit,
  person: Person,
): Promise<ApiAnswer> {
  const snapshot = await overview.read();
  const visible = visibility.ofFacts(person, snapshot.events);
  const content = rejectedListPage({
    visible,
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
  const events = await visibility.find(person, id).catch(noneWhereGone);
  if (events === undefined) return notThere({ base, person, visit });
  const back = visit.query.get('back') ?? '';
  const content = eventPage({
    ...{ id, events, base, back, words: visit.words, mayOperate: person.mayOperate },
  });
  return answerPage({ base, person, visit }, 'rejectedEvent', content);
}

async function correct(room: Room, visit: Visit, person: Person): Promise<ApiAnswer> {
  const { rejected, visibility, people, base, logger } = room;
  const [id, text] = [visit.form.get('id') ?? '', visit.form.get('event') ?? ''];
  const events = await visibility.find(person, id).catch(noneWhereGone);
  if (events === undefined) return notThere({ base, person, visit });
  const read = readCorrection(text, { person, words: visit.words }, await people.registeredCompanies());
  if ('problems' in read) {
    const back = visit.form.get('back') ?? '';
    const refused = { text, problems: read.problems };
    const content = eventPage({ id, events, base, back, words: visit.words, mayOperate: true, refused });
    return answerPage({ base, person, visit }, 'rejectedEvent', content, { status: 400 });
  }
  await rejected.changing(() => rejected.correct(id, read.event));
  logger.info({ ...whoOf(person), action: 'correct', id }, 'a rejected event was corrected');
  return backToList(room, visit, 'corrected');
}

const changeOne =
  (action: BulkAction, done: keyof typeof NOTICES): Answer =>
  async (room, visit, person) => {
    const { rejected, visibility, base, logger } = room;
    const id = visit.form.get('id') ?? '';
    const events = await visibility.find(person, id).catch(noneWhereGone);
    if (events === undefined) return notThere({ base, person, visit });
    const count = await rejected.changing(() => rejected[action](id));
    logger.info({ ...whoOf(person), action, id, count }, `a rejected event was ${done}`);
    return backToList(room, visit, done);
  };

/** Answers where somebody was faster, or where a job cannot be read, rather than failing. */
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

async function confirm(room: Room, visit: Visit, person: Person): Promise<ApiAnswer> {
  const { base } = room;
  const action = actionOf(visit.query);
  const filter = readFilter(visit.query);
  const meant = await findMeant(room, person, filter);
  // By the clock that stamped them; the newest that has a time stands first.
  const untilMs = meant.find(({ rejectedAtMs }) => rejectedAtMs > 0)?.rejectedAtMs ?? Date.now();
  if (action === undefined || meant.length === 0) return notThere({ base, person, visit });
  const content = confirmationPage({
    ...{ action, filter, count: meant.length, untilMs, base, words: visit.words },
  });
  return answerPage({ base, person, visit }, 'confirm', content);
}

async function beginRun(room: Room, visit: Visit, person: Person): Promise<ApiAnswer> {
  const { base, baseUrl, logger, runs } = room;
  const [action, until] = [actionOf(visit.form), Number(visit.form.get('until') ?? Number.NaN)];
  if (action === undefined || !Number.isFinite(until)) return notThere({ base, person, visit });
  const filter = readFilter(visit.form);
  const meant = (await findMeant(room, person, filter)).filter((event) => !(event.rejectedAtMs > until));
  const ids = [...new Set(meant.map(({ id }) => id))];
  const run = runs.begin(person, action, ids);
  if (run === undefined) {
    const { words } = visit;
    const page = { title: words.say('busy'), words, base, person };
    return answerHtml(writeMessagePage(page, words.say('otherRun')), 409);
  }
  const fields = Object.fromEntries(filter.fields);
  logger.info(
    { ...whoOf(person), action, run: run.id, events: ids.length, filter: fields },
    'changing many rejected events',
  );
  await runs.settled(run.id, RUN_PATIENCE_MS);
  return answerRedirect(`${baseUrl}/rejected/run?id=${run.id}`);
}

async function showRun({ runs, base }: Room, visit: Visit, person: Person): Promise<ApiAnswer> {
  const run = runs.find(visit.query.get('id') ?? '');
  if (run === undefined || run.pid !== person.pid) return notThere({ base, person, visit });
  const content = runPage(run, base, visit.words);
  return answerPage({ base, person, visit }, 'rejectedEvents', content, { isLive: true });
}

/** What a filter means at this moment, of what the person may see. */
async function findMeant(
  { overview, visibility }: Room,
  person: Person,
  filter: ReturnType<typeof readFilter>,
) {
  overview.expire();
  const { events } = await overview.read();
  return visibility.ofFacts(person, events).filter((event) => meets(event, filter));
}

/** The visit and its person, and where the links of the answer begin. */
interface Asked {
  readonly base: string;
  readonly person: Person;
  readonly visit: Visit;
}

function answerPage(
  { base, person, visit: { words } }: Asked,
  title: DashboardText,
  content: Markup,
  { status, ...more }: Partial<DashboardPage> & Partial<Pick<ApiAnswer, 'status'>> = {},
): ApiAnswer {
  const page = { title: words.say(title), words, base, person, path: '/rejected', content };
  return answerHtml(writePage({ ...page, ...more }), status);
}

function notThere({ base, person, visit: { words } }: Asked): ApiAnswer {
  return answerHtml(writeGone({ base, person, words }), 404);
}

/** A change leads back to the list that it came from. */
function backToList({ baseUrl }: Room, visit: Visit, done: keyof typeof NOTICES): ApiAnswer {
  const parameters = new URLSearchParams(visit.form.get('back') ?? '');
  parameters.set('done', done);
  return answerRedirect(`${baseUrl}/rejected?${parameters}`);
}

function noneWhereGone(error: unknown): undefined {
  if (!(error instanceof NotRejectedError)) throw error;
}

function whoOf({ pid, name }: Person) {
  return { pid, person: name };
}

function pageOf(parameters: URLSearchParams): number {
  const page = Number(parameters.get('page') ?? 1);
  return Number.isSafeInteger(page) ? page : 1;
}

function actionOf(parameters: URLSearchParams): BulkAction | undefined {
  const action = parameters.get('action');
  return action === 'retry' || action === 'discard' ? action : undefined;
}

type Correction = { readonly event: unknown } | { readonly problems: readonly string[] };

/** What was typed in place of an event, or why it would be rejected again. */
function readCorrection(
  text: string,
  { person, words }: { readonly person: Person; readonly words: Words },
  registered: ReadonlySet<string>,
): Correction {
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch (error) {
    return { problems: [words.say('noJson', error instanceof Error ? error.message : String(error))] };
  }
  const result = parseEvent(event);
  if (!result.ok) return { problems: result.problems.map((problem) => describeProblems([problem])) };
  const company = companyIn(event) ?? '';
  if (!registered.has(company)) {
    return { problems: [`data.database must be the code of a registered company (got "${company}")`] };
  }
  // Else who works for one company could write into another.
  if (!maySee(person, company)) {
    return { problems: [`data.database must be one of your companies (got "${company}")`] };
  }
  return { event };
}
