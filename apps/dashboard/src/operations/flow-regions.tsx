import type { Markup } from '@takt/pages';
import { Ago, End, Note, Table } from '../pages/parts.js';
import { countOf, numberOf, spanOf } from '../pages/words.js';
import { Chart } from './chart.js';
import { Figures } from './figures.js';
import type { OperationsView } from './view.js';

function rateOf(value: number): string {
  return value === 0 || value >= 10 ? numberOf(value) : value.toFixed(1);
}

export function FlowFigures({ sample: { rates, history, reports } }: OperationsView): Markup {
  const chart = (
    <Chart
      history={history}
      label="Events a second"
      figureOf={(point) =>
        point.rates && point.rates.applied + point.rates.duplicate + point.rates.stale + point.rates.rejected
      }
      format={(value) => `${rateOf(value)}/s`}
      least={1}
    />
  );
  if (rates === undefined) {
    return (
      <>
        <Note>
          {reports.length === 0
            ? 'No worker tells.'
            : 'Measuring: workers report every 5 s, and it takes two reports.'}
        </Note>
        {chart}
      </>
    );
  }
  const { applied, duplicate, stale, rejected } = rates;
  const unit = '/s';
  return (
    <>
      <Figures
        all={[
          { name: 'Events in', value: rateOf(applied + duplicate + stale + rejected), unit },
          { name: 'Applied', value: rateOf(applied), unit },
          { name: 'Duplicate', value: rateOf(duplicate), unit },
          { name: 'Stale', value: rateOf(stale), unit },
          { name: 'Rejected', value: rateOf(rejected), unit, isBad: rejected > 0 },
        ]}
      />
      {chart}
    </>
  );
}

export function LagFigures({ sample }: OperationsView): Markup {
  const figureOf = (seconds: number | null) => (seconds === null ? '–' : spanOf(seconds));
  const last = sample.history.findLast(({ publishingLagSeconds }) => publishingLagSeconds !== null);
  const isOld = sample.publishingLagSeconds === null && last !== undefined;
  const shown = isOld ? last : sample;
  return (
    <>
      <Figures
        all={[
          { name: 'From publishing', value: figureOf(shown.publishingLagSeconds) },
          { name: 'From completion', value: figureOf(shown.completionLagSeconds) },
        ]}
      />
      {last === undefined && <Note>No event was applied in the last minutes.</Note>}
      {isOld && (
        <Note>
          When events were applied last, <Ago ms={last.atMs} />.
        </Note>
      )}
      <Chart
        history={sample.history}
        label="Seconds from publishing to commit"
        figureOf={({ publishingLagSeconds }) => publishingLagSeconds}
        format={spanOf}
        least={0.5}
      />
    </>
  );
}

export function QueueFigures({ sample: { queues, history } }: OperationsView): Markup {
  return (
    <>
      <Table class="items" columns={['Jobs', '>Waiting', '>Active', '>Oldest']}>
        {queues.map(({ name, isPaused, waiting, active, oldestWaitSeconds }) => (
          <tr>
            <th scope="row">
              {name}
              {isPaused && (
                <>
                  {' '}
                  <strong class="over">paused</strong>
                </>
              )}
            </th>
            <End>{numberOf(waiting)}</End>
            <End>{numberOf(active)}</End>
            <End>{oldestWaitSeconds === null ? '–' : spanOf(oldestWaitSeconds)}</End>
          </tr>
        ))}
      </Table>
      <Chart
        history={history}
        label="Jobs that wait"
        figureOf={({ waitingJobs }) => waitingJobs}
        format={(value) => countOf(value, 'job')}
        least={10}
      />
    </>
  );
}
