import { fillText, formatNumber, formatSpan, inEveryLanguage, type Language } from '@takt/texts';

/** The texts of alarms. In a text, {0}, {1}, ... stand for values, and backticks enclose names and commands. */
const alarmTexts = inEveryLanguage('alarms', {
  oneJob: '1 job waits',
  manyJobs: '{0} jobs wait',
  noWorker: 'No worker is running.',
  noWorkerAndJobs: 'No worker is running, and {0}.',
  noWorkerRemedy:
    'Start one (`npm run worker`), and read its log if it ends again. Events stay in the queue meanwhile; none is lost.',
  queueAway: 'The queues do not answer.',
  queueAwayRemedy:
    'Check `QUEUE_URL` and that its server runs. Producers keep their events meanwhile; jobs in the queue come back with it.',
  nodeAway: 'The node {0} cannot be reached. Companies that wait for it: {1}.',
  nodeAwayRemedy:
    'Start its PostgreSQL server again, or let its standby take over. Other companies go on; no event is lost.',
  queuePaused: 'The queue {0} is paused: nothing is taken from it.',
  queuePausedRemedy: 'Resume it on the page of the queues.',
  oneStuckJob: '1 job of {0} has been active for {1} without progress.',
  manyStuckJobs: '{2} jobs of {0} have been active without progress, the first for {1}.',
  stuckJobsRemedy:
    'Read the log of the workers and compare the clocks of their machines. Jobs of a dead worker return to the queue by themselves.',
  rejectedShare: '{0} of {1} events of the last 5 minutes were rejected ({2} %).',
  rejectedReason: 'Most often: {0}.',
  rejectedShareRemedy:
    'Have their source corrected first, then retry, correct or discard the rejected events. No event is lost.',
  nothingApplied: 'Nothing is taken from {0}, and {1}, the oldest for {2}.',
  nothingAppliedRemedy:
    'Read the log of the workers: it says what they wait for. Check that the database answers.',
  queueOld: 'The oldest job of {0} has waited for {1}, and {2}.',
  queueOldRemedy: 'Events are processed more slowly than they come: start another worker.',
  lagGrows:
    'Events of {0} reach the figures {1} after they were published, two minutes earlier it was {2}, and the queue does not get shorter.',
  lagGrowsRemedy:
    'Start another worker. If commits take longer too (`takt_commit_seconds`), look at PostgreSQL first.',
  auditDifferences: 'The last audit found differences between figures and operations: {0}.',
  auditDifferencesRemedy:
    'Run `npx takt audit` to see them and `npx takt rebuild` to repair them, and report it: it should never happen.',
});

type AlarmText = keyof typeof alarmTexts;

/** Formats the texts of alarms and the values in them in one language. */
export interface Voice {
  say(text: AlarmText, ...values: readonly string[]): string;
  /** Writes a number with at most one decimal. */
  number(value: number): string;
  jobs(count: number): string;
  /** Writes a duration as 0.3 s, 12 s, 3 min, 5 h or 2 d. The symbols are the same in every language. */
  span(seconds: number): string;
}

export function speak(language: Language): Voice {
  const say = (text: AlarmText, ...values: readonly string[]) => fillText(alarmTexts[text][language], values);
  const number = (value: number) => formatNumber(language, value);
  return {
    say,
    number,
    jobs: (count) => (count === 1 ? say('oneJob') : say('manyJobs', number(count))),
    span: (seconds) => formatSpan(language, seconds),
  };
}
