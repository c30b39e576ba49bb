import { noteOperatorEntry } from '@takt/access';
import type { Database } from '@takt/database';
import { type EventQueue, eventFieldPaths } from '@takt/events/internal';
import type { ApiAnswer } from '@takt/http';
import type { Markup } from '@takt/pages';
import {
  countRejections,
  countRules,
  eventOf,
  findRejection,
  groupByRule,
  isPlace,
  isWaiting,
  listRefusals,
  listRejectionIds,
  listRejections,
  listValues,
  RefusedCorrectionError,
  type Rejection,
  type RejectionFilter,
  type Resolution,
  resolveRejections,
  undoResolution,
} from '@takt/rejections';
import type { Logger } from '@takt/run';
import { concealText } from '../concealed.js';
import { writeGone } from '../pages/error-pages.js';
import { type DashboardPage, type Site, writeMessagePage, writePage } from '../pages/frame.js';
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
import type { DashboardText } from '../words.js';
import { confirmationPage, runPage } from './bulk-pages.js';
import { AUDITED, type BulkRuns, type BulkTask, MAY_CORRECT, openBulkRuns, ownerOf } from './bulk-runs.js';
import { findProblemsFor, readCorrection } from './correction.js';
import { isCorrectable } from './correction-fields.js';
import { eventPage } from './event-page.js';
import { type EventFigures, figuresOf, readFigures, writeFigures } from './figures-link.js';
import { NONE, ONLY_SELECTED, readFilter, readId } from './filter.js';
import { CHOICES, PAGE_SIZE, rejectedListPage, SHOWN_GROUPS } from './list-page.js';
import { readable, readerOf } from './reader.js';
import { SHOWN_REFUSALS } from './refusals-section.js';
import { resolvedPage } from './resolved-page.js';

interface RejectionsDependencies {
  readonly pool: Database['pool'];
  readonly queues: readonly EventQueue[];
  readonly people: People;
  readonly baseUrl: string;
  readonly site: Site;
  readonly logger: Logger;
}

interface Context extends RejectionsDependencies {
  readonly runs: BulkRuns;
}

type Answer = (context: Context, visit: Visit, person: Person) => Promise<ApiAnswer>;

/**
 * Maximum size in bytes of a posted correction. An event is smaller than 1 MB, and a form encodes most of JSON's
 * punctuation as three characters.
 */
const MAX_CORRECTION_BYTES = 4_000_000;
/** Time that a page waits for the end of a run. If the run takes longer, the page shows its progress. */
const RUN_PATIENCE_MS = 1_500;
const RESOLVED_ROWS = 50;
const MAX_VALUE_CHARACTERS = 400;
/** Maximum number of choices in a filter, because producers may use any number of sources. */
const MAX_CHOICES = 200;

const NOTICES = {
  corrected: 'correctedNotice',
  retried: 'retriedNotice',
  discarded: 'discardedNotice',
} as const satisfies Readonly<Record<string, DashboardText>>;
const UNDO_NOTICES = { restored: 'restoredNotice', taken: 'takenNotice' } as const;

/** Opens the pages of rejected events and the actions on these events. */
export function openRejections(dependencies: RejectionsDependencies): {
  readonly routes: readonly PageRoute[];
  close(): Promise<void>;
} {
  const runs = openBulkRuns(dependencies);
  const context = { ...dependencies, runs };
  const route = (method: 'GET' | 'POST', path: string, access: PageRoute['access'], answer: Answer) => ({
    method,
    path,
    access: access as Exclude<PageRoute['access'], 'everybody'>,
    answer: (visit: Visit, person: Person) => answer(context, visit, person),
  });
  const read = ['read-production-times'] as const;
  return {
    close: runs.close,
    routes: [
      route('GET', '/rejected', read, showList),
      route('GET', '/rejected/event', read, showEvent),
      { ...route('POST', '/rejected/correct', MAY_CORRECT, correct), maxFormBytes: MAX_CORRECTION_BYTES },
      route('POST', '/rejected/retry', MAY_CORRECT, changeOne('retry', 'retried')),
      route('POST', '/rejected/discard', MAY_CORRECT, changeOne('discard', 'discarded')),
      route('GET', '/rejected/bulk', MAY_CORRECT, confirmRun),
      route('POST', '/rejected/bulk', MAY_CORRECT, beginRun),
      route('GET', '/rejected/run', MAY_CORRECT, showRun),
      route('GET', '/rejected/resolved', read, showResolved),
      route('POST', '/rejected/run/undo', MAY_CORRECT, undoRun),
      route('POST', '/rejected/undo', MAY_CORRECT, undo),
    ],
  };
}

const showList: Answer = async ({ pool, site }, visit, person) => {
  const { query, words } = visit;
  const reader = readerOf(person);
  const filter = readFilter(query);
  const behind = placeIn(query, 'before');
  const ahead = placeIn(query, 'after');
  const found = { filter, reader };
  const values = (field: (typeof CHOICES)[number]) => listValues(pool, field, { limit: MAX_CHOICES, reader });
  const [all, total, count, groups, rules, refusals, listed, ...choices] = await Promise.all([
    reader.companies === undefined ? undefined : countRejections(pool),
    countRejections(pool, { reader }),
    countRejections(pool, found),
    groupByRule(pool, { ...found, limit: SHOWN_GROUPS }),
    countRules(pool, found),
    listRefusals(pool, { companies: reader.companies, limit: SHOWN_REFUSALS }),
    // One event more than a page shows whether there is another page.
    ahead === undefined
      ? listRejections(pool, { ...found, limit: PAGE_SIZE + 1, ...(behind !== undefined && { behind }) })
      : listRejections(pool, { ...found, limit: PAGE_SIZE + 1, behind: ahead, oldestFirst: true }),
    ...CHOICES.map(values),
  ]);
  const page = listed.slice(0, PAGE_SIZE);
  const hasMore = listed.length > PAGE_SIZE;
  const content = rejectedListPage({
    events: (ahead === undefined ? page : page.toReversed()).map((one) => readable(person, one, words)),
    newer: ahead === undefined ? behind !== undefined : hasMore,
    older: ahead === undefined ? hasMore : true,
    total,
    count,
    hidden: (all ?? total) - total,
    groups,
    rules,
    refusals,
    choices: new Map(
      CHOICES.map((field, index) => [field, (choices[index] ?? []).map((one) => one ?? NONE)]),
    ),
    filter,
    ...site,
    words,
    mayOperate: person.mayOperate,
    notice: noticeOf(visit, NOTICES),
    figures: readFigures(query),
    isDiscarded: query.get('done') === 'discarded',
  });
  return answerPage(site, person, visit, 'rejectedEvents', content);
};

function placeIn(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name) ?? '';
  return isPlace(text) ? text : undefined;
}

async function find({ pool }: Context, person: Person, parameters: URLSearchParams) {
  const id = readId(parameters.get('id'));
  return id === undefined ? undefined : findRejection(pool, id, { reader: readerOf(person) });
}

const showEvent: Answer = async (context, visit, person) => {
  const { site } = context;
  const found = await find(context, person, visit.query);
  if (found === undefined) return notThere(site, person, visit);
  return answerEvent(context, visit, person, { found, back: visit.query.get('back') ?? '' });
};

interface ShownEvent {
  readonly found: Rejection;
  readonly back: string;
  readonly refused?: { readonly form: URLSearchParams; readonly problems: readonly string[] };
}

function answerEvent(
  { site }: Context,
  visit: Visit,
  person: Person,
  { found, back, refused }: ShownEvent,
): ApiAnswer {
  const { words } = visit;
  const { mayOperate } = person;
  const rejection = readable(person, found, words);
  const content = eventPage({
    rejection,
    shown: eventOf(rejection.data),
    isForm: isCorrectable(eventOf(found.data)),
    ...site,
    back,
    words,
    mayOperate,
    refused,
  });
  return answerPage(site, person, visit, 'rejectedEvent', content, { status: refused ? 400 : 200 });
}

const correct: Answer = async (context, visit, person) => {
  const { people, site } = context;
  const { form, words } = visit;
  const found = await find(context, person, form);
  if (found === undefined) return notThere(site, person, visit);
  const registered = await people.registeredCompanies();
  let sent: unknown;
  const decide = ({ data }: Rejection): Resolution => {
    const corrected = readCorrection(form, { original: eventOf(data), person, registered, words });
    const problems = findProblemsFor(person, corrected, registered, words);
    if (problems.length > 0) throw new RefusedCorrectionError(problems);
    sent = corrected;
    return { corrected: corrected as object };
  };
  const [outcome] = await resolveOne(context, person, found.id, 'correct', decide);
  if (outcome?.kind === 'refused') {
    const refused = { form, problems: outcome.error.problems };
    return answerEvent(context, visit, person, { found, back: form.get('back') ?? '', refused });
  }
  if (outcome?.kind !== 'done') return notThere(site, person, visit);
  return backToList(context, visit, 'corrected', readableFigures(person, sent));
};

/** Returns the figures of an event, unless the person may not see which these are. */
function readableFigures({ duties }: Person, event: unknown): EventFigures | undefined {
  return figuresOf(eventOf(concealText(JSON.stringify(event), duties)));
}

/** Resolves one event. The change writes its entry of the audit log in its own transaction. */
function resolveOne(
  { pool, queues, logger }: Context,
  person: Person,
  id: number,
  action: keyof typeof AUDITED,
  decide: (rejection: Rejection) => Resolution,
) {
  const { token, pid, name } = person;
  const mayDecide = (rejection: Rejection) =>
    maySee(person, rejection.company) ? decide(rejection) : undefined;
  return resolveRejections({ pool, queues }, [id], mayDecide, {
    by: name,
    note: async (session) => {
      logger.info({ pid, person: name, action, id }, 'a rejected event is changed');
      await noteOperatorEntry(session, token, { action: AUDITED[action], subject: String(id), details: {} });
    },
  });
}

const changeOne =
  (action: 'retry' | 'discard', done: keyof typeof NOTICES): Answer =>
  async (context, visit, person) => {
    const found = await find(context, person, visit.form);
    const [outcome] = found ? await resolveOne(context, person, found.id, action, () => action) : [];
    if (found === undefined || outcome?.kind !== 'done') return notThere(context.site, person, visit);
    const figures = action === 'retry' ? readableFigures(person, eventOf(found.data)) : undefined;
    return backToList(context, visit, done, figures);
  };

/** Redirects to the list, which then shows a message about the change, with a link to the figures that it changes. */
function backToList(
  { baseUrl }: Context,
  visit: Visit,
  done: keyof typeof NOTICES,
  figures?: EventFigures,
): ApiAnswer {
  const parameters = new URLSearchParams(visit.form.get('back') ?? '');
  const shown = { done, ...(figures && writeFigures(figures)) };
  for (const [name, value] of Object.entries(shown)) parameters.set(name, value);
  return answerRedirect(`${baseUrl}/rejected?${parameters}`);
}

/** Answers with the page that asks for confirmation before many events are changed. */
const confirmRun: Answer = async ({ pool, site }, visit, person) => {
  const action = visit.query.get('action');
  const filter = readFilter(visit.query);
  if (visit.query.has(ONLY_SELECTED) && filter.ids === undefined) return noneSelected(site, person, visit);
  const options = { filter, reader: readerOf(person) };
  const isKnown = action === 'retry' || action === 'discard' || action === 'correct';
  const [count, [newest], [group]] = isKnown
    ? await Promise.all([
        countRejections(pool, options),
        listRejections(pool, { ...options, limit: 1 }),
        groupByRule(pool, { ...options, limit: 1 }),
      ])
    : [0, [], []];
  if (!isKnown || newest === undefined) return notThere(site, person, visit);
  // The limit is the time of the newest event, by the clock that rejected the events.
  const until = newest.place.split('_')[0] ?? '';
  const field = group?.problems?.[0]?.field;
  const content = confirmationPage({
    action,
    filter,
    count,
    until,
    field,
    base: site.base,
    words: visit.words,
  });
  return answerPage(site, person, visit, 'confirm', content);
};

/** Starts a run that changes the events that match a filter, or that corrects the events of a check. */
const beginRun: Answer = async (context, visit, person) => {
  const { pool, runs, site } = context;
  const { form } = visit;
  const checked = form.get('checked');
  if (checked !== null) {
    const run = runs.find(checked);
    if (run?.task.action !== 'try' || run.owner !== ownerOf(person)) return notThere(site, person, visit);
    const task = { action: 'correct', correction: run.task.correction } as const;
    return begin(context, visit, person, { task, ids: run.ids, filter: run.filter });
  }
  const task = taskOf(form);
  const until = form.get('until') ?? '';
  if (task === undefined || !isPlace(`${until}_1`)) return notThere(site, person, visit);
  const filter: RejectionFilter = { ...readFilter(form), until };
  const ids = await listRejectionIds(pool, { filter, reader: readerOf(person) });
  if (ids.length === 0) return notThere(site, person, visit);
  // The text is left out, because it may be a value that another session of the person may not read.
  const { text: _text, ...shown } = filter;
  return begin(context, visit, person, { task, ids, filter: shown });
};

interface Order {
  readonly task: BulkTask;
  readonly ids: readonly number[];
  readonly filter: RejectionFilter;
}

async function begin(
  { site, baseUrl, runs }: Context,
  { words }: Visit,
  person: Person,
  order: Order,
): Promise<ApiAnswer> {
  const run = runs.begin(person, words, order);
  if (run === undefined) {
    const page = { title: words.say('busy'), words, site, person };
    return answerHtml(writeMessagePage(page, words.say('otherRun')), 409);
  }
  await runs.settled(run.id, RUN_PATIENCE_MS);
  return answerRedirect(`${baseUrl}/rejected/run?id=${run.id}`);
}

const showRun: Answer = async ({ runs, pool, queues, site }, visit, person) => {
  const run = runs.find(visit.query.get('id') ?? '');
  if (run === undefined || run.owner !== ownerOf(person)) return notThere(site, person, visit);
  const hasUndo = run.task.action !== 'correct' || (await canUndoSome(pool, queues, run.id));
  const content = runPage({ run, person, hasUndo, base: site.base, words: visit.words });
  return answerPage(site, person, visit, 'rejectedEvents', content, { isLive: true });
};

/** Starts a run that undoes an earlier run. */
const undoRun: Answer = async (context, visit, person) => {
  const run = visit.form.get('run') ?? '';
  const filter = { run };
  const ids = await listRejectionIds(context.pool, { state: 'resolved', filter, reader: readerOf(person) });
  if (ids.length === 0) return notThere(context.site, person, visit);
  return begin(context, visit, person, { task: { action: 'undo', of: run }, ids, filter: {} });
};

/** Undoes the change of one event. */
const undo: Answer = async ({ pool, queues, logger, site, baseUrl }, visit, person) => {
  const id = readId(visit.form.get('resolved'));
  if (id === undefined) return notThere(site, person, visit);
  const { token, pid, name } = person;
  const outcome = await undoResolution({ pool, queues }, id, {
    maySee: (company) => maySee(person, company),
    note: async (session) => {
      logger.info({ pid, person: name, action: 'undo', id }, 'a rejected event is changed');
      await noteOperatorEntry(session, token, { action: AUDITED.undo, subject: String(id), details: {} });
    },
  });
  if (outcome === 'gone') return notThere(site, person, visit);
  return answerRedirect(`${baseUrl}/rejected/resolved?done=${outcome}`);
};

/** Answers with the list of discards and corrections. */
const showResolved: Answer = async ({ pool, queues, site }, visit, person) => {
  const run = visit.query.get('run') ?? '';
  const behind = placeIn(visit.query, 'before');
  const listed = await listRejections(pool, {
    state: 'resolved',
    reader: readerOf(person),
    limit: RESOLVED_ROWS,
    ...(run !== '' && { filter: { run } }),
    ...(behind !== undefined && { behind }),
  });
  const content = resolvedPage({
    events: await Promise.all(
      listed.map(async (one) => ({
        ...readable(person, one, visit.words),
        canUndo: person.mayOperate && (await canUndo(queues, one)),
      })),
    ),
    nextPlace: listed.length === RESOLVED_ROWS ? listed.at(-1)?.place : undefined,
    run,
    base: site.base,
    words: visit.words,
    mayOperate: person.mayOperate,
    notice: noticeOf(visit, UNDO_NOTICES),
  });
  return answerPage(site, person, visit, 'resolvedEvents', content);
};

/** A correction can be undone only while no worker has taken it. */
async function canUndo(
  queues: readonly EventQueue[],
  { replacementQueue, replacementJobId }: Rejection,
): Promise<boolean> {
  if (replacementJobId === null) return true;
  const queue = queues.find(({ name }) => name === replacementQueue);
  return queue !== undefined && isWaiting(queue, replacementJobId);
}

/** Returns true if a worker has not taken all corrections of a run. It looks at the newest of them. */
async function canUndoSome(
  pool: Database['pool'],
  queues: readonly EventQueue[],
  run: string,
): Promise<boolean> {
  const listed = await listRejections(pool, { state: 'resolved', filter: { run }, limit: RESOLVED_ROWS });
  const known = await Promise.all(listed.map((one) => canUndo(queues, one)));
  return known.includes(true);
}

function taskOf(form: URLSearchParams): BulkTask | undefined {
  const action = form.get('action');
  if (action === 'retry' || action === 'discard') return { action };
  const [field, value] = [form.get('field') ?? '', (form.get('value') ?? '').trim()];
  const isField = eventFieldPaths.includes(field) && value !== '' && value.length <= MAX_VALUE_CHARACTERS;
  const isKnown = action === 'try' || action === 'correct';
  return isField && isKnown ? { action, correction: { field, value } } : undefined;
}

function answerPage(
  site: Site,
  person: Person,
  { words }: Visit,
  title: DashboardText,
  content: Markup,
  { status, ...more }: Partial<DashboardPage> & Partial<Pick<ApiAnswer, 'status'>> = {},
): ApiAnswer {
  const page = { title: words.say(title), words, site, person, path: '/rejected', content };
  return answerHtml(writePage({ ...page, ...more }), status);
}

/** Answers a form in which no event is selected. It must not mean every event. */
function noneSelected(site: Site, person: Person, { words }: Visit): ApiAnswer {
  const page = { title: words.say('rejectedEvents'), words, site, person, path: '/rejected' };
  const back = { href: `${site.base}/rejected`, text: words.say('goBack') };
  return answerHtml(writeMessagePage(page, words.say('noneSelected'), undefined, back), 400);
}

function notThere(site: Site, person: Person, { words }: Visit): ApiAnswer {
  return answerHtml(writeGone({ site, person, words }), 404);
}
