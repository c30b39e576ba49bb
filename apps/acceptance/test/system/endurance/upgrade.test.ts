import { setTimeout as delay } from 'node:timers/promises';
import { createAccessToken } from '@takt/access';
import { readMigrations } from '@takt/database';
import { createTestDatabase, runTakt, startApp, type TestDatabase } from '@takt/database/testing';
import { auditProductionTimes } from '@takt/figures';
import { type ObservedProcess, randomFrom, testSeed, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { makeNextVersion, type OtherVersion } from '../../support/other-versions.js';
import { LIST } from '../../support/production-times.js';
import { findDeviations } from '../faults/find-deviations.js';
import { generateHistory } from '../faults/operation-history.js';
import { divide, type ObservedQueue, observeQueue, openPersistentPublisher } from '../faults/queue.js';

const COMPANY = 'UPG-NO';
const EVENTS = 12_000;
const EVENTS_PER_CALL = 100;
const STRUCTURE_VERSIONS = 30;
const DEADLINE_MS = 60_000;

/**
 * Readers that distribute requests like a load balancer. They send requests in turn to the APIs in service, and record
 * each failure.
 */
interface Readers {
  readonly inService: Set<string>;
  readonly failures: string[];
  answered(): number;
  /** Takes an API out of service, and waits until the API has answered all its requests. */
  leave(origin: string): Promise<void>;
  stop(): Promise<void>;
}

describe('an upgrade to the next version', function () {
  this.timeout(600_000);
  let next: OtherVersion;
  let test: TestDatabase;
  let queue: ObservedQueue;
  const started: ObservedProcess[] = [];

  before(async () => {
    next = await makeNextVersion();
    test = await createTestDatabase();
    expect((await takt('migrate')).code).to.equal(0);
    queue = await observeQueue(test.url);
  });
  after(async () => {
    await Promise.all(started.map((one) => one.stop()));
    await queue?.close();
    await test?.close();
    await next?.remove();
  });

  const keep = <Started extends ObservedProcess>(process: Started): Started => {
    started.push(process);
    return process;
  };
  const takt = (...args: readonly string[]) => runTakt(args, { DATABASE_URL: test.url });
  const taktOfNext = (...args: readonly string[]) => runTakt(args, { DATABASE_URL: test.url }, '', next.root);
  const start = async (app: 'api' | 'worker' | 'intake', version?: OtherVersion) =>
    keep(
      await startApp(app, {
        databaseUrl: test.url,
        queueUrl: test.url,
        ...(version !== undefined && { root: version.root }),
      }),
    );
  /** Starts the intake of the next version, and returns a function that publishes events through it. */
  const startIntake = async () => {
    const intake = await start('intake', next);
    const { token } = await createAccessToken(test.database, {
      ...{ companyCodes: [COMPANY], expiresInMs: 3_600_000, mayPublish: true },
    });
    return async (events: readonly object[]) => {
      const response = await fetch(`${intake.origin}/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(events),
      });
      expect(response.status, await response.text()).to.equal(202);
    };
  };
  const countLedger = async () => {
    const { rows } = await test.database.pool.query<{ events: number }>(
      'SELECT count(*)::integer AS events FROM takt.work_order_operations',
    );
    return rows[0]?.events ?? 0;
  };

  it('fails no request and loses no event if the schema is migrated first and one app at a time is replaced', async () => {
    const { pool } = test.database;
    await test.database.pool.query('INSERT INTO takt.companies (code, name) VALUES ($1, $1)', [COMPANY]);
    await listStructureVersions(pool);
    const { token } = await createAccessToken(test.database, {
      ...{ companyCodes: [COMPANY], expiresInMs: 3_600_000 },
    });
    const [worker, other, api] = await Promise.all([start('worker'), start('worker'), start('api')]);
    const readers = startReaders(api.origin, token);
    const history = generateHistory({
      ...{ database: COMPANY, events: EVENTS, structureVersions: STRUCTURE_VERSIONS },
      random: randomFrom(testSeed()),
    });
    const parts = divide(divide(history.events, EVENTS_PER_CALL), EVENTS / EVENTS_PER_CALL / 4);
    const publisher = await openPersistentPublisher(test.url);
    let publish = (events: readonly object[]) => publisher.publish(events, EVENTS_PER_CALL);
    /**
     * Publishes a quarter of the events, over some seconds, while a step runs. Expects the ledger to grow and requests
     * to be answered.
     */
    const during = async (step: () => Promise<unknown>) => {
      const before = await countLedger();
      const part = parts.shift() ?? [];
      const publishing = (async () => {
        for (const events of part) {
          await publish(events);
          await delay(50);
        }
      })();
      await waitUntil('events are taken in', async () => (await countLedger()) > before, DEADLINE_MS);
      await Promise.all([step(), publishing]);
      const answered = readers.answered();
      await waitUntil('requests are answered', () => readers.answered() > answered + 10, DEADLINE_MS);
    };

    await during(async () => {
      const { code, stdout, stderr } = await taktOfNext('migrate');
      expect(code, stderr).to.equal(0);
      expect(stdout).to.match(/^applied \d{4}-next$/m);
    });
    // The old apps continue on the new schema. They also process events from the intake of the next version.
    publish = await startIntake();
    await during(async () => {
      expect([worker.runs(), other.runs(), api.runs()]).to.deep.equal([true, true, true]);
    });
    await during(async () => {
      const newApi = await start('api', next);
      readers.inService.add(newApi.origin);
      await readers.leave(api.origin);
      await api.stop();
      await start('worker', next);
      expect(await worker.stop()).to.equal(0);
    });
    await during(async () => {
      await start('worker', next);
      expect(await other.stop()).to.equal(0);
    });
    await queue.drain(DEADLINE_MS);
    await readers.stop();
    await publisher.close();
    expect(readers.failures).to.deep.equal([]);
    expect(await findDeviations(pool, queue, history)).to.deep.equal([]);
    expect((await auditProductionTimes(pool)).differences).to.deep.equal([]);
  });

  it('lets apps of the previous version restart on a newer schema only if the schema does not break them', async () => {
    const { pool } = test.database;
    const known = (await readMigrations()).length;
    const [worker, api] = await Promise.all([start('worker'), start('api')]);
    await waitUntil('the worker is ready', () => isReady(worker.origin));
    expect(await isReady(api.origin)).to.equal(true);
    expect(await takt('audit')).to.include({ code: 0 });
    const { code, stderr } = await takt('migrate');
    expect(stderr).to.include(`schema version ${known + 1}, this program knows ${known}: start a newer Takt`);
    expect(code).to.equal(1);

    await pool.query("INSERT INTO takt.schema_migrations VALUES ($1, '9999-breaks', 'x', now(), $1)", [
      known + 2,
    ]);
    const refused = await start('worker').catch(String);
    expect(refused).to.include(`need to know up to version ${known + 2}`);
    expect((await takt('audit')).stderr).to.include('start a newer Takt');
    await waitUntil('the worker is not ready', async () => !(await isReady(worker.origin)), DEADLINE_MS);
  });
});

function isReady(origin: string): Promise<boolean> {
  return fetch(`${origin}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Stores master data so that the list has rows. Workers of every version store it in the same way. */
async function listStructureVersions(pool: TestDatabase['database']['pool']): Promise<void> {
  await pool.query(
    `SELECT FROM (
       SELECT array_agg($2::text) AS codes, json_agg(json_build_object('changed_at', now(),
         'product_structure_version_id', id, 'status', 4, 'name', 'Frame', 'version', 1, 'revision', 'A',
         'product_id', 1, 'product_status', 4, 'product_name', 'Frame', 'product_type', 'K',
         'product_description', '', 'run_time', 1)) AS events
       FROM generate_series(1, $1::integer) AS id
     ) AS batch, takt.apply_product_structure_version_changes(codes, events)`,
    [STRUCTURE_VERSIONS, COMPANY],
  );
}

function startReaders(origin: string, token: string): Readers {
  const inService = new Set([origin]);
  const failures: string[] = [];
  let answered = 0;
  let goesOn = true;
  const asked: string[] = [];
  const read = async () => {
    while (goesOn) {
      const one = [...inService][answered % inService.size] ?? origin;
      asked.push(one);
      const answer = await fetch(`${one}${LIST}?$top=5&$orderby=AverageRunTime`, {
        headers: { authorization: `Bearer ${token}`, connection: 'close' },
      }).then(async (response) => `${response.status} ${(await response.text()).slice(0, 200)}`, String);
      asked.splice(asked.indexOf(one), 1);
      if (!answer.startsWith('200')) failures.push(answer);
      answered += 1;
      await delay(5);
    }
  };
  const reading = Promise.all([read(), read()]);
  return {
    inService,
    failures,
    answered: () => answered,
    leave: async (one) => {
      inService.delete(one);
      await waitUntil('what it was asked is answered', () => !asked.includes(one));
    },
    stop: async () => {
      goesOn = false;
      await reading;
    },
  };
}
