import type { Language } from '@takt/texts';
import type { AlarmState, QueueState } from './read-state.js';
import { speak, type Voice } from './texts.js';

/** A condition that an operator must know at once. */
export interface Alarm {
  readonly name: AlarmName;
  /**
   * The queue or node that the alarm is about; empty if it is about neither. Name and subject together identify an
   * alarm.
   */
  readonly subject: string;
  /** Severity of the alarm. It can be compared only between alarms of the same name. */
  readonly measure: number;
  /** The values that are inserted into the text of the alarm. */
  readonly facts: Facts;
}

export type Facts = Readonly<Record<string, number | string>>;

export interface AlarmSettings {
  /** Maximum percentage of rejected events in the last 5 minutes. If it is exceeded, an alarm starts. */
  readonly rejectedPercent: number;
}

export interface AlarmWords {
  readonly text: string;
  readonly remedy: string;
}

interface Definition<Found extends Facts> {
  /** Finds the alarms of this kind, one for each subject. An alarm has a measure if its severity varies. */
  find(
    state: AlarmState,
    settings: AlarmSettings,
  ): readonly { readonly subject?: string; readonly measure?: number; readonly facts: Found }[];
  describe(facts: Found, subject: string, voice: Voice): AlarmWords;
}

/** Returns the definition unchanged. It lets TypeScript infer the type of the facts from `find`. */
function define<Found extends Facts>(definition: Definition<Found>): Definition<Found> {
  return definition;
}

const OLD_SECONDS = 60;
/**
 * Maximum time that the oldest job may wait while no events flow. It is twice the slot of the history (20 s), and a
 * worker reports every 5 s.
 */
const IDLE_SECONDS = 40;
const LAG_SECONDS = 10;
const LAG_GROWTH = 1.5;

/** The definitions of all alarms, the most severe first. docs/operating/alarms.md has a section for each. */
const definitions = {
  TaktNoWorker: define({
    find: ({ reports, queues = [] }) => {
      const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0);
      return reports.length > 0 ? [] : [{ measure: waiting, facts: { waiting } }];
    },
    describe: ({ waiting }, _, { say, jobs }) => ({
      text: waiting === 0 ? say('noWorker') : say('noWorkerAndJobs', jobs(waiting)),
      remedy: say('noWorkerRemedy'),
    }),
  }),
  TaktQueueAway: define({
    find: ({ queues }) => (queues === undefined ? [{ facts: {} }] : []),
    describe: (_, __, { say }) => ({ text: say('queueAway'), remedy: say('queueAwayRemedy') }),
  }),
  TaktNodeAway: define({
    find: ({ nodes }) =>
      nodes.flatMap(({ host, port, companies, bytes }) =>
        bytes === null ? [{ subject: `${host}:${port}`, facts: { companies } }] : [],
      ),
    describe: ({ companies }, subject, { say, number }) => ({
      text: say('nodeAway', subject, number(companies)),
      remedy: say('nodeAwayRemedy'),
    }),
  }),
  TaktQueuePaused: define({
    find: ({ queues = [] }) =>
      queues.flatMap(({ name, isPaused }) => (isPaused ? [{ subject: name, facts: {} }] : [])),
    describe: (_, subject, { say }) => ({
      text: say('queuePaused', subject),
      remedy: say('queuePausedRemedy'),
    }),
  }),
  TaktStuckJobs: define({
    find: ({ queues = [] }) =>
      queues.flatMap(({ name, stuck, stuckSeconds }) =>
        stuck > 0 ? [{ subject: name, measure: stuck, facts: { stuck, seconds: stuckSeconds } }] : [],
      ),
    describe: ({ stuck, seconds }, subject, { say, number, span }) => ({
      text: say(stuck === 1 ? 'oneStuckJob' : 'manyStuckJobs', subject, span(seconds), number(stuck)),
      remedy: say('stuckJobsRemedy'),
    }),
  }),
  TaktRejectedShare: define({
    find: ({ flow, commonReason = '' }, { rejectedPercent }) =>
      flow.flatMap(({ queue, events }) => {
        const { rejected } = events;
        const all = events.applied + events.duplicate + events.stale + rejected;
        const isMany = (100 * rejected) / all > rejectedPercent;
        const facts = { rejected, all, reason: commonReason };
        return isMany ? [{ subject: queue, measure: rejected, facts }] : [];
      }),
    describe: ({ rejected, all, reason }, _, { say, number }) => ({
      text: [
        say('rejectedShare', number(rejected), number(all), number((100 * rejected) / all)),
        ...(reason === '' ? [] : [say('rejectedReason', reason)]),
      ].join(' '),
      remedy: say('rejectedShareRemedy'),
    }),
  }),
  TaktNothingApplied: define({
    find: (state) =>
      oldQueues(state, IDLE_SECONDS).flatMap(({ queue, isFlowing, ...facts }) =>
        isFlowing ? [] : [{ subject: queue, measure: facts.seconds, facts }],
      ),
    describe: ({ seconds, waiting }, subject, { say, jobs, span }) => ({
      text: say('nothingApplied', subject, jobs(waiting), span(seconds)),
      remedy: say('nothingAppliedRemedy'),
    }),
  }),
  TaktQueueOld: define({
    find: (state) =>
      oldQueues(state, OLD_SECONDS).flatMap(({ queue, isFlowing, ...facts }) =>
        isFlowing ? [{ subject: queue, measure: facts.seconds, facts }] : [],
      ),
    describe: ({ seconds, waiting }, subject, { say, jobs, span }) => ({
      text: say('queueOld', subject, span(seconds), jobs(waiting)),
      remedy: say('queueOldRemedy'),
    }),
  }),
  TaktLagGrows: define({
    find: ({ flow }) =>
      flow.flatMap(({ queue, lagSeconds, lagSecondsBefore, waitingJobs, waitingJobsBefore }) => {
        if (lagSeconds === null || lagSecondsBefore === null) return [];
        const isShorter = waitingJobs !== null && waitingJobs < (waitingJobsBefore ?? 0);
        const grows = lagSeconds > LAG_SECONDS && lagSeconds > LAG_GROWTH * lagSecondsBefore;
        const facts = { seconds: lagSeconds, secondsBefore: lagSecondsBefore };
        return grows && !isShorter ? [{ subject: queue, measure: lagSeconds, facts }] : [];
      }),
    describe: ({ seconds, secondsBefore }, subject, { say, span }) => ({
      text: say('lagGrows', subject, span(seconds), span(secondsBefore)),
      remedy: say('lagGrowsRemedy'),
    }),
  }),
  TaktAuditDifferences: define({
    find: ({ audit }) =>
      audit !== undefined && audit.differences > 0
        ? [{ measure: audit.differences, facts: { differences: audit.differences } }]
        : [],
    describe: ({ differences }, _, { say, number }) => ({
      text: say('auditDifferences', number(differences)),
      remedy: say('auditDifferencesRemedy'),
    }),
  }),
} as const;

export type AlarmName = keyof typeof definitions;
export const alarmNames = Object.keys(definitions) as readonly AlarmName[];

/** Returns the current alarms, the most severe first. */
export function findAlarms(state: AlarmState, settings: AlarmSettings): readonly Alarm[] {
  return alarmNames.flatMap((name) =>
    (definitions[name] as Definition<Facts>)
      .find(state, settings)
      .map(({ subject = '', measure = 0, facts }) => ({ name, subject, measure, facts })),
  );
}

/** Returns the text of an alarm, or its name if this version does not know the alarm. */
export function describeAlarm(
  { name, subject, facts }: Pick<Alarm, 'subject' | 'facts'> & { readonly name: string },
  language: Language,
): AlarmWords {
  const definition: Definition<Facts> | undefined = Object.hasOwn(definitions, name)
    ? definitions[name as AlarmName]
    : undefined;
  if (definition === undefined) return { text: `${name} ${subject}`.trim(), remedy: '' };
  return definition.describe(facts, subject, speak(language));
}

/**
 * Finds the queues whose oldest job has waited too long although a worker could take it. The result also says if events
 * flow meanwhile.
 */
function oldQueues({ queues = [], reports, flow }: AlarmState, seconds: number) {
  const isTaken = ({ isPaused }: QueueState) => reports.length > 0 && !isPaused;
  return queues.filter(isTaken).flatMap(({ name, oldestWaitSeconds, waiting }) => {
    if (oldestWaitSeconds === null || oldestWaitSeconds <= seconds) return [];
    const isFlowing = flow.some(({ queue, eventsJustNow }) => queue === name && eventsJustNow > 0);
    return [{ queue: name, isFlowing, seconds: oldestWaitSeconds, waiting }];
  });
}
