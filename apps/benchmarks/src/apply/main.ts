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
}

const variants: readonly Variant[] = [true, false].flatMap((hasStatistics) =>
  [1, 30, 500, 1_000].flatMap((size) =>
    [0, 0.01, 0.2].map((duplicates) => ({ hasStatistics, size, duplicates })),
  ),
);
const nameOf = ({ hasStatistics, size, duplicates }: Variant) =>
  `batches of ${size}, ${duplicates * 100} % duplicates, ${hasStatistics ? 'with' : 'without'} statistics`;

const { masterData, parsed } = makeWorkload(Math.ceil(EVENTS * 1.1) + WARM_UP_EVENTS, STRUCTURES, SEED);
/** Each operation has only one event, so that the variant alone decides how many events are duplicates. */
const events = [...new Map(parsed.map((event) => [event.workOrderOperationId, event])).values()];

await withCleanup(async (defer) => {
  const servers = await startServers(defer, masterData);
  const contestants = variants.map((variant) => ({
    name: nameOf(variant),
    run: () => withCleanup((deferClose) => measureVariant(servers, deferClose, variant)),
  }));
  const results = await runRounds(contestants, ROUNDS);
  const cpuOf = (variant: Variant) => figureOf(results, nameOf(variant), CPU);
  const rows = variants.map((variant) => ({
    'events a batch': variant.size,
    duplicates: `${variant.duplicates * 100} %`,
    'statistics of companies': variant.hasStatistics ? 'yes' : 'no',
    [CPU]: cpuOf(variant),
    'to 0 %': cpuOf(variant) / cpuOf({ ...variant, duplicates: 0 }),
  }));
  await report(
    'apply',
    { events: EVENTS, structures: STRUCTURES, rounds: ROUNDS, seed: SEED },
    {
      'CPU time of the statement': rows,
      'Goals for the statement': [
        goal('highest ratio to 0 % duplicates', Math.max(...rows.map((row) => row['to 0 %'])), '<= 1.5'),
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
  // The first batches fill the plan cache.
  for (const event of events.slice(0, WARM_UP_EVENTS)) await applyWorkOrderOperationEvents(client, [event]);
  const count = Math.ceil((variant.size === 1 ? EVENTS / 5 : EVENTS) * (1 - variant.duplicates));
  return applyBatches(client, cutBatches(events.slice(WARM_UP_EVENTS, WARM_UP_EVENTS + count), variant));
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
