import { noteOperatorEntry } from '@takt/access';
import type { Database } from '@takt/database';
import { askQueue, type EventQueue, type QueueBackend, readJob, type StoredJob } from '@takt/events/internal';
import { LISTED_STATES, type ListedJob, type ListedState } from '@takt/events/view';
import type { ApiAnswer } from '@takt/http';
import { eventIdsIn } from '@takt/rejections';
import type { Logger } from '@takt/run';
import { concealFromLog, concealText, concealWords, readsAllOf } from '../concealed.js';
import { writeJobGone, writeStranger } from '../pages/error-pages.js';
import { type Site, writeMessagePage, writePage } from '../pages/frame.js';
import type { IdsOf } from '../sealed-ids.js';
import { answerHtml, answerRedirect, noticeOf, type PageRoute, type Person, type Visit } from '../visit.js';
import type { DashboardText } from '../words.js';
import { jobPage, MAX_LISTED, PAGE_SIZE, queuesPage } from './queue-pages.js';

interface QueuesDependencies {
  readonly pool: Database['pool'];
  readonly queues: readonly EventQueue[];
  readonly backend: QueueBackend;
  readonly idsOf: IdsOf;
  readonly baseUrl: string;
  readonly site: Site;
  readonly logger: Logger;
  /** Called after a queue was paused or resumed. */
  readonly onChange: () => void;
}

const NOTICES = {
  paused: 'pausedNotice',
  resumed: 'resumedNotice',
  taken: 'takenNowNotice',
  removed: 'removedNotice',
} as const satisfies Readonly<Record<string, DashboardText>>;

type Answer = (dependencies: QueuesDependencies, visit: Visit, person: Person) => Promise<ApiAnswer>;

/**
 * Makes the routes of the pages of the queues, for people who operate all companies. The pages offer only actions that
 * can be undone, or that affect one visible job. Emptying a queue is not offered because it would lose events; adding
 * or editing jobs is not offered because it would bypass validation.
 */
export function queueRoutes(dependencies: QueuesDependencies): readonly PageRoute[] {
  const forAll = (answer: Answer) => async (visit: Visit, person: Person) =>
    person.hasAllCompanies
      ? answer(dependencies, visit, person)
      : refuseStranger(dependencies, visit, person);
  return [
    { method: 'GET', path: '/queues', access: 'signed-in', answer: forAll(showQueues) },
    { method: 'GET', path: '/queues/job', access: ['read-production-times'], answer: forAll(showJob) },
    { method: 'POST', path: '/queues/pause', access: ['operate-queues'], answer: forAll(pause(true)) },
    { method: 'POST', path: '/queues/resume', access: ['operate-queues'], answer: forAll(pause(false)) },
    { method: 'POST', path: '/queues/take', access: ['operate-queues'], answer: forAll(changeJob('taken')) },
    {
      method: 'POST',
      path: '/queues/remove',
      access: ['operate-queues'],
      answer: forAll(changeJob('removed')),
    },
  ];
}

async function showQueues(
  { queues, backend, idsOf, site }: QueuesDependencies,
  visit: Visit,
  person: Person,
) {
  const { words, query } = visit;
  const { view } = backend;
  const ask = <Part>(queue: EventQueue, part: Promise<Part>) => askQueue(queue, 'listing jobs', part);
  const states = await Promise.all(
    queues.map(async (queue) => ({
      name: queue.name,
      counts: await ask(queue, view.countJobs(queue.name)),
      isPaused: await ask(queue, view.isPaused(queue.name)),
    })),
  );
  const shown = queues.find(({ name }) => name === query.get('queue')) ?? queues[0];
  const state: ListedState = LISTED_STATES.find((one) => one === query.get('state')) ?? 'waiting';
  const counts = states.find(({ name }) => name === shown?.name)?.counts;
  const pages = Math.max(1, Math.ceil(Math.min(counts?.[state] ?? 0, MAX_LISTED) / PAGE_SIZE));
  const page = Math.min(Math.max(1, Math.trunc(Number(query.get('page') ?? 1)) || 1), pages);
  const range = { offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE };
  const jobs = shown === undefined ? [] : await ask(shown, view.listJobs(shown.name, state, range));
  const content = queuesPage({
    states,
    queue: shown?.name ?? '',
    state,
    page,
    pages,
    base: site.base,
    words,
    jobs: await readableJobs(jobs, person, idsOf),
    mayOperate: person.mayOperate,
    notice: noticeOf(visit, NOTICES),
  });
  return answerHtml(writePage({ title: words.say('queues'), words, site, person, path: '/', content }));
}

const KILOBYTE = 1_000;

/**
 * Returns the jobs of a list as a person may see them. Where ids are sealed, sizes are rounded: from the rest of an event, an
 * exact one would tell how long a hidden value is.
 */
async function readableJobs(
  jobs: readonly ListedJob[],
  person: Person,
  idsOf: IdsOf,
): Promise<readonly ListedJob[]> {
  if (readsAllOf(undefined, person.duties)) return jobs;
  const { shown } = await idsOf(person);
  return jobs.map((job) => ({
    ...job,
    jobId: shown(job.jobId),
    name: concealWords(job.name, person.duties),
    bytes: Math.ceil(job.bytes / KILOBYTE) * KILOBYTE,
  }));
}

/** Finds the job that a form or an address names. Returns undefined if the job or its queue does not exist. */
async function findJob({ queues, idsOf }: QueuesDependencies, parameters: URLSearchParams, person: Person) {
  const queue = queues.find(({ name }) => name === parameters.get('queue'));
  const shownId = parameters.get('id') ?? '';
  const jobId = (await idsOf(person)).meant(shownId) ?? '';
  if (queue === undefined || jobId === '') return undefined;
  const [job, state] = await Promise.all([
    readJob({ queue, jobId }),
    askQueue(queue, 'the state of a job', queue.getJobState(jobId)),
  ]);
  return job && { queue, jobId, shownId, job, state };
}

const showJob: Answer = async (dependencies, visit, person) => {
  const { site } = dependencies;
  const { words } = visit;
  const found = await findJob(dependencies, visit.query, person);
  if (found === undefined) return answerHtml(writeJobGone({ site, person, words }), 404);
  const { queue, shownId, job, state } = found;
  const text = concealText(job.text, person.duties);
  const name = concealWords(job.name, person.duties);
  const readable = { ...job, name, key: { queue, jobId: shownId }, text };
  const content = jobPage({ job: readable, state, base: site.base, words, mayOperate: person.mayOperate });
  return answerHtml(writePage({ title: words.say('job'), words, site, person, path: '/', content }));
};

const pause =
  (isPaused: boolean): Answer =>
  async ({ pool, queues, baseUrl, logger, onChange }, { form }, { token, pid, name: person }) => {
    const queue = queues.find(({ name }) => name === form.get('queue'));
    const done = isPaused ? 'paused' : 'resumed';
    if (queue !== undefined) {
      const what = isPaused ? 'pausing' : 'resuming';
      await askQueue(queue, what, isPaused ? queue.pause() : queue.resume());
      onChange();
      logger.info({ pid, person, queue: queue.name, isPaused }, `a queue was ${done}`);
      await noteOperatorEntry(pool, token, {
        action: `queue-${done}`,
        subject: `queue ${queue.name}`,
        details: {},
      });
    }
    return answerRedirect(`${baseUrl}/queues?${new URLSearchParams({ queue: queue?.name ?? '', done })}`);
  };

const changeJob =
  (done: 'taken' | 'removed'): Answer =>
  async (dependencies, visit, person) => {
    const { site, baseUrl, logger } = dependencies;
    const { words, form } = visit;
    const found = await findJob(dependencies, form, person);
    if (found === undefined) {
      return answerHtml(writeJobGone({ site, person, words }), 404);
    }
    const { queue, jobId } = found;
    if (!(await (done === 'removed' ? removeJob(found) : promoteJob(found)))) {
      const page = { title: words.say('refused'), words, site, person };
      return answerHtml(writeMessagePage(page, words.say('jobTaken')), 409);
    }
    logger.info({ pid: person.pid, person: person.name, queue: queue.name, jobId }, `a job was ${done}`);
    const subject = `${queue.name}/${jobId}`;
    const details = describeEvents(found.job);
    await noteOperatorEntry(dependencies.pool, person.token, { action: `job-${done}`, subject, details });
    return answerRedirect(`${baseUrl}/queues?${new URLSearchParams({ queue: queue.name, done })}`);
  };

type FoundJob = NonNullable<Awaited<ReturnType<typeof findJob>>>;

/** Returns false if a worker was faster. */
async function removeJob({ queue, jobId }: FoundJob): Promise<boolean> {
  return (await askQueue(queue, 'removing a job', queue.remove(jobId))) === 1;
}

/** Lets workers take a delayed or failed job now. Returns false if the job is neither, or not any more. */
async function promoteJob({ queue, jobId, state }: FoundJob): Promise<boolean> {
  if (state !== 'delayed' && state !== 'failed') return false;
  const job = await askQueue(queue, 'reading a job', queue.getJob(jobId));
  if (job === undefined) return false;
  const promoted =
    state === 'delayed'
      ? job.promote()
      : job.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true });
  await askQueue(queue, 'promoting a job', promoted);
  return true;
}

/** Maximum number and length of the event ids that an entry of the audit log contains. */
const MAX_NOTED_IDS = 20;
const MAX_ID_LENGTH = 255;
/** The characters that PostgreSQL cannot store. With the flag u, the range matches only lone surrogates. */
const UNSTORABLE = /[\0\ud800-\udfff]/gu;

/**
 * Describes the events of a job for the audit log: their number, and the CloudEvents ids of the first of them. After a
 * job was removed, nothing else names its events. An id is cut first, because the cut may leave a lone surrogate.
 */
function describeEvents({ text }: StoredJob): Readonly<Record<string, unknown>> {
  const ids = eventIdsIn(text);
  const noted = ids
    .slice(0, MAX_NOTED_IDS)
    .map((id) => id && concealFromLog(id).slice(0, MAX_ID_LENGTH).replace(UNSTORABLE, '\ufffd'));
  return { events: ids.length, ids: noted };
}

function refuseStranger({ site }: QueuesDependencies, { words }: Visit, person: Person): ApiAnswer {
  return answerHtml(writeStranger({ site, person, words, path: '/' }), 403);
}
