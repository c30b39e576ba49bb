import { readFile } from 'node:fs/promises';
import type { Outcomes, RecentFlow, WorkerReport } from '@takt/database/monitoring';
import { expect } from 'chai';
import { type AlarmState, alarmNames, describeAlarm, findAlarms, type QueueState } from '../src/index.js';

const QUEUE = 'work-order-operations';

const QUIET: QueueState = {
  ...{ name: QUEUE, waiting: 0, active: 0, delayed: 0, failed: 0, isPaused: false },
  ...{ stuck: 0, stuckSeconds: 0, oldestWaitSeconds: null },
};

const WORKER = { workerId: 'w', queue: QUEUE } as WorkerReport;

function flow(events: Partial<Outcomes>, more: Partial<RecentFlow> = {}): RecentFlow {
  return {
    queue: QUEUE,
    events: { applied: 0, duplicate: 0, stale: 0, rejected: 0, ...events },
    ...{ eventsJustNow: 1, lagSeconds: 1, lagSecondsBefore: 1, waitingJobs: 0, waitingJobsBefore: 0 },
    ...more,
  };
}

const WELL: AlarmState = {
  ...{ queues: [QUIET], reports: [WORKER], flow: [flow({ applied: 100 })], commonReason: undefined },
  ...{ nodes: [], audit: undefined },
};

const SETTINGS = { rejectedPercent: 1 };
/** Returns the name and the text of each alarm that the state raises. */
const found = (changes: Partial<AlarmState>, settings = SETTINGS) =>
  findAlarms({ ...WELL, ...changes }, settings).map(
    (alarm) => `${alarm.name}: ${describeAlarm(alarm, 'eng').text}`,
  );

describe('alarms', () => {
  it('are not raised if nothing is wrong', () => {
    expect(found({})).to.deep.equal([]);
  });

  it('report that almost all events are rejected, with their number and the reasons', () => {
    const commonReason = 'data.database must be the code of a registered company';
    expect(found({ flow: [flow({ applied: 1_052, rejected: 18_948 })], commonReason })).to.deep.equal([
      'TaktRejectedShare: 18,948 of 20,000 events of the last 5 minutes were rejected (94.7 %). Most often: data.database must be the code of a registered company.',
    ]);
  });

  const shares: readonly (readonly [Partial<Outcomes>, number, boolean])[] = [
    [{ applied: 99, rejected: 1 }, 1, false],
    [{ applied: 98, rejected: 1 }, 1, true],
    [{ duplicate: 60, stale: 39, rejected: 1 }, 1, false],
    [{ rejected: 1 }, 1, true],
    [{ rejected: 1 }, 100, false],
    [{ applied: 1_000_000, rejected: 1 }, 0, true],
    [{}, 0, false],
  ];
  for (const [events, rejectedPercent, isAlarm] of shares) {
    it(`are ${isAlarm ? 'raised' : 'not raised'} for ${JSON.stringify(events)} with the setting ${rejectedPercent} %`, () => {
      const alarms = findAlarms({ ...WELL, flow: [flow(events)] }, { rejectedPercent });
      expect(alarms.map(({ name, subject }) => `${name} ${subject}`)).to.deep.equal(
        isAlarm ? [`TaktRejectedShare ${QUEUE}`] : [],
      );
    });
  }

  it('report a missing worker with the waiting jobs, but raise no alarms for its consequences', () => {
    const queues = [{ ...QUIET, waiting: 1, oldestWaitSeconds: 500 }];
    expect(found({ reports: [], queues, flow: [] })).to.deep.equal([
      'TaktNoWorker: No worker is running, and 1 job waits.',
    ]);
    expect(found({ reports: [], flow: [] })).to.deep.equal(['TaktNoWorker: No worker is running.']);
  });

  it('distinguish a stopped queue from an overloaded one', () => {
    const queues = [{ ...QUIET, waiting: 12, oldestWaitSeconds: 61 }];
    expect(found({ queues, flow: [flow({}, { eventsJustNow: 0 })] })).to.deep.equal([
      'TaktNothingApplied: Nothing is taken from work-order-operations, and 12 jobs wait, the oldest for 1 min.',
    ]);
    expect(found({ queues })).to.deep.equal([
      'TaktQueueOld: The oldest job of work-order-operations has waited for 1 min, and 12 jobs wait.',
    ]);
    const young = [{ ...QUIET, waiting: 12, oldestWaitSeconds: 41 }];
    expect(found({ queues: young })).to.deep.equal([]);
    expect(found({ queues: young, flow: [] })).to.have.length(1);
  });

  it('report a paused queue as paused, not as stopped', () => {
    const queues = [{ ...QUIET, isPaused: true, waiting: 12, oldestWaitSeconds: 500 }];
    expect(found({ queues, flow: [] })).to.deep.equal([
      'TaktQueuePaused: The queue work-order-operations is paused: nothing is taken from it.',
    ]);
  });

  it('report a growing lag, except while the queue shrinks', () => {
    const growing = { lagSeconds: 30, lagSecondsBefore: 12, waitingJobs: 50, waitingJobsBefore: 50 };
    expect(found({ flow: [flow({ applied: 9 }, growing)] })).to.deep.equal([
      'TaktLagGrows: Events of work-order-operations reach the figures 30 s after they were published, two minutes earlier it was 12 s, and the queue does not get shorter.',
    ]);
    const changes: readonly Partial<RecentFlow>[] = [
      { waitingJobs: 49 },
      { lagSeconds: 17 },
      { lagSeconds: 9, lagSecondsBefore: 1 },
      { lagSecondsBefore: null },
    ];
    for (const change of changes) {
      expect(found({ flow: [flow({ applied: 9 }, { ...growing, ...change })] })).to.deep.equal([]);
    }
  });

  it('report stuck jobs, a missing node, unreachable queues, and differences that the audit found', () => {
    expect(found({ queues: [{ ...QUIET, stuck: 1, stuckSeconds: 90 }] })[0]).to.match(
      /^TaktStuckJobs: 1 job /,
    );
    const node = { host: 'db2', port: 5432, isCoordinator: false, companies: 3 };
    expect(found({ nodes: [{ ...node, bytes: null }] })[0]).to.match(/^TaktNodeAway: The node db2:5432 /);
    expect(found({ nodes: [{ ...node, bytes: 1 }] })).to.deep.equal([]);
    expect(found({ queues: undefined })).to.deep.equal(['TaktQueueAway: The queues do not answer.']);
    const audit = { at: new Date(), database: null, structureVersions: 1, seconds: 1 };
    expect(found({ audit: { ...audit, differences: 2 } })[0]).to.match(/^TaktAuditDifferences: .*: 2\.$/);
    expect(found({ audit: { ...audit, differences: 0 } })).to.deep.equal([]);
  });

  it('have one section each in the guide', async () => {
    const guide = await readFile(new URL('../../../../docs/operating/alarms.md', import.meta.url), 'utf8');
    const own = guide.slice(0, guide.indexOf('## Alarms of Prometheus alone'));
    const sections = [...own.matchAll(/^### (\w+)$/gm)].map(([, name = '']) => name);
    expect(sections).to.have.members(alarmNames);
  });

  it('are known to the database, which refuses others', async () => {
    const file = new URL('../../../../migrations/functions/note_alarms.sql', import.meta.url);
    const [, names = ''] = /SELECT '\{([\w,]+)\}'/.exec(await readFile(file, 'utf8')) ?? [];
    expect(names.split(',')).to.deep.equal(alarmNames);
  });

  it('are written in each language, and format numbers as the language does', () => {
    const [alarm] = findAlarms({ ...WELL, flow: [flow({ applied: 1_052, rejected: 18_948 })] }, SETTINGS);
    if (alarm === undefined) throw new Error('no alarm was found');
    expect(describeAlarm(alarm, 'deu').text).to.equal(
      '18.948 von 20.000 Ereignissen der letzten 5 Minuten wurden abgelehnt (94,7 %).',
    );
    expect(describeAlarm(alarm, 'pol').remedy).to.match(/^Najpierw/);
  });
});
