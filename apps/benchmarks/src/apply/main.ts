import { applyWorkOrderOperationEvents, type WorkOrderOperationEvent } from '@takt/figures';
import { type Defer, type Figures, figureOf, goal, report, runRounds, withCleanup } from '../harness.js';
import { makeWorkload, type Servers, startServers } from '../ingest/servers.js';
import { applyBatches } from './apply-batches.js';

/** Number of events for each variant and round. A variant with batches of one event uses only a fifth of them. */
const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 5_000);
const STRUCTURES = Number(process.env['BENCH_STRUCTURES'] ?? 300);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const SEED = Number(process.env['BENCH_SEED'] ?? 1);
const WARM_UP_EVENTS = 100;
const CPU = 'backend CPU µs/event';

interface Variant {
  readonly hasStatistics: boolean;
  /** Number of events per batch. */
  readonly size: number;
  /** Share of the events that an earlier batch has already applied. */
  readonly duplicates: number;
  /** True if the events name structure versions, work orders and operations by keys. */
  readonly hasKeys?: boolean;
}

const SIZES = [1, 30, 500, 1_000];
const byNumbers: readonly Variant[] = [true, false].flatMap((hasStatistics) =>
  SIZES.flatMap((size) => [0, 0.01, 0.2].map((duplicates) => ({ hasStatistics, size, duplicates }))),
);
const byKeys: readonly Variant[] = SIZES.map((size) => ({
  hasStatistics: true,
  size,
  duplicates: 0,
  hasKeys: true,
}));
const nameOf = ({ hasStatistics, size, duplicates, hasKeys }: Variant) =>
  `batches of ${size}, ${duplicates * 100} % duplicates, ${hasStatistics ? 'with' : 'without'} statistics${hasKeys ? ', by keys' : ''}`;

/** Gives the structure versions of the workload keys, as if their master data had arrived with keys. */
const KEYS_OF_VERSIONS = `
  INSERT INTO takt.key_counters (company_id, kind, last_number)
  SELECT company_id, 'version', max(product_structure_version_id) FROM takt.product_structure_versions GROUP BY company_id;
  INSERT INTO takt.object_keys (company_id, kind, key, number)
  SELECT company_id, 'version', 'WL-' || product_structure_version_id, product_structure_version_id
  FROM takt.product_structure_versions`;

const { masterData, parsed } = makeWorkload(Math.ceil(EVENTS * 1.1) + WARM_UP_EVENTS, STRUCTURES, SEED);
/** Each operation has only one event, so that the variant alone decides how many events are duplicates. */
const events = [...new Map(parsed.map((event) => [event.workOrderOperationId, event])).values()];

await withCleanup(async (defer) => {
  const servers = await startServers(defer, masterData);
  const contestants = [...byNumbers, ...byKeys].map((variant) => ({
    name: nameOf(variant),
    run: () => withCleanup((deferClose) => measureVariant(servers, deferClose, variant)),
  }));
  const results = await runRounds(contestants, ROUNDS);
  const cpuOf = (variant: Variant) => figureOf(results, nameOf(variant), CPU);
  const rows = byNumbers.map((variant) => ({
    'events a batch': variant.size,
    duplicates: `${variant.duplicates * 100} %`,
    'statistics of companies': variant.hasStatistics ? 'yes' : 'no',
    [CPU]: cpuOf(variant),
    'to 0 %': cpuOf(variant) / cpuOf({ ...variant, duplicates: 0 }),
  }));
  const keyed = byKeys.map((variant) => ({
    'events a batch': variant.size,
    [CPU]: cpuOf(variant),
    'to numbers': cpuOf(variant) / cpuOf({ ...variant, hasKeys: false }),
  }));
  await report(
    'apply',
    { events: EVENTS, structures: STRUCTURES, rounds: ROUNDS, seed: SEED },
    {
      'CPU time of the statement': rows,
      'With keys in place of numbers': keyed,
      'Goals for the statement': [
        goal('highest ratio to 0 % duplicates', Math.max(...rows.map((row) => row['to 0 %'])), '<= 1.5'),
        goal(
          'highest ratio of keys to numbers, from 30 events a batch on',
          Math.max(...keyed.slice(1).map((row) => row['to numbers'])),
          '<= 1.15',
        ),
      ],
    },
  );
});

async function measureVariant({ makeDatabase }: Servers, defer: Defer, variant: Variant): Promise<Figures> {
  const { database } = await makeDatabase(defer);
  const client = await database.pool.connect();
  defer(async () => client.release());
  await client.query(
    variant.hasStatistics ? 'ANALYZE takt.companies' : "SELECT pg_clear_relation_stats('takt', 'companies')",
  );
  const count = Math.ceil((variant.size === 1 ? EVENTS / 5 : EVENTS) * (1 - variant.duplicates));
  const all = events.slice(0, WARM_UP_EVENTS + count);
  if (variant.hasKeys) await client.query(KEYS_OF_VERSIONS);
  const named = variant.hasKeys ? all.map(toKeyed) : all;
  // The first batches fill the plan cache.
  for (const event of named.slice(0, WARM_UP_EVENTS)) await applyWorkOrderOperationEvents(client, [event]);
  return applyBatches(client, cutBatches(named.slice(WARM_UP_EVENTS), variant));
}

function toKeyed(event: WorkOrderOperationEvent): WorkOrderOperationEvent {
  const workOrderOperationKey = `FA-2026/${event.workOrderOperationId}`;
  const operation = { workOrderOperationId: null, workOrderOperationKey };
  if (event.type === 'work-order-operation.reopened.v1') return { ...event, ...operation };
  return {
    ...event,
    ...operation,
    workOrderId: null,
    workOrderKey: `FA-2026/${event.workOrderId}`,
    productStructureVersionId: null,
    productStructureVersionKey: `WL-${event.productStructureVersionId}`,
  };
}

/**
 * Divides events into batches and spreads duplicates evenly among the batches. A duplicate repeats an event of an
 * earlier batch.
 */
function cutBatches(
  fresh: readonly WorkOrderOperationEvent[],
  { size, duplicates }: Variant,
): readonly (readonly WorkOrderOperationEvent[])[] {
  const batches: WorkOrderOperationEvent[][] = [];
  let used = 0;
  let repeated = 0;
  while (used < fresh.length) {
    const batch: WorkOrderOperationEvent[] = [];
    const earlier = used;
    while (batch.length < size && used < fresh.length) {
      const isDuplicate = earlier > 0 && repeated + 1 <= (used + repeated + 1) * duplicates;
      const event = fresh[isDuplicate ? (repeated++ * 7) % earlier : used++];
      if (event !== undefined) batch.push(event);
    }
    batches.push(batch);
  }
  return batches;
}
