import type { Markup } from '@takt/pages';
import { countOf, numberOf, spanOf } from '../pages/parts.js';
import type { QueueState } from './read-state.js';
import type { OperationsView } from './view.js';

/** Something that an operator should know, and what to do about it. */
export interface Attention {
  readonly severity: 'alarm' | 'hint';
  readonly text: string;
  readonly remedy: Markup | string;
}

const LATE_SECONDS = 60;
/** Dead rows beside live ones, past which vacuum does not keep up. */
const BLOATED_SHARE = 0.5;
const BLOATED_ROWS = 10_000;

/** What is wrong or wants attention, alarms first; empty where all is well. */
export function findAttention(view: OperationsView): readonly Attention[] {
  return [
    ...findMissingWorkers(view),
    ...findMissingNodes(view),
    ...view.sample.queues.flatMap((queue) => findQueueAlarms(queue, view)),
    ...findDifferences(view),
    ...findRejected(view),
    ...findUnlisted(view),
    ...findMissingAudit(view),
    ...findBloat(view),
  ];
}

function alarm(text: string, remedy: Markup | string): Attention {
  return { severity: 'alarm', text, remedy };
}

function hint(text: string, remedy: Markup | string): Attention {
  return { severity: 'hint', text, remedy };
}

function findMissingWorkers({ sample: { queues, reports } }: OperationsView): readonly Attention[] {
  if (reports.length > 0) return [];
  const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0);
  return [
    alarm(
      `No worker is running${waiting === 0 ? '' : `, and ${countOf(waiting, 'job waits', 'jobs wait')}`}.`,
      <>
        Start one (<code>npm run worker</code>), and read its log if it ends again. Events stay in the queue
        meanwhile; none is lost.
      </>,
    ),
  ];
}

function findMissingNodes({ sample: { slow } }: OperationsView): readonly Attention[] {
  return slow.nodes.flatMap(({ host, port, companies, bytes }) =>
    bytes === null
      ? [
          alarm(
            `The node ${host}:${port} cannot be reached: ${countOf(companies, 'company waits', 'companies wait')}.`,
            'Start its PostgreSQL server again, or let its standby take over. Other companies go on; no event is lost.',
          ),
        ]
      : [],
  );
}

function findQueueAlarms(queue: QueueState, { sample, base }: OperationsView): readonly Attention[] {
  const found: Attention[] = [];
  if (queue.isPaused) {
    const remedy = (
      <>
        Resume it under <a href={`${base}/queues/`}>Queues</a>.
      </>
    );
    found.push(alarm(`The queue ${queue.name} is paused: nothing is taken from it.`, remedy));
  }
  if (queue.stuck > 0) {
    found.push(
      alarm(
        `${countOf(queue.stuck, 'job')} of ${queue.name} ${queue.stuck === 1 ? 'has' : 'have'} been active for 60 s without progress.`,
        <>
          Read the log of the workers and compare the clocks of their machines. What a dead worker held is
          taken again by itself.
        </>,
      ),
    );
  }
  const waitedSeconds = queue.oldestWaitSeconds ?? 0;
  if (sample.reports.length > 0 && !queue.isPaused && waitedSeconds > LATE_SECONDS) {
    const isFlowing = sample.rates !== undefined && sample.rates.applied > 0;
    const remedy = isFlowing
      ? 'Events flow, slower than they come: start another worker.'
      : 'Nothing is applied: read the log of the workers, and whether the database answers.';
    found.push(alarm(`The oldest job of ${queue.name} has waited for ${spanOf(waitedSeconds)}.`, remedy));
  }
  return found;
}

function findDifferences({ sample: { slow } }: OperationsView): readonly Attention[] {
  const differences = slow.audit?.differences ?? 0;
  if (differences === 0) return [];
  return [
    alarm(
      `The last audit found ${countOf(differences, 'difference')} between figures and operations.`,
      <>
        Run <code>npx takt audit</code> to see them and <code>npx takt rebuild</code> to repair them, and
        report it: it should never happen.
      </>,
    ),
  ];
}

function findRejected({ rejected: { total }, base }: OperationsView): readonly Attention[] {
  if (total === 0) return [];
  const [are, count, them] = total === 1 ? ['is', 'counts', 'it'] : ['are', 'count', 'them'];
  return [
    hint(
      `${countOf(total, 'event')} ${are} rejected and ${count} nowhere.`,
      <>
        <a href={`${base}/rejected`}>See why</a>, then correct, retry or discard {them}.
      </>,
    ),
  ];
}

function findUnlisted({ unlisted }: OperationsView): readonly Attention[] {
  const operations = unlisted.reduce((sum, one) => sum + one.operations, 0);
  if (operations === 0) return [];
  const versions = unlisted.reduce((sum, one) => sum + one.structureVersions, 0);
  return [
    hint(
      `${countOf(operations, 'operation')} of ${countOf(versions, 'structure version')} ${operations === 1 ? 'waits' : 'wait'} for master data.`,
      <>
        Have the ERP publish <code>product-structure-version.changed.v1</code> for them; they are listed at
        once then.
      </>,
    ),
  ];
}

function findMissingAudit({ sample: { slow } }: OperationsView): readonly Attention[] {
  if (slow.audit !== undefined) return [];
  return [
    hint(
      'The figures have not been audited yet.',
      <>
        Run <code>npx takt audit</code>, best once a day.
      </>,
    ),
  ];
}

function findBloat({ sample: { slow } }: OperationsView): readonly Attention[] {
  return slow.size.tables
    .filter(({ liveRows, deadRows }) => deadRows >= BLOATED_ROWS && deadRows >= liveRows * BLOATED_SHARE)
    .map(({ table, liveRows, deadRows }) =>
      hint(
        `${table} holds ${numberOf(deadRows)} dead rows beside ${numberOf(liveRows)} live ones.`,
        <>
          Run <code>npx takt maintain</code>.
        </>,
      ),
    );
}
