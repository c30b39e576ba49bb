import { createAccessToken } from '@takt/access';
import { type AppProcess, runTakt, startApp } from '@takt/database/testing';
import { addCompany } from '@takt/figures/master-data';
import { completion, someOf, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { LIST } from '../support/production-times.js';
import { TOKEN_LIFETIME_MS } from '../support/test-api.js';
import { openTestSystem, queueStoreKinds, type TestSystem } from '../support/test-system.js';
import { type ReceivedSpan, startTraceReceiver, type TraceReceiver } from '../support/trace-receiver.js';

/**
 * Module that counts the loaded modules of OpenTelemetry, apart from its interface. It prints the count when the
 * process exits.
 */
const SAYS_WHAT_IT_LOADED = `data:text/javascript,${encodeURIComponent(`
  import { createRequire } from 'node:module';
  process.on('exit', () => {
    const loaded = Object.keys(createRequire('/').cache).filter((file) => /opentelemetry.(sdk|exporter|otlp|core)/.test(file));
    process.stderr.write('LOADED ' + loaded.length + '\\n');
  });`)}`;
/** Payload of an event. Traces may contain only identifiers of an event, so this text must not appear in them. */
const PAYLOAD = 'confidential';

for (const kind of someOf(queueStoreKinds)) {
  describe(`traces with queues on ${kind}`, function () {
    this.timeout(180_000);
    let system: TestSystem;
    let receiver: TraceReceiver;
    let worker: AppProcess;
    let environment: Readonly<Record<string, string>>;

    before(async function () {
      receiver = await startTraceReceiver();
      system = await openTestSystem(this, kind);
      await addCompany(system.database, 'TEM-NO', 'Company of the good events');
      environment = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: '100' };
      const nodeArguments = ['--import', SAYS_WHAT_IT_LOADED];
      worker = await startApp('worker', { ...system, environment, nodeArguments });
    });
    after(async () => {
      await worker?.stop('SIGKILL');
      await system?.close();
      await receiver?.close();
    });

    const publish = (events: readonly unknown[]) =>
      runTakt(
        ['publish', '-', '--batch', '1'],
        { ...environment, DATABASE_URL: system.databaseUrl, QUEUE_URL: system.queueUrl },
        events.map((event) => `${JSON.stringify(event)}\n`).join(''),
      );
    const named = (name: RegExp) => receiver.spans.filter((span) => name.test(span.name));
    const childOf = (parent: ReceivedSpan | undefined, name: RegExp) =>
      named(name).find(({ parentSpanId }) => parentSpanId === parent?.spanId);

    it('connect the publisher, the job, its commit and the statement', async () => {
      expect((await publish([completion(1)])).code).to.equal(0);
      let path: readonly (ReceivedSpan | undefined)[] = [];
      await waitUntil('the statement is told', () => {
        const published = named(/^addBulk/)[0];
        const processed = childOf(published, /^process/);
        const commit = childOf(processed, /^commit$/);
        path = [
          published,
          processed,
          commit,
          childOf(commit, /^apply-work-order-operation-events-unless-rejected$/),
        ];
        return path.every((span) => span !== undefined);
      });
      expect(new Set(path.map((span) => span?.traceId)).size).to.equal(1);
      expect(path.map((span) => span?.service)).to.deep.equal([
        'takt-cli',
        'takt-worker',
        'takt-worker',
        'takt-worker',
      ]);
    });

    it('link a commit to all jobs of its events, and contain no data of events', async () => {
      const rejected = completion(2, { runTime: PAYLOAD }, { source: `/${PAYLOAD}` });
      const nonsense = { telemetry: { metadata: 'no JSON' } };
      await system.queues['work-order-operations'].addBulk([
        { name: PAYLOAD, data: rejected, opts: { jobId: PAYLOAD } },
        { name: 'event', data: completion(3), opts: nonsense },
      ]);
      const operations = Array.from({ length: 40 }, (_, index) => completion(100 + index));
      await publish(operations);
      await system.drain(120_000);
      await waitUntil('every job has its commit', () => {
        const linked = new Set(named(/^commit$/).flatMap(({ links }) => links));
        const processed = named(/^process/);
        return processed.length >= 43 && processed.every(({ spanId }) => linked.has(spanId));
      });
      expect(receiver.text()).not.to.include(PAYLOAD);
    });

    it('come from every worker with tracing, and from no other worker', async () => {
      await worker.stop();
      expect(worker.output()).to.match(/LOADED [1-9]/);
      const nodeArguments = ['--import', SAYS_WHAT_IT_LOADED];
      const silent = await startApp('worker', { ...system, nodeArguments });
      await silent.stop();
      expect(silent.output()).to.match(/LOADED 0\n/);
    });
  });
}

describe('traces of the API', function () {
  this.timeout(180_000);
  let system: TestSystem;
  let receiver: TraceReceiver;
  let api: AppProcess;

  before(async function () {
    receiver = await startTraceReceiver();
    system = await openTestSystem(this, 'postgres');
    await addCompany(system.database, 'TEM-NO', 'Company of the good events');
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: '100' };
    api = await startApp('api', { databaseUrl: system.databaseUrl, environment });
  });
  after(async () => {
    await api?.stop();
    await system?.close();
    await receiver?.close();
  });

  it('continue the trace of the client down to the statement, without the token and without values', async () => {
    const { token } = await createAccessToken(system.database, {
      companyCodes: ['TEM-NO'],
      expiresInMs: TOKEN_LIFETIME_MS,
    });
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const answer = await fetch(
      `${api.origin}${LIST}?$filter=${encodeURIComponent(`ProductName eq '${PAYLOAD}'`)}`,
      {
        headers: { authorization: `Bearer ${token}`, traceparent: `00-${traceId}-b7ad6b7169203331-01` },
      },
    );
    expect(answer.status).to.equal(200);
    await waitUntil('the statement is told', () => {
      const request = receiver.spans.find((span) => span.traceId === traceId && span.name === `GET ${LIST}`);
      const statements = receiver.spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId);
      return statements.some(({ name }) => /SELECT|WITH/.test(name));
    });
    const request = receiver.spans.find(({ name }) => name === `GET ${LIST}`);
    expect(request?.parentSpanId).to.equal('b7ad6b7169203331');
    expect(request?.attributes).to.include({ 'http.route': LIST, 'http.request.method': 'GET' });
    expect(receiver.text()).not.to.include(token);
    expect(receiver.text()).not.to.include(PAYLOAD);
  });
});
