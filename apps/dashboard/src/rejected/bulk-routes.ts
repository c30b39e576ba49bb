import { eventFieldPaths } from '@takt/events/internal';
import type { ApiAnswer } from '@takt/http';
import { concealWords } from '../concealed.js';
import { writeMessagePage } from '../pages/frame.js';
import { answerHtml, answerRedirect, maySee, noticeOf, type Person, type Visit } from '../visit.js';
import { confirmationPage, runPage } from './bulk-pages.js';
import { type BulkOrder, type BulkRun, type BulkTask, ownerOf } from './bulk-runs.js';
import { meets, type RejectionFilter, readFilter, writeFilter } from './filter.js';
import { resolvedPage } from './resolved-page.js';
import { answerPage, notThere, type Room } from './room.js';

/** Time that a page waits for the end of a run. If the run takes longer, the page shows its progress. */
const RUN_PATIENCE_MS = 1_500;
const RESOLVED_ROWS = 50;
const MAX_VALUE_CHARACTERS = 400;

/** Answers with the page that asks for confirmation before many events are changed. */
export async function confirmRun(room: Room, visit: Visit, person: Person): Promise<ApiAnswer> {
  const { base } = room;
  const action = visit.query.get('action');
  const filter = readFilter(visit.query);
  const meant = await findMeant(room, person, filter);
  // The limit is a time of the clock that rejected the events: the time of the newest event, which comes first among
  // the events that have a time.
  const untilMs = meant.find(({ rejectedAtMs }) => rejectedAtMs > 0)?.rejectedAtMs ?? Date.now();
  const isKnown = action === 'retry' || action === 'discard' || action === 'correct';
  if (!isKnown || meant.length === 0) return notThere({ base, person, visit });
  const content = confirmationPage({
    ...{ action, filter, count: meant.length, untilMs, base, words: visit.words },
  });
  return answerPage({ base, person, visit }, 'confirm', content);
}

/** Starts a run that changes the events that match a filter, or that corrects the events of a check. */
export async function beginRun(room: Room, visit: Visit, person: Person): Promise<ApiAnswer> {
  const { base } = room;
  const checked = visit.form.get('checked');
  if (checked !== null) return correctChecked(room, visit, person, checked);
  const [task, until] = [taskOf(visit.form), Number(visit.form.get('until') ?? Number.NaN)];
  if (task === undefined || !Number.isFinite(until)) return notThere({ base, person, visit });
  const filter = readFilter(visit.form);
  const meant = (await findMeant(room, person, filter)).filter((event) => !(event.rejectedAtMs > until));
  if (meant.length === 0) return notThere({ base, person, visit });
  return begin(room, visit, person, {
    task,
    ids: [...new Set(meant.map(({ id }) => id))],
    companies: new Set(meant.map(({ company }) => company)),
    chosenBy: writeFilter(filter, { text: undefined }).toString(),
    untilMs: until,
  });
}

/** Starts the correction of exactly the events that a check has tried, with the value of the check. */
async function correctChecked(room: Room, visit: Visit, person: Person, checked: string): Promise<ApiAnswer> {
  const run = room.runs.find(checked);
  if (run?.task.action !== 'try' || run.owner !== ownerOf(person)) {
    return notThere({ base: room.base, person, visit });
  }
  const { ids, companies, chosenBy, untilMs } = run;
  const task = { action: 'correct', correction: run.task.correction } as const;
  return begin(room, visit, person, { task, ids, companies, chosenBy, untilMs });
}

async function begin(
  { base, baseUrl, runs }: Room,
  { words }: Visit,
  person: Person,
  order: BulkOrder,
): Promise<ApiAnswer> {
  const run = runs.begin(person, order);
  if (run === undefined) {
    const page = { title: words.say('busy'), words, base, person };
    return answerHtml(writeMessagePage(page, words.say('otherRun')), 409);
  }
  await runs.settled(run.id, RUN_PATIENCE_MS);
  return answerRedirect(`${baseUrl}/rejected/run?id=${run.id}`);
}

export async function showRun({ runs, base }: Room, visit: Visit, person: Person): Promise<ApiAnswer> {
  const run = runs.find(visit.query.get('id') ?? '');
  if (run === undefined || run.owner !== ownerOf(person)) return notThere({ base, person, visit });
  const content = runPage(readableRun(run, person), base, visit.words);
  return answerPage({ base, person, visit }, 'rejectedEvents', content, { isLive: true });
}

/** Returns the run as a session may see it that has fewer duties than the one that started it. */
function readableRun(run: BulkRun, { duties }: Person): BulkRun {
  if (!('correction' in run.task)) return run;
  const { field, value } = run.task.correction;
  const isHidden = concealWords(field, duties) !== field;
  const correction = { field, value: isHidden ? concealWords(field, duties) : value };
  return { ...run, task: { ...run.task, correction } };
}

/** Starts a run that undoes an earlier run. */
export async function undoRun(room: Room, visit: Visit, person: Person): Promise<ApiAnswer> {
  const run = visit.form.get('run') ?? '';
  const { ids, companies } = await findResolved(room, person, run);
  if (ids.length === 0) return notThere({ base: room.base, person, visit });
  return begin(room, visit, person, {
    task: { action: 'undo', of: run },
    ids,
    companies,
    chosenBy: '',
    untilMs: Date.now(),
  });
}

/** Undoes the change of one event. */
export async function undo(room: Room, visit: Visit, person: Person): Promise<ApiAnswer> {
  const { rejected, base, baseUrl } = room;
  const resolvedId = idOf(visit.form.get('resolved'));
  const [event] =
    resolvedId === undefined ? [] : await rejected.listResolved({ limit: 1, beforeId: resolvedId + 1 });
  if (event?.resolvedId !== resolvedId || event === undefined || !maySee(person, event.company)) {
    return notThere({ base, person, visit });
  }
  const outcome = await rejected.undo(event.resolvedId, {
    mayTouch: (company) => maySee(person, company),
    ...room.resolverOf(person, 'undo', event.id),
  });
  return answerRedirect(`${baseUrl}/rejected/resolved?done=${outcome}`);
}

const NOTICES = { restored: 'restoredNotice', taken: 'takenNotice', gone: 'goneNotice' } as const;

/** Answers with the list of discards and corrections. */
export async function showResolved(room: Room, visit: Visit, person: Person): Promise<ApiAnswer> {
  const { rejected, visibility, base } = room;
  const run = visit.query.get('run') ?? '';
  const beforeId = idOf(visit.query.get('before'));
  const listed = await rejected.listResolved({
    limit: RESOLVED_ROWS,
    ...(run !== '' && { run }),
    ...(beforeId !== undefined && { beforeId }),
  });
  const content = resolvedPage({
    events: await Promise.all(
      listed
        .filter(({ company }) => maySee(person, company))
        .map((event) => visibility.ofResolved(person, event)),
    ),
    nextBeforeId: listed.length === RESOLVED_ROWS ? listed.at(-1)?.resolvedId : undefined,
    ...{ run, base, words: visit.words, mayOperate: person.mayOperate, notice: noticeOf(visit, NOTICES) },
  });
  return answerPage({ base, person, visit }, 'resolvedEvents', content);
}

/** Finds the resolved events of a run that the person may see, and their companies. */
async function findResolved({ rejected }: Room, person: Person, run: string) {
  const ids: string[] = [];
  const companies = new Set<string | null>();
  for await (const page of rejected.listRun(run)) {
    const visible = page.filter(({ company }) => maySee(person, company));
    ids.push(...visible.map(({ resolvedId }) => String(resolvedId)));
    for (const { company } of visible) companies.add(company);
  }
  return { ids, companies };
}

/** Finds the events that match a filter now and that the person may see. */
async function findMeant({ overview, visibility }: Room, person: Person, filter: RejectionFilter) {
  overview.expire();
  const { events } = await overview.read();
  return visibility.ofFacts(person, events).filter((event) => meets(event, filter));
}

function taskOf(form: URLSearchParams): BulkTask | undefined {
  const action = form.get('action');
  if (action === 'retry' || action === 'discard') return { action };
  const [field, value] = [form.get('field') ?? '', (form.get('value') ?? '').trim()];
  const isField = eventFieldPaths.includes(field) && value !== '' && value.length <= MAX_VALUE_CHARACTERS;
  return isField && (action === 'try' || action === 'correct')
    ? { action, correction: { field, value } }
    : undefined;
}

function idOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
