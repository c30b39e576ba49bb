import type { StoredJob } from '@takt/events/internal';
import type { JobCounts, ListedJob, ListedState } from '@takt/events/view';
import type { Markup } from '@takt/pages';
import {
  Ago,
  End,
  Facts,
  Instant,
  Note,
  Notice,
  NumberedPager,
  OperationsTitle,
  RowHead,
  WideTable,
} from '../pages/parts.js';
import type { DashboardText, Words } from '../words.js';

export const PAGE_SIZE = 50;
/**
 * Maximum number of jobs that can be listed. To find later jobs, the store would have to count all jobs before them.
 */
export const MAX_LISTED = 10_000;

interface QueuesPage {
  readonly states: readonly {
    readonly name: string;
    readonly counts: JobCounts;
    readonly isPaused: boolean;
  }[];
  /** The queue, state and page of the list. */
  readonly queue: string;
  readonly state: ListedState;
  readonly jobs: readonly ListedJob[];
  readonly page: number;
  readonly pages: number;
  readonly base: string;
  readonly words: Words;
  readonly mayOperate: boolean;
  readonly notice: string | undefined;
}

const HEADINGS: Readonly<Record<ListedState, DashboardText>> = {
  waiting: 'waitingJobs',
  active: 'activeJobs',
  delayed: 'delayedJobs',
  failed: 'failedJobs',
};

/** Returns the content of the page of the queues: the state of all queues, and the jobs of one queue. */
export function queuesPage(view: QueuesPage): Markup {
  const { words, notice } = view;
  return (
    <>
      <OperationsTitle title="queues" hasAllCompanies base={view.base} words={words} />
      <Notice text={notice} />
      <QueueTable {...view} />
      <JobList {...view} />
    </>
  );
}

function QueueTable({ states, queue, state, base, words, mayOperate }: QueuesPage): Markup {
  const { say, number } = words;
  const columns = [
    say('queue'),
    `>${say('waiting')}`,
    `>${say('active')}`,
    `>${say('delayed')}`,
    `>${say('failed')}`,
    ...(mayOperate ? [say('state')] : []),
  ];
  const link = (name: string, one: ListedState, count: number) => (
    <End>
      <a
        href={`${base}/queues?${new URLSearchParams({ queue: name, state: one })}`}
        aria-current={name === queue && one === state ? 'true' : undefined}
      >
        {number(count)}
      </a>
    </End>
  );
  return (
    <>
      <WideTable name={say('queues')} columns={columns} words={words}>
        {states.map(({ name, counts, isPaused }) => (
          <tr>
            <RowHead>
              {name}
              {isPaused && (
                <>
                  {' '}
                  <strong class="over">{say('paused')}</strong>
                </>
              )}
            </RowHead>
            {link(name, 'waiting', counts.waiting)}
            {link(name, 'active', counts.active)}
            {link(name, 'delayed', counts.delayed)}
            {link(name, 'failed', counts.failed)}
            {mayOperate && (
              <td>
                <form method="post" action={`${base}/queues/${isPaused ? 'resume' : 'pause'}`}>
                  <input type="hidden" name="queue" value={name} />
                  <button type="submit" aria-label={`${say(isPaused ? 'resume' : 'pause')} ${name}`}>
                    {say(isPaused ? 'resume' : 'pause')}
                  </button>
                </form>
              </td>
            )}
          </tr>
        ))}
      </WideTable>
      <Note>{say('jobHolds')}</Note>
      {states.some(({ counts }) => counts.failed > 0) && <Note>{say('failedHint')}</Note>}
    </>
  );
}

function JobList({ states, queue, state, jobs, page, pages, base, words }: QueuesPage): Markup {
  const { say, number } = words;
  const total = states.find(({ name }) => name === queue)?.counts[state] ?? 0;
  const from = (page - 1) * PAGE_SIZE;
  const places = { from: from + 1, to: from + jobs.length, of: Math.min(total, MAX_LISTED) };
  const time = TIMES[state];
  const columns = [say('job'), `>${say('size')}`, say(time.heading), `>${say('deliveries')}`];
  return (
    <section class="results" aria-labelledby="jobs">
      <div class="title">
        <h2 id="jobs">
          {say(HEADINGS[state])}, {queue}: {number(total)}
        </h2>
      </div>
      <search aria-label={say('job')}>
        <form class="search-bar" method="get" action={`${base}/queues/job`}>
          <input type="hidden" name="queue" value={queue} />
          <label class="wide">
            {say('job')}{' '}
            <input
              type="search"
              name="id"
              placeholder={say('id')}
              required
              maxlength={500}
              spellcheck={false}
            />
          </label>
          <button type="submit">{say('search')}</button>
        </form>
      </search>
      {total > MAX_LISTED && <Note>{say('onlyFirst', number(MAX_LISTED), words.count('Job', total))}</Note>}
      {jobs.length === 0 ? (
        <p class="nothing">{say('none')}</p>
      ) : (
        <WideTable name={say(HEADINGS[state])} columns={columns} words={words}>
          {jobs.map((job) => (
            <tr>
              <RowHead more={job.name}>
                <a href={`${base}/queues/job?${new URLSearchParams({ queue, id: job.jobId })}`}>
                  {job.jobId}
                </a>
              </RowHead>
              <End>{words.bytes(job.bytes)}</End>
              <td>{time.show(job, words)}</td>
              <End>{number(job.deliveries)}</End>
            </tr>
          ))}
        </WideTable>
      )}
      <NumberedPager
        words={words}
        page={page}
        pages={pages}
        places={places}
        hrefOf={(target) => `${base}/queues?${new URLSearchParams({ queue, state, page: String(target) })}`}
      />
    </section>
  );
}

/** The time that the list shows for a job: since when the job waits or is active, or when it is due. */
const TIMES: Readonly<
  Record<
    ListedState,
    { readonly heading: DashboardText; readonly show: (job: ListedJob, words: Words) => Markup }
  >
> = {
  waiting: { heading: 'added', show: ({ addedAtMs }, words) => <Ago ms={addedAtMs} words={words} /> },
  active: { heading: 'taken', show: ({ claimedAtMs }, words) => <Ago ms={claimedAtMs} words={words} /> },
  delayed: { heading: 'due', show: ({ dueAtMs }) => <Instant ms={dueAtMs} /> },
  failed: { heading: 'failedAt', show: ({ failedAtMs }, words) => <Ago ms={failedAtMs} words={words} /> },
};

interface JobPage {
  readonly job: StoredJob;
  /** State of the job, in BullMQ's terms. */
  readonly state: string;
  readonly base: string;
  readonly words: Words;
  readonly mayOperate: boolean;
}

/** Maximum number of characters that are shown, because browsers are slow with more characters. */
const MAX_SHOWN_CHARACTERS = 500_000;

/** Returns the content of the page of a job. */
export function jobPage({ job, state, base, words, mayOperate }: JobPage): Markup {
  const { say } = words;
  const { key, name, addedAtMs, deliveries, text, bytes, failedReason } = job;
  const identity = (
    <>
      <input type="hidden" name="queue" value={key.queue.name} />
      <input type="hidden" name="id" value={key.jobId} />
    </>
  );
  return (
    <>
      <p class="crumb">
        <a href={`${base}/queues?${new URLSearchParams({ queue: key.queue.name })}`}>{say('queues')}</a>
      </p>
      <div class="title">
        <h1>{key.jobId}</h1>
      </div>
      <section class="card">
        <h2>{say('facts')}</h2>
        <Facts
          rows={[
            [say('queue'), key.queue.name],
            [say('name'), name],
            [say('state'), stateIn(state, words)],
            [say('added'), <Instant ms={addedAtMs} />],
            [say('deliveries'), String(deliveries)],
            ...(state === 'failed' ? [[say('reason'), failedReason] as const] : []),
          ]}
        />
      </section>
      <section class="card">
        <h2>{say('payload')}</h2>
        {text.length <= MAX_SHOWN_CHARACTERS ? (
          <pre tabindex={0}>{prettyText(text)}</pre>
        ) : (
          <Note>{say('tooLargeToShow', words.bytes(bytes))}</Note>
        )}
      </section>
      {mayOperate && state !== 'active' && (
        <section class="card">
          <div class="actions">
            {state === 'delayed' && (
              <form method="post" action={`${base}/queues/take`}>
                {identity}
                <button type="submit">{say('takeNow')}</button>
                <Note>{say('takeNowHint')}</Note>
              </form>
            )}
            {state === 'failed' && (
              <form method="post" action={`${base}/queues/take`}>
                {identity}
                <button type="submit">{say('retry')}</button>
                <Note>{say('failedHint')}</Note>
              </form>
            )}
            {/* Removing cannot be undone, so one click must not be enough. */}
            <details>
              <summary>{say('removeJob')}</summary>
              <form method="post" action={`${base}/queues/remove`}>
                {identity}
                <Note>{say('removeHint')}</Note>
                <button class="danger" type="submit">
                  {say('removeJob')}
                </button>
              </form>
            </details>
          </div>
        </section>
      )}
    </>
  );
}

function stateIn(state: string, { say }: Words): string {
  const names: Readonly<Record<string, DashboardText>> = {
    waiting: 'waiting',
    prioritized: 'waiting',
    active: 'active',
    delayed: 'delayed',
  };
  const name = names[state];
  return name === undefined ? state : say(name);
}

/** Formats the data of a job. The data may come from any client, so they may not be JSON. */
function prettyText(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
