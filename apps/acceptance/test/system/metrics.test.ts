import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createAccessToken } from '@takt/access';
import { readMigrations } from '@takt/database';
import { type AppProcess, startApp } from '@takt/database/testing';
import { openPublisher } from '@takt/events';
import { addCompany } from '@takt/figures/master-data';
import { completion, needsProgram, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { readExposition, type Series } from '../support/exposition.js';
import { LIST } from '../support/production-times.js';
import { TOKEN_LIFETIME_MS } from '../support/test-api.js';
import { openTestSystem, type TestSystem } from '../support/test-system.js';

const DOCKER = new URL('../../../../../docker/', import.meta.url);
const RULES = fileURLToPath(new URL('prometheus/', DOCKER));
/** Text in every name that the clients of this test invent. No metric may contain it. */
const MARK = 'invented';
const SERIES_OF_ALL = 2_000;

const run = promisify(execFile);

describe('the metrics of worker, API and intake', function () {
  this.timeout(180_000);
  let system: TestSystem;
  let worker: AppProcess;
  let api: AppProcess;
  let intake: AppProcess;
  let token: string;
  let round = 0;
  let startedAt: number;

  before(async function () {
    needsProgram(this, 'promtool');
    system = await openTestSystem(this, 'postgres');
    await addCompany(system.database, 'TEM-NO', 'Company of the good events');
    ({ token } = await createAccessToken(system.database, {
      companyCodes: ['TEM-NO'],
      expiresInMs: TOKEN_LIFETIME_MS,
      duties: ['read-production-times'],
      mayPublish: true,
    }));
    const [started] = await system.startWorkers(1);
    if (started === undefined) throw new Error('no worker');
    worker = started;
    api = await startApp('api', { databaseUrl: system.databaseUrl });
    intake = await startApp('intake', system);
    startedAt = performance.now();
    await work();
  });
  after(async () => {
    await api?.stop();
    await intake?.stop();
    await system?.close();
  });

  /** Publishes valid and invalid events, and sends valid and invalid requests. Every call uses new names. */
  async function work(): Promise<void> {
    round += 1;
    const name = `${MARK}${round}`;
    const publisher = await openPublisher(system.queueUrl);
    const operations = Array.from({ length: 20 }, (_, index) => completion(round * 100 + index));
    await publisher.publish(operations, { batchSize: 1 });
    await publisher.publish(operations.slice(0, 5).map((event) => ({ ...event, id: `again-${name}` })));
    await publisher.close();
    const hostile = Array.from({ length: 20 }, (_, index) => {
      const type = `${name}.${index}.v1`;
      return { name: type, data: { ...operations[0], type, source: `/${name}/${index}` } };
    });
    await system.queues['work-order-operations'].addBulk(hostile);
    await system.drain(30_000);
    const ask = (path: string, method = 'GET', accept = 'application/json') =>
      fetch(`${api.origin}${path}`, { method, headers: { authorization: `Bearer ${token}`, accept } })
        .then((response) => response.arrayBuffer())
        .catch(() => undefined);
    for (const accept of ['application/json', 'application/xml', 'text/html', `text/${name}`]) {
      await ask(LIST, 'GET', accept);
      await ask(`/${name}/${encodeURIComponent('"}\n')}`, 'GET', accept);
      await ask(`${LIST}/${name}?$filter=${name}`, 'GET', accept);
    }
    for (const method of ['DELETE', 'PUT', 'POST', 'OPTIONS', 'PROPFIND']) await ask(`/${name}`, method);
    await publishOverHttp(name);
  }

  /** Publishes one valid event, and sends many kinds of invalid requests. */
  async function publishOverHttp(name: string): Promise<void> {
    const ask = async (path: string, body: string, headers: Readonly<Record<string, string>> = {}) => {
      const response = await fetch(`${intake.origin}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        body,
      });
      await response.arrayBuffer();
      return response.status;
    };
    const event = JSON.stringify(completion(round * 100 + 50));
    // A process that has just started may first report that the database is slow.
    await waitUntil('the event is taken', async () => (await ask('/events', event)) === 202);
    for (const [path, body, headers] of [
      ['/events', JSON.stringify({ ...completion(1), type: name }), {}],
      [`/events?${name}=1`, name, { 'content-type': `text/${name}` }],
      ['/events', '{}', { authorization: name }],
      [`/${name}`, '{}', { 'content-type': name }],
    ] as const) {
      expect(await ask(path, body, headers)).to.be.within(400, 404);
    }
    await system.drain(30_000);
  }

  const textOf = async (origin: string) => (await fetch(`${origin}/metrics`)).text();
  const read = async () => ({
    worker: await textOf(worker.origin),
    api: await textOf(api.origin),
    intake: await textOf(intake.origin),
  });

  it('have a format that promtool accepts', async () => {
    for (const [app, text] of Object.entries(await read())) {
      const checking = run('promtool', ['check', 'metrics']);
      checking.child.stdin?.end(text);
      const { stdout, stderr } = await checking.catch((error: { stdout: string; stderr: string }) => error);
      expect(`${stdout}${stderr}`, app).to.equal('');
    }
  });

  it('cover events by type and outcome, queues, lag, pools, requests, version and schema', async () => {
    const all = Object.values(await read()).flatMap(readExposition);
    const valueFrom = (name: string, labels: Series['labels']) =>
      all.find(
        (one) => one.name === name && Object.entries(labels).every(([key, said]) => one.labels[key] === said),
      )?.value;
    const queue = 'work-order-operations';
    const type = 'work-order-operation.completed.v1';
    expect(valueFrom('takt_events_total', { queue, type, outcome: 'applied' })).to.equal(21 * round);
    expect(valueFrom('takt_events_total', { queue, type, outcome: 'duplicate' })).to.equal(5 * round);
    expect(valueFrom('takt_events_total', { queue, type: 'unknown', outcome: 'rejected' })).to.equal(
      20 * round,
    );
    expect(valueFrom('takt_commit_lag_seconds_count', { queue, from: 'publishing' })).to.equal(21 * round);
    const longestLag = (performance.now() - startedAt) / 1_000;
    const publishingLags = valueFrom('takt_commit_lag_seconds_sum', { queue, from: 'publishing' });
    expect(publishingLags, 'in seconds').to.be.within(0, 21 * round * longestLag);
    expect(valueFrom('takt_commit_lag_seconds_count', { queue, from: 'completion' })).to.equal(21 * round);
    expect(valueFrom('takt_queue_jobs', { queue, state: 'failed' })).to.equal(0);
    expect(valueFrom('takt_queue_jobs', { queue, state: 'waiting' })).to.equal(0);
    expect(valueFrom('takt_queue_oldest_job_seconds', { queue })).to.equal(0);
    expect(valueFrom('takt_stuck_jobs', { queue })).to.equal(0);
    expect(
      valueFrom('takt_http_requests_total', { route: LIST, status: '200', format: 'json' }),
    ).to.be.at.least(round);
    expect(
      valueFrom('takt_http_request_seconds_count', { route: LIST, format: 'xml', status_class: '2xx' }),
    ).to.be.at.least(round);
    for (const [name, pool] of [
      ['takt_pool_max_connections', 'database'],
      ['takt_pool_max_connections', 'queue'],
      ['takt_statement_seconds_count', 'database'],
    ] as const) {
      expect(valueFrom(name, { pool }), `${name} ${pool}`).to.be.above(0);
    }
    const ofIntake = { route: '/events', format: 'json' };
    expect(valueFrom('takt_http_requests_total', { ...ofIntake, status: '202' })).to.equal(round);
    expect(valueFrom('takt_http_request_seconds_count', { ...ofIntake, status_class: '2xx' })).to.equal(
      round,
    );
    const versions = all.filter(({ name }) => name === 'takt_schema_version').map(({ value }) => value);
    expect(versions).to.have.length(3);
    const known = (await readMigrations()).length;
    expect([...new Set(versions)]).to.deep.equal([known]);
    expect(valueFrom('takt_build_info', {})).to.equal(1);
  });

  it('do not grow in number through client input, and contain no client text', async () => {
    await work();
    const before = await read();
    await work();
    await work();
    const after = await read();
    for (const app of ['worker', 'api', 'intake'] as const) {
      // Compares only the metrics of Takt. Node.js adds metrics for each kind of garbage collection when that kind has
      // run once.
      const ofTakt = (text: string) => readExposition(text).filter(({ name }) => name.startsWith('takt_'));
      const [few, many] = [ofTakt(before[app]), ofTakt(after[app])];
      expect(many.length, app).to.equal(few.length);
      expect(many.length, app).to.be.below(SERIES_OF_ALL);
      expect(after[app], app).not.to.include(MARK);
    }
  });

  it('include every metric and label of the Grafana dashboard and the alarm rules', async () => {
    const all = Object.values(await read()).flatMap(readExposition);
    const ofTarget = ['job', 'instance'];
    // Only an API with a replica reports takt_replica_lag_seconds. Another test reads it there.
    const known = new Map(['up', 'takt_replica_lag_seconds'].map((name) => [name, new Set(ofTarget)]));
    // Only the dashboard reports takt_alarm.
    known.set('takt_alarm', new Set([...ofTarget, 'alarm', 'subject']));
    for (const { name, labels } of all) {
      known.set(name, new Set([...(known.get(name) ?? ofTarget), ...Object.keys(labels)]));
    }
    const grafana: unknown = JSON.parse(await readFile(new URL('grafana/takt.json', DOCKER), 'utf8'));
    const rules = await readFile(new URL('prometheus/alerts.yml', DOCKER), 'utf8');
    const expressions = [
      ...expressionsOf(grafana),
      ...[...rules.matchAll(/expr: (?:>-\n((?: {10}.*\n)+)|(.*)\n)/g)].map(
        ([, block, line]) => block ?? line ?? '',
      ),
    ];
    expect(expressions).to.have.length.above(30);
    const wrong = expressions.flatMap((expression) => {
      const asked = findAsked(expression);
      expect(asked.names, expression).not.to.deep.equal([]);
      return [
        ...asked.names.filter((name) => !known.has(name)),
        ...asked.labels.filter((label) => !asked.names.some((name) => known.get(name)?.has(label) === true)),
      ].map((problem) => `${problem} in ${expression}`);
    });
    expect(wrong).to.deep.equal([]);
  });

  it('make each alarm rule raise its alarm in time; the guide has instructions for each alarm', async () => {
    await run('promtool', ['check', 'rules', `${RULES}alerts.yml`]);
    await run('promtool', ['check', 'config', `${RULES}prometheus.yml`]);
    await run('promtool', ['test', 'rules', `${RULES}alerts.test.yml`]);
    const rules = await readFile(`${RULES}alerts.yml`, 'utf8');
    const tests = await readFile(`${RULES}alerts.test.yml`, 'utf8');
    const guide = await readFile(new URL('../docs/operating/alarms.md', DOCKER), 'utf8');
    const anchors = new Set([...guide.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title.toLowerCase()));
    const alarms = [...rules.matchAll(/alert: (\w+)/g)].map(([, name = '']) => name);
    const links = [...rules.matchAll(/runbook_url: docs\/operating\/alarms\.md#(\S+)/g)].map(
      ([, anchor = '']) => anchor,
    );
    expect(links).to.deep.equal(alarms.map((name) => name.toLowerCase()));
    expect(links.filter((anchor) => !anchors.has(anchor))).to.deep.equal([]);
    const rung = (name: string) => new RegExp(`alertname: ${name}\\n +exp_alerts:`).test(tests);
    expect(alarms.filter((name) => !rung(name))).to.deep.equal([]);
  });
});

/** Returns every `expr` of a Grafana dashboard. */
function expressionsOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'expr' && typeof inner === 'string' ? [inner] : expressionsOf(inner),
  );
}

/** Returns the names of metrics and labels in a PromQL expression. */
function findAsked(expression: string): {
  readonly names: readonly string[];
  readonly labels: readonly string[];
} {
  const bare = expression.replace(/"(?:[^"\\]|\\.)*"/g, '""').replace(/\[[^\]]*\]/g, '');
  const braces = [...bare.matchAll(/\{([^}]*)\}/g)].flatMap(
    ([, inner = '']) => inner.match(/\w+(?=\s*[=!])/g) ?? [],
  );
  const groups = [...bare.matchAll(/\b(?:by|without) \(([^)]*)\)/g)].flatMap(
    ([, inner = '']) => inner.match(/\w+/g) ?? [],
  );
  const names = bare.match(/\b(?:takt_|nodejs_|process_)\w+|\bup\b/g) ?? [];
  return { names, labels: [...braces, ...groups] };
}
