import { FLOW_RANGES, type Outcome, type Outcomes, type WorkerReport } from '@takt/database/monitoring';
import { type Markup, PlainTable } from '@takt/pages';
import { unitOfSpan } from '@takt/texts';
import { End, Figures, Note } from '../pages/parts.js';
import { Chart } from './chart.js';
import type { OperationsView } from './view.js';

/** Returns the events per second of all workers together. */
function ratesOf(reports: readonly WorkerReport[]): Outcomes {
  const sum = (outcome: Outcome) => reports.reduce((all, { perSecond }) => all + perSecond[outcome], 0);
  return {
    applied: sum('applied'),
    duplicate: sum('duplicate'),
    stale: sum('stale'),
    rejected: sum('rejected'),
  };
}

export function sumOf({ applied, duplicate, stale, rejected }: Outcomes): number {
  return applied + duplicate + stale + rejected;
}

export function FlowFigures({ sample: { reports, atMs }, range, history, words }: OperationsView): Markup {
  const { say, rate } = words;
  const rates = ratesOf(reports);
  const unit = '/s';
  const { slotSeconds } = FLOW_RANGES[range];
  const chart = {
    range,
    history,
    words,
    endMs: atMs,
    format: (value: number) => `${rate(value)}/s`,
    least: 1,
  };
  return (
    <>
      {reports.length === 0 ? (
        <Note>{say('noWorkerTells')}</Note>
      ) : (
        <Figures
          all={[
            { name: say('eventsIn'), value: rate(sumOf(rates)), unit },
            { name: say('applied'), value: rate(rates.applied), unit },
            { name: say('duplicate'), value: rate(rates.duplicate), unit },
            { name: say('stale'), value: rate(rates.stale), unit },
            { name: say('rejected'), value: rate(rates.rejected), unit, isBad: rates.rejected > 0 },
          ]}
        />
      )}
      <Chart
        {...chart}
        label={say('eventsPerSecond')}
        figureOf={({ events }) => sumOf(events) / slotSeconds}
      />
      <Chart
        {...chart}
        label={say('rejectedPerSecond')}
        figureOf={({ events }) => events.rejected / slotSeconds}
      />
    </>
  );
}

/** An event that was completed longer ago than this is an import or a correction, so its age is not a lag. */
const OLD_COMPLETION_SECONDS = 86_400;

export function LagFigures({ sample: { reports, atMs }, range, history, words }: OperationsView): Markup {
  const { say, span } = words;
  const now = {
    publishing: longest(reports.map(({ publishingLagSeconds }) => publishingLagSeconds)),
    completion: longest(reports.map(({ completionLagSeconds }) => completionLagSeconds)),
  };
  const last = history.findLast(({ publishingLagSeconds }) => publishingLagSeconds !== null);
  const isOld = now.publishing === null && last !== undefined;
  const lastCommitMs = longest(reports.map(({ lastCommitAt }) => lastCommitAt?.getTime() ?? null));
  const publishing = isOld ? last.publishingLagSeconds : now.publishing;
  const completion = isOld ? last.completionLagSeconds : now.completion;
  const isLoaded = completion !== null && completion > OLD_COMPLETION_SECONDS;
  const format = (seconds: number) => span(inWholeUnits(seconds));
  const figureOf = (seconds: number | null) => (seconds === null ? '–' : format(seconds));
  // Without a worker, an earlier value would look like the present one.
  const isUnknown = reports.length === 0;
  return (
    <>
      <Figures
        all={[
          { name: say('fromPublishing'), value: isUnknown ? say('unknown') : figureOf(publishing) },
          ...(isLoaded || isUnknown ? [] : [{ name: say('fromCompletion'), value: figureOf(completion) }]),
        ]}
      />
      {isUnknown && <Note>{say('noWorkerTells')}</Note>}
      {isLoaded && !isUnknown && <Note>{say('oldCompletion', span(completion))}</Note>}
      {publishing === null && !isUnknown && <Note>{say('noneApplied')}</Note>}
      {isOld && !isUnknown && (
        <Note>{say('appliedLast', words.ago(lastCommitMs ?? last.beginsAt.getTime()))}</Note>
      )}
      <Chart
        range={range}
        history={history}
        words={words}
        endMs={atMs}
        label={say('longestLag')}
        figureOf={({ publishingLagSeconds }) => publishingLagSeconds}
        format={format}
        unitOf={unitOfSpan}
        least={0.5}
      />
    </>
  );
}

/** Rounds a duration in seconds to the unit in which it is written. A lag of 8.9 min is rather 9 min than 8. */
export function inWholeUnits(seconds: number): number {
  const unit = unitOfSpan(seconds);
  return unit === 1 ? seconds : Math.round(seconds / unit) * unit;
}

export function longest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

export function QueueFigures({ sample: { queues, atMs }, range, history, words }: OperationsView): Markup {
  const { say, number, span } = words;
  return (
    <>
      {queues === undefined ? (
        <Note>{say('queuesAway')}</Note>
      ) : (
        <PlainTable
          class="items"
          columns={[say('jobs'), `>${say('waiting')}`, `>${say('active')}`, `>${say('oldest')}`]}
        >
          {queues.map(({ name, isPaused, waiting, active, oldestWaitSeconds }) => (
            <tr>
              <th scope="row">
                {name}
                {isPaused && (
                  <>
                    {' '}
                    <strong class="over">{say('paused')}</strong>
                  </>
                )}
              </th>
              <End>{number(waiting)}</End>
              <End>{number(active)}</End>
              <End>{oldestWaitSeconds === null ? '–' : span(oldestWaitSeconds)}</End>
            </tr>
          ))}
        </PlainTable>
      )}
      <Note>{say('jobHolds')}</Note>
      <Chart
        range={range}
        history={history}
        words={words}
        endMs={atMs}
        label={say('jobsThatWait')}
        figureOf={({ waitingJobs }) => waitingJobs}
        format={(value) => words.count('Job', value)}
        formatTick={number}
        least={10}
      />
    </>
  );
}
