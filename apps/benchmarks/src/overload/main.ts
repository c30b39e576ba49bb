import { findFreePort, openConnection, request, startProxy } from '@takt/test-support';
import {
  type Figures,
  figureOf,
  goal,
  percentile,
  type Results,
  type Row,
  report,
  runRounds,
  startServer,
  withCleanup,
} from '../harness.js';
import { fillDatabase } from '../read/fill-database.js';
import { LIST_PATH, makeQueries } from '../read/requests.js';
import { openFilled, startMeasuredApi } from '../read/serve-list.js';

const ROWS = Number(process.env['BENCH_ROWS'] ?? 10_000);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 10);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 1);
const SEED = Number(process.env['BENCH_SEED'] ?? 1);
/**
 * Numbers of connections for the measurements. The rate is best with one of the first numbers; the last numbers are far
 * beyond it.
 */
const CONNECTIONS = (process.env['BENCH_CONNECTIONS'] ?? '8,16,32,64,200,500').split(',').map(Number);
/** Time before the measurement starts. */
const WARM_UP_MS = 3_000;
/** Addresses from which the clients come, in turn. */
const ADDRESSES = Array.from({ length: 100 }, (_, index) => `127.0.1.${1 + index}`);

await withCleanup(async (defer) => {
  const server = await startServer(defer);
  const url = await server.createDatabase('bench_overload');
  await fillDatabase(url, { structureVersions: ROWS });
  const { token } = await openFilled(defer, url);
  const api = await startMeasuredApi(defer, url, { TRUSTED_PROXIES: '127.0.0.1' });
  const { host } = new URL(api.origin);
  const port = await findFreePort();
  const proxy = await startProxy(port, { api: host, intake: host, dashboard: host });
  defer(proxy.close);
  const messages = makeQueries('ordered', 200, SEED).map((query) =>
    request(`${LIST_PATH}?${query}`, { Authorization: `Bearer ${token}` }),
  );
  const toContestant = (clients: number) => ({
    name: String(clients),
    run: () => askAtOnce(clients, port, messages),
  });
  await toContestant(8).run();
  const results = await runRounds(CONNECTIONS.map(toContestant), ROUNDS);
  const rateOf = (clients: number) => figureOf(results, String(clients), 'useful answers/s');
  const best = Math.max(...CONNECTIONS.map(rateOf));
  const rows = [...results].map(([clients, { 'asked/s': asked = 0, ...figures }]) => ({
    connections: Number(clients),
    'asked / best': asked / best,
    'to the best': rateOf(Number(clients)) / best,
    ...figures,
  }));
  await report(
    'overload',
    { rows: ROWS, seconds: SECONDS, rounds: ROUNDS, seed: SEED },
    {
      'Rates of requests and of useful answers, divided by the best rate of useful answers': rows,
      'Goals for overload': toGoals(results, best),
    },
  );
});

/** Makes the goals for the largest number of connections. */
function toGoals(results: Results, best: number): readonly Row[] {
  const most = Math.max(...CONNECTIONS);
  const of = (title: string) => figureOf(results, String(most), title);
  const failures = CONNECTIONS.reduce(
    (sum, clients) => sum + figureOf(results, String(clients), 'failures'),
    0,
  );
  return [
    goal(`useful answers with ${most} connections / best`, of('useful answers/s') / best, '>= 0.75'),
    goal(`accepted p99 ms with ${most} connections`, of('accepted p99 ms'), '<= 1000'),
    goal('requests that failed', failures, '<= 0'),
  ];
}

/** Starts clients. Each client sends its next request as soon as it has received an answer or a refusal. */
async function askAtOnce(clients: number, port: number, messages: readonly string[]): Promise<Figures> {
  const measuredFrom = performance.now() + WARM_UP_MS;
  const end = measuredFrom + SECONDS * 1_000;
  const accepted: number[] = [];
  const refused: number[] = [];
  let failures = 0;
  let next = 0;
  const ask = async (_: unknown, client: number) => {
    const connection = await openConnection(port, ADDRESSES[client % ADDRESSES.length]);
    connection.socket.setNoDelay(true);
    while (performance.now() < end) {
      const sentAt = performance.now();
      connection.send(messages[next++ % messages.length] ?? '');
      const { status } = await connection.answer();
      const answeredAt = performance.now();
      if (status !== 200 && status !== 500) failures += 1;
      if (sentAt < measuredFrom || answeredAt > end) continue;
      (status === 200 ? accepted : refused).push(answeredAt - sentAt);
    }
    connection.destroy();
  };
  const ended = await Promise.allSettled(Array.from({ length: clients }, ask));
  return {
    'asked/s': (accepted.length + refused.length) / SECONDS,
    'useful answers/s': accepted.length / SECONDS,
    'accepted p50 ms': percentile(accepted, 0.5),
    'accepted p99 ms': percentile(accepted, 0.99),
    'refused p50 ms': percentile(refused, 0.5),
    'refused p99 ms': percentile(refused, 0.99),
    failures: failures + ended.filter(({ status }) => status === 'rejected').length,
  };
}
