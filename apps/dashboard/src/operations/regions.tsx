import type { Markup } from '@takt/pages';
import { FLOW_RANGES, type Outcome, type Outcomes, type WorkerReport } from '@takt/run/monitoring';
import type { Child } from 'hono/jsx';
import { Ago, bytesOf, countOf, End, Note, numberOf, spanOf, Table } from '../pages/parts.js';
import { writeFilter } from '../rejected/filter.js';
import { hiddenOf } from '../rejected/list-page.js';
import { Chart } from './chart.js';
import type { OperationsView } from './view.js';

export interface Figure {
  readonly name: string;
  readonly value: Child;
  readonly unit?: string;
  readonly isBad?: boolean;
}

/** Figures with their names. */
export function Figures({ all }: { readonly all: readonly Figure[] }): Markup {
  return (
    <dl class="figures">
      {all.map(({ name, value, unit, isBad }) => (
        <div>
          <dt>{name}</dt>
          <dd class={isBad === true ? 'over' : undefined}>
            {value}
            {unit !== undefined && (
              <>
                {' '}
                <span class="unit">{unit}</span>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function rateOf(value: number): string {
  return value === 0 || value >= 10 ? numberOf(value) : value.toFixed(1);
}

/** Events that all workers take in a second. */
function ratesOf(reports: readonly WorkerReport[]): Outcomes {
  const sum = (outcome: Outcome) => reports.reduce((all, { perSecond }) => all + perSecond[outcome], 0);
  return {
    applied: sum('applied'),
    duplicate: sum('duplicate'),
    stale: sum('stale'),
    rejected: sum('rejected'),
  };
}

function sumOf({ applied, duplicate, stale, rejected }: Outcomes): number {
  return applied + duplicate + stale + rejected;
}

export function FlowFigures({ sample: { reports, atMs }, range, history }: OperationsView): Markup {
  const rates = ratesOf(reports);
  const unit = '/s';
  const { slotSeconds } = FLOW_RANGES[range];
  const chart = { range, history, endMs: atMs, format: (value: number) => `${rateOf(value)}/s`, least: 1 };
  return (
    <>
      {reports.length === 0 ? (
        <Note>No worker tells.</Note>
      ) : (
        <Figures
          all={[
            { name: 'Events in', value: rateOf(sumOf(rates)), unit },
            { name: 'Applied', value: rateOf(rates.applied), unit },
            { name: 'Duplicate', value: rateOf(rates.duplicate), unit },
            { name: 'Stale', value: rateOf(rates.stale), unit },
            { name: 'Rejected', value: rateOf(rates.rejected), unit, isBad: rates.rejected > 0 },
          ]}
        />
      )}
      <Chart {...chart} label="Events a second" figureOf={({ events }) => sumOf(events) / slotSeconds} />
      <Chart
        {...chart}
        label="Rejected events a second"
        figureOf={({ events }) => events.rejected / slotSeconds}
      />
    </>
  );
}

/** Operations that were completed longer ago than this are loaded later, or corrected: their age is no lag. */
const OLD_COMPLETION_SECONDS = 86_400;

export function LagFigures({ sample: { reports, atMs }, range, history }: OperationsView): Markup {
  const now = {
    publishing: longest(reports.map(({ publishingLagSeconds }) => publishingLagSeconds)),
    completion: longest(reports.map(({ completionLagSeconds }) => completionLagSeconds)),
  };
  const last = history.findLast(({ publishingLagSeconds }) => publishingLagSeconds !== null);
  const isOld = now.publishing === null && last !== undefined;
  const publishing = isOld ? last.publishingLagSeconds : now.publishing;
  const completion = isOld ? last.completionLagSeconds : now.completion;
  const isLoaded = completion !== null && completion > OLD_COMPLETION_SECONDS;
  const figureOf = (seconds: number | null) => (seconds === null ? '–' : spanOf(seconds));
  return (
    <>
      <Figures
        all={[
          { name: 'From publishing', value: figureOf(publishing) },
          ...(isLoaded ? [] : [{ name: 'From completion', value: figureOf(completion) }]),
        ]}
      />
      {isLoaded && (
        <Note>
          Operations that were completed {spanOf(completion)} ago were published now. That is their age, and
          no lag.
        </Note>
      )}
      {publishing === null && <Note>No event was applied in this time.</Note>}
      {isOld && (
        <Note>
          When events were applied last, <Ago ms={last.beginsAt.getTime()} />.
        </Note>
      )}
      <Chart
        range={range}
        history={history}
        endMs={atMs}
        label="Longest lag from publishing to commit"
        figureOf={({ publishingLagSeconds }) => publishingLagSeconds}
        format={spanOf}
        least={0.5}
      />
    </>
  );
}

function longest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

export function QueueFigures({ sample: { queues, atMs }, range, history }: OperationsView): Markup {
  return (
    <>
      {queues === undefined ? (
        <Note>The queues do not answer.</Note>
      ) : (
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
      )}
      <Note>A job holds up to 1,000 events.</Note>
      <Chart
        range={range}
        history={history}
        endMs={atMs}
        label="Jobs that wait"
        figureOf={({ waitingJobs }) => waitingJobs}
        format={(value) => countOf(value, 'job')}
        least={10}
      />
    </>
  );
}

const SHOWN_REASONS = 6;
const SHOWN_SOURCES = 12;
const SHOWN_TABLES = 6;

export function WorkerTable({ sample: { reports } }: OperationsView): Markup {
  const byWorker = new Map(reports.map((report) => [report.workerId, report]));
  if (byWorker.size === 0) return <Note>None was seen in the last 30 s.</Note>;
  return (
    <Table class="items" columns={[countOf(byWorker.size, 'worker'), 'Started', '>Applied', 'Last commit']}>
      {[...byWorker.values()].map(({ workerId, host, pid, version, startedAt }) => {
        const own = reports.filter((report) => report.workerId === workerId);
        const commits = own.flatMap(({ lastCommitAt }) =>
          lastCommitAt === null ? [] : [lastCommitAt.getTime()],
        );
        return (
          <tr>
            <th scope="row">
              {host}{' '}
              <span class="note">
                pid {pid}, version {version}
              </span>
            </th>
            <td>
              <Ago ms={startedAt.getTime()} />
            </td>
            <End>{numberOf(own.reduce((sum, report) => sum + report.applied, 0))}</End>
            <td>{commits.length === 0 ? '–' : <Ago ms={Math.max(...commits)} />}</td>
          </tr>
        );
      })}
    </Table>
  );
}

export function RejectedReasons({ rejected, base }: OperationsView): Markup {
  const { total, hidden, groups, isCut } = rejected;
  const more = hidden > 0 && <Note>{hiddenOf(hidden)}</Note>;
  if (total === 0) return more || <Note>None.</Note>;
  const others = groups.length - SHOWN_REASONS;
  return (
    <>
      <Table class="items reasons" columns={['>Events', 'Reason', 'Last']}>
        {groups.slice(0, SHOWN_REASONS).map(({ rule, count, lastAtMs }) => (
          <tr>
            <End>{numberOf(count)}</End>
            <th scope="row">
              <a href={`${base}/rejected?${writeFilter({ fields: new Map([['rule', rule]]), text: '' })}`}>
                {rule}
              </a>
            </th>
            <td>
              <Ago ms={lastAtMs} />
            </td>
          </tr>
        ))}
      </Table>
      <p>
        <a href={`${base}/rejected`}>
          All {numberOf(total)}
          {isCut && ' newest'}
        </a>
        {others > 0 && `, ${countOf(others, 'more reason')} among them`}
      </p>
      {more}
    </>
  );
}

export function UnlistedTable({ unlisted, unlistedVersions }: OperationsView): Markup {
  const waiting = unlisted.filter(({ operations }) => operations > 0);
  if (waiting.length === 0) {
    return <Note>None: every completed operation is of a known structure version.</Note>;
  }
  return (
    <>
      <Table class="items" columns={['Company, structure versions', '>Versions', '>Operations']}>
        {waiting.map(({ database: code, structureVersions, operations }) => {
          const some = unlistedVersions.filter((one) => one.database === code);
          return (
            <tr>
              <th scope="row">
                {code}
                <span class="note">
                  {some.map(({ productStructureVersionId }) => productStructureVersionId).join(', ')}
                  {structureVersions > some.length && ', …'}
                </span>
              </th>
              <End>{numberOf(structureVersions)}</End>
              <End>{numberOf(operations)}</End>
            </tr>
          );
        })}
      </Table>
      <Note>
        All of them: <code>npx takt unlisted list</code>
      </Note>
    </>
  );
}

export function SourceTable({ sources }: OperationsView): Markup {
  if (sources.length === 0) return <Note>No event has been taken in yet.</Note>;
  return (
    <>
      <Table class="items" columns={['Source, event', 'Published']}>
        {sources.slice(0, SHOWN_SOURCES).map(({ database: code, source, lastEventAt, lastEventId }) => (
          <tr>
            <th scope="row">
              {source}
              <span class="note">
                {code}, {lastEventId}
              </span>
            </th>
            <td>
              <Ago ms={lastEventAt.getTime()} />
            </td>
          </tr>
        ))}
      </Table>
      {sources.length > SHOWN_SOURCES && (
        <Note>And {countOf(sources.length - SHOWN_SOURCES, 'source')} that were heard of before.</Note>
      )}
    </>
  );
}

export function AuditFigures({ sample: { slow } }: OperationsView): Markup {
  if (slow.audit === undefined) {
    return (
      <Note>
        None yet: <code>npx takt audit</code>
      </Note>
    );
  }
  const { at, structureVersions, differences, seconds } = slow.audit;
  return (
    <>
      <Figures
        all={[
          { name: 'Ended', value: <Ago ms={at.getTime()} /> },
          { name: 'Differences', value: numberOf(differences), isBad: differences > 0 },
        ]}
      />
      <Note>
        {countOf(structureVersions, 'structure version')} in {spanOf(seconds)}.
      </Note>
    </>
  );
}

export function DatabaseTables({ sample: { slow } }: OperationsView): Markup {
  const { databaseBytes, tables } = slow.size;
  return (
    <>
      <p>{bytesOf(databaseBytes)} in all</p>
      <Table class="items" columns={['Table', '>Rows', '>Indexes', '>Dead']}>
        {tables.slice(0, SHOWN_TABLES).map(({ table, bytes, indexBytes, liveRows, deadRows }) => {
          const share = liveRows + deadRows === 0 ? 0 : deadRows / (liveRows + deadRows);
          return (
            <tr>
              <th scope="row">{table}</th>
              <End>{bytesOf(bytes)}</End>
              <End>{bytesOf(indexBytes)}</End>
              <End>{Math.round(share * 100)} %</End>
            </tr>
          );
        })}
      </Table>
      {slow.nodes.length > 0 && (
        <Table class="items" columns={['Node', '>Companies', '>Size']}>
          {slow.nodes.map(({ host, port, isCoordinator, companies, bytes }) => (
            <tr>
              <th scope="row">
                {host}:{port}
                {isCoordinator && <span class="note">coordinator</span>}
              </th>
              <End>{numberOf(companies)}</End>
              <End>{bytes === null ? 'away' : bytesOf(bytes)}</End>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}
