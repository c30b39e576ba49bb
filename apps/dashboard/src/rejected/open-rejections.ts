import type { Database } from '@takt/database';
import { describeProblems, type EventQueue, parseEvent, type QueueBackend } from '@takt/events';
import type { ApiAnswer } from '@takt/http';
import type { Markup } from '@takt/pages';
import {
  companyIn,
  NotRejectedError,
  openRejectedEvents,
  openRejectionOverview,
  type RejectedEvents,
  type RejectionOverview,
  UnreadableJobError,
} from '@takt/rejected-events';
import type { Logger } from '@takt/runtime';
import { type DashboardPage, writeMessagePage, writePage } from '../pages/frame.js';
import { writeGone } from '../pages/refusals.js';
import {
  answerHtml,
  answerRedirect,
  maySee,
  type PageRoute,
  type People,
  type Person,
  type Visit,
} from '../visit.js';
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

const NOTICES: Readonly<Record<string, string>> = {
  corrected: 'The corrected event was sent to its queue. If a rule is still broken it comes back here.',
  retried: 'The event was put back into its queue. If a rule is still broken it comes back here.',
  discarded: 'The event was discarded.',
};

/** The pages of rejected events, and what changes them. */
export function openRejections(place: RejectionsPlace): Rejections {
  const { pool, queues, backend, people, baseUrl, base, logger } = place;
  const rejected = openRejectedEvents(pool, queues);
  const overview = openRejectionOverview({ pool, queues, failedJobs: backend.view });
  // The first who looks is not to wait until ten thousand have been read.
  overview.read().catch((error: unknown) => logger.warn({ error }, 'rejected events could not be read'));
  const visibility = openVisibility(rejected);
  const changing: RejectedEvents['changing'] = (work) => rejected.changing(work).finally(overview.expire);
  const runs = openBulkRuns({ rejected: { ...rejected, changing }, people, visibility, logger });

  /** For what is decided on now. */
  const readNow = () => {
    overview.expire();
    return overview.read();
  };

  const page = (person: Person, title: string, content: Markup, more: Partial<DashboardPage> = {}) =>
    writePage({ title, base, person, path: '/rejected', content, ...more });

  const showList = async (visit: Visit, person: Person): Promise<ApiAnswer> => {
    const done = NOTICES[visit.query.get('done') ?? ''];
    const snapshot = await overview.read();
    const content = rejectedListPage({
      visible: visibility.ofFacts(person, snapshot.events),
      isCut: snapshot.isCut,
      filter: readFilter(visit.query),
      page: pageOf(visit.query),
      base,
      mayOperate: person.mayOperate,
      hasAllCompanies: person.hasAllCompanies,
      notice: done,
    });
    return answerHtml(page(person, 'Rejected events', content));
  };

  const notThere = (person: Person) => answerHtml(writeGone({ base, person }), 404);

  const showEvent = async (visit: Visit, person: Person): Promise<ApiAnswer> => {
    const id = visit.query.get('id') ?? '';
    const events = await visibility.find(person, id).catch(noneWhereGone);
    if (events === undefined) return notThere(person);
    const back = visit.query.get('back') ?? '';
    const content = eventPage({ id, events, base, back, mayOperate: person.mayOperate });
    return answerHtml(page(person, 'Rejected event', content));
  };

  /** Where a change leads: back to the list that it came from. */
  const backToList = (visit: Visit, done: string) => {
    const parameters = new URLSearchParams(visit.form.get('back') ?? '');
    parameters.set('done', done);
    return answerRedirect(`${baseUrl}/rejected?${parameters}`);
  };

  const correct = async (visit: Visit, person: Person): Promise<ApiAnswer> => {
    const [id, text] = [visit.form.get('id') ?? '', visit.form.get('event') ?? ''];
    const events = await visibility.find(person, id).catch(noneWhereGone);
    if (events === undefined) return notThere(person);
    const read = readCorrection(text, person, await people.registeredCompanies());
    if ('problems' in read) {
      const back = visit.form.get('back') ?? '';
      const refused = { text, problems: read.problems };
      const content = eventPage({ id, events, base, back, mayOperate: true, refused });
      return answerHtml(page(person, 'Rejected event', content), 400);
    }
    await changing(() => rejected.correct(id, read.event));
    logger.info({ ...whoOf(person), action: 'correct', id }, 'a rejected event was corrected');
    return backToList(visit, 'corrected');
  };

  const changeOne =
    (action: BulkAction, done: string) =>
    async (visit: Visit, person: Person): Promise<ApiAnswer> => {
      const id = visit.form.get('id') ?? '';
      if ((await visibility.find(person, id).catch(noneWhereGone)) === undefined) return notThere(person);
      const count = await changing(() => rejected[action](id));
      logger.info({ ...whoOf(person), action, id, count }, `a rejected event was ${done}`);
      return backToList(visit, done);
    };

  /** Answers where somebody was faster, or where a job cannot be read, rather than failing. */
  const orRefusal =
    (change: (visit: Visit, person: Person) => Promise<ApiAnswer>) =>
    async (visit: Visit, person: Person) => {
      try {
        return await change(visit, person);
      } catch (error) {
        if (error instanceof NotRejectedError) return notThere(person);
        if (!(error instanceof UnreadableJobError)) throw error;
        const message = 'The job cannot be read and so not be retried: discard it.';
        return answerHtml(writeMessagePage({ title: 'Refused', base, person }, message), 409);
      }
    };

  const confirm = async (visit: Visit, person: Person): Promise<ApiAnswer> => {
    const action = actionOf(visit.query);
    const filter = readFilter(visit.query);
    const { events } = await readNow();
    const meant = visibility.ofFacts(person, events).filter((event) => meets(event, filter));
    // By the clock that stamped them; the newest that has a time stands first.
    const untilMs = meant.find(({ rejectedAtMs }) => rejectedAtMs > 0)?.rejectedAtMs ?? Date.now();
    if (action === undefined || meant.length === 0) return notThere(person);
    const content = confirmationPage({ action, filter, count: meant.length, untilMs, base });
    return answerHtml(page(person, 'Confirm', content));
  };

  const beginRun = async (visit: Visit, person: Person): Promise<ApiAnswer> => {
    const [action, until] = [actionOf(visit.form), Number(visit.form.get('until') ?? Number.NaN)];
    if (action === undefined || !Number.isFinite(until)) return notThere(person);
    const filter = readFilter(visit.form);
    const { events } = await readNow();
    const meant = visibility
      .ofFacts(person, events)
      .filter((event) => meets(event, filter) && !(event.rejectedAtMs > until));
    const ids = [...new Set(meant.map(({ id }) => id))];
    const run = runs.begin(person, action, ids);
    if (run === undefined) {
      const message =
        'Somebody else is changing many rejected events at this moment, so nothing was done. Try again later.';
      return answerHtml(writeMessagePage({ title: 'Busy', base, person }, message), 409);
    }
    logger.info(
      {
        ...whoOf(person),
        action,
        run: run.id,
        events: ids.length,
        filter: Object.fromEntries(filter.fields),
      },
      'changing many rejected events',
    );
    await runs.settled(run.id, RUN_PATIENCE_MS);
    return answerRedirect(`${baseUrl}/rejected/run?id=${run.id}`);
  };

  const showRun = async (visit: Visit, person: Person): Promise<ApiAnswer> => {
    const run = runs.find(visit.query.get('id') ?? '');
    if (run === undefined || run.pid !== person.pid) return notThere(person);
    return answerHtml(page(person, 'Many events', runPage(run, base), { isLive: true }));
  };

  const operate = 'operate-queues' as const;
  return {
    overview,
    changing,
    close: runs.close,
    routes: [
      { method: 'GET', path: '/rejected', access: 'signed-in', answer: showList },
      { method: 'GET', path: '/rejected/event', access: 'signed-in', answer: showEvent },
      {
        ...{ method: 'POST', path: '/rejected/correct', access: operate },
        maxFormBytes: MAX_CORRECTION_BYTES,
        answer: orRefusal(correct),
      },
      {
        method: 'POST',
        path: '/rejected/retry',
        access: operate,
        answer: orRefusal(changeOne('retry', 'retried')),
      },
      {
        ...{ method: 'POST', path: '/rejected/discard', access: operate },
        answer: orRefusal(changeOne('discard', 'discarded')),
      },
      { method: 'GET', path: '/rejected/bulk', access: operate, answer: confirm },
      { method: 'POST', path: '/rejected/bulk', access: operate, answer: beginRun },
      { method: 'GET', path: '/rejected/run', access: operate, answer: showRun },
    ],
  };
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
function readCorrection(text: string, person: Person, registered: ReadonlySet<string>): Correction {
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch (error) {
    return { problems: [`The text is no JSON: ${error instanceof Error ? error.message : String(error)}`] };
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
