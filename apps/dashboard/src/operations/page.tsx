import type { Alarm } from '@takt/alarms';
import { FLOW_RANGES, type FlowRange } from '@takt/database/monitoring';
import { type Markup, render } from '@takt/pages';
import { Instant, OperationsTitle } from '../pages/parts.js';
import type { DashboardText } from '../words.js';
import { AlarmHistory, AlarmTable } from './alarm-history.js';
import { RANGE_NAMES } from './chart.js';
import { FlowFigures, LagFigures, QueueFigures } from './flow-regions.js';
import type { Sample } from './sampler.js';
import {
  AuditFigures,
  DatabaseTables,
  RejectedReasons,
  SourceTable,
  UnlistedTable,
  WorkerTable,
} from './table-regions.js';
import { ValuesTable } from './values-table.js';
import { Verdict } from './verdict.js';
import type { OperationsView } from './view.js';

/** The parts of the page that change, by element id. */
const REGIONS = {
  asOf: ({ sample, words }: OperationsView) => (
    <>
      {words.say('asOf')} <Instant ms={sample.atMs} />
    </>
  ),
  verdict: Verdict,
  flow: FlowFigures,
  lag: LagFigures,
  queued: QueueFigures,
  alarms: AlarmHistory,
  workers: WorkerTable,
  rejected: RejectedReasons,
  unlisted: UnlistedTable,
  sources: SourceTable,
  audit: AuditFigures,
  database: DatabaseTables,
  values: ValuesTable,
} as const;

const FLOW_RANGE_NAMES = Object.keys(FLOW_RANGES) as readonly FlowRange[];
const DEFAULT_RANGE: FlowRange = 'hour';

/** Returns the range of the charts that an address names. The default is the last hour. */
export function rangeOf(query: URLSearchParams): FlowRange {
  return FLOW_RANGE_NAMES.find((range) => range === query.get('range')) ?? DEFAULT_RANGE;
}

type Region = keyof typeof REGIONS;

/** Writes the changing parts of the page as HTML. */
export function writeRegions(view: OperationsView): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(REGIONS).map(([id, Part]) => [id, render(<Part {...view} />)]));
}

/** Returns the content of the start page. A script updates the page; without a script, a link reloads it. */
export function operationsPage(view: OperationsView): Markup {
  const { base, words } = view;
  return (
    <>
      <OperationsTitle title="overview" {...view} />
      <p class="as-of">
        <span class="not-current">{words.say('notCurrent')} </span>
        <span id="asOf" data-live={`${view.base}/live`}>
          <REGIONS.asOf {...view} />
        </span>{' '}
        <a href={`${base}/`}>{words.say('refresh')}</a>
      </p>
      <div id="verdict" role="status">
        <Verdict {...view} />
      </div>
      <Ranges {...view} />
      <div class="grid">
        <Card region="flow" title="flow" view={view} />
        <Card region="lag" title="lag" view={view} />
        <Card region="queued" title="queues" view={view} />
      </div>
      <details class="card values">
        <summary>{words.say('chartValues')}</summary>
        <div id="values">
          <ValuesTable {...view} />
        </div>
      </details>
      <div class="grid">
        <Card region="alarms" title="alarmsOfMonth" view={view} />
      </div>
      <div class="grid">
        <Card region="rejected" title="rejectedEvents" view={view} />
        <Card region="unlisted" title="masterData" view={view} />
        <Card region="workers" title="workers" view={view} />
        <Card region="sources" title="lastHeard" view={view} />
        <Card region="audit" title="lastAudit" view={view} />
        <Card region="database" title="database" view={view} />
      </div>
    </>
  );
}

/** Returns the content of the page with all stored alarms. */
export function alarmsPage(
  page: Pick<Sample, 'records' | 'atMs'> &
    Pick<OperationsView, 'hasAllCompanies' | 'base' | 'words'> & { readonly alarms: readonly Alarm[] },
): Markup {
  const { records, alarms, atMs, words } = page;
  return (
    <>
      <OperationsTitle title="alarmsOfMonth" {...page} />
      {records.length === 0 ? (
        <p class="nothing">{words.say('none')}</p>
      ) : (
        <AlarmTable records={records} found={alarms} atMs={atMs} words={words} />
      )}
    </>
  );
}

interface CardProps {
  readonly region: Region;
  readonly title: DashboardText;
  readonly view: OperationsView;
}

function Card({ region, title, view }: CardProps): Markup {
  const Part = REGIONS[region];
  return (
    <section class="card" aria-labelledby={`${region}-title`}>
      <h2 id={`${region}-title`}>{view.words.say(title)}</h2>
      <div id={region}>
        <Part {...view} />
      </div>
    </section>
  );
}

/** Links to the ranges that the charts can show. */
function Ranges({ range, base, words: { say } }: OperationsView): Markup {
  return (
    <nav class="tabs" aria-label={say('timeShown')}>
      <ul>
        {FLOW_RANGE_NAMES.map((one) => (
          <li>
            <a
              href={`${base}/${one === DEFAULT_RANGE ? '' : `?range=${one}`}`}
              aria-current={one === range ? 'true' : undefined}
            >
              {say(RANGE_NAMES[one])}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
