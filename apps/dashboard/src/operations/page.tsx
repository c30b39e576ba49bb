import { type Markup, render } from '@takt/pages';
import { FLOW_RANGES, type FlowRange } from '@takt/run/monitoring';
import { Instant } from '../pages/parts.js';
import { AlarmHistory, AlarmTable } from './alarm-history.js';
import { RANGE_NAMES } from './chart.js';
import {
  AuditFigures,
  DatabaseTables,
  FlowFigures,
  LagFigures,
  QueueFigures,
  RejectedReasons,
  SourceTable,
  UnlistedTable,
  WorkerTable,
} from './regions.js';
import type { Sample } from './sampler.js';
import { Verdict } from './verdict.js';
import type { OperationsView } from './view.js';

/** The parts of the page that change, each by the id of its element. */
const REGIONS = {
  asOf: ({ sample }: OperationsView) => (
    <>
      As of <Instant ms={sample.atMs} />
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
} as const;

const FLOW_RANGE_NAMES = Object.keys(FLOW_RANGES) as readonly FlowRange[];
const DEFAULT_RANGE: FlowRange = 'hour';

/** What the charts show where an address names a range, or none. */
export function rangeOf(query: URLSearchParams): FlowRange {
  return FLOW_RANGE_NAMES.find((range) => range === query.get('range')) ?? DEFAULT_RANGE;
}

type Region = keyof typeof REGIONS;

/** These parts as HTML. */
export function writeRegions(view: OperationsView): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(REGIONS).map(([id, Part]) => [id, render(<Part {...view} />)]));
}

/** The content of the page. With a script it is kept up to date; without, the link loads it anew. */
export function operationsPage(view: OperationsView): Markup {
  return (
    <>
      <div class="title">
        <h1>Operations</h1>
        <p class="as-of">
          <span id="asOf">
            <REGIONS.asOf {...view} />
          </span>{' '}
          <a href={`${view.base}/`}>Refresh</a>
        </p>
      </div>
      <div id="verdict" role="status">
        <Verdict {...view} />
      </div>
      <Ranges {...view} />
      <div class="grid">
        <Card region="flow" title="Flow" view={view} />
        <Card region="lag" title="Lag to the figures" view={view} />
        <Card region="queued" title="Queues" view={view} />
      </div>
      <Card region="alarms" title="Alarms of the last 30 days" view={view} />
      <div class="grid">
        <Card region="rejected" title="Rejected events" view={view} />
        <Card region="workers" title="Workers" view={view} />
      </div>
      <div class="grid">
        <Card region="unlisted" title="Waiting for master data" view={view} />
        <Card region="sources" title="Last heard of" view={view} />
        <div class="stack">
          <Card region="audit" title="Last audit" view={view} />
          <Card region="database" title="Database" view={view} />
        </div>
      </div>
    </>
  );
}

/** The content of the page of all alarms that are kept. */
export function alarmsPage({ records, atMs }: Sample): Markup {
  return (
    <>
      <div class="title">
        <h1>Alarms of the last 30 days</h1>
      </div>
      {records.length === 0 ? <p class="nothing">None.</p> : <AlarmTable records={records} atMs={atMs} />}
    </>
  );
}

interface CardProps {
  readonly region: Region;
  readonly title: string;
  readonly view: OperationsView;
}

function Card({ region, title, view }: CardProps): Markup {
  const Part = REGIONS[region];
  return (
    <section class="card" aria-labelledby={`${region}-title`}>
      <h2 id={`${region}-title`}>{title}</h2>
      <div id={region}>
        <Part {...view} />
      </div>
    </section>
  );
}

/** The ranges that the charts can show, as links. */
function Ranges({ range, base }: OperationsView): Markup {
  return (
    <nav class="tabs" aria-label="Time that the charts show">
      <ul>
        {FLOW_RANGE_NAMES.map((one) => (
          <li>
            <a
              href={`${base}/${one === DEFAULT_RANGE ? '' : `?range=${one}`}`}
              aria-current={one === range ? 'true' : undefined}
            >
              {RANGE_NAMES[one].name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
