import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { createAccessToken } from '@takt/access';
import { openDatabase } from '@takt/database';
import { type AppProcess, startApp } from '@takt/database/testing';
import { addCompany } from '@takt/figures/master-data';
import { expect } from 'chai';
import { type OwnPostgres, startOwnPostgres } from '../../support/own-postgres.js';
import { LIST } from '../../support/production-times.js';
import { takeExport } from '../../support/take-export.js';
import { type ApiClient, openApiClient, TOKEN_LIFETIME_MS } from '../../support/test-api.js';

const ROWS = 1_000_000;
const MAX_RESIDENT_MB = 200;
/**
 * Maximum of the 99th percentile in ms of other requests during the export. The API promises an answer within 3 s, but
 * this machine has no other load.
 */
const MAX_P99_MS = 1_000;
const QUIET_MS = 10_000;
const PAUSE_MS = 20;
const BREAK_AFTER_BYTES = 30_000_000;

/** Inserts rows with different values. The database generates the values itself. */
const INSERT = `
  INSERT INTO takt.product_structure_versions (company_id, product_structure_version_id, changed_at, status, name,
    version, revision, product_id, product_name, run_time, number_of_completed_operations, run_time_sum,
    run_time_sum_of_squares, shortest_run_time, longest_run_time)
  SELECT company_id, 1000 + row, now(), 4, 'Step ' || row, 1, 'A', row % 1000 + 1, 'Product ' || row % 1000 + 1,
    row, 2, 0.000003 * row, 0.000000000005 * row * row, row, 2 * row
  FROM takt.companies, generate_series(1, ${ROWS}) AS row`;

const INSERT_PRODUCTS = `
  INSERT INTO takt.products (company_id, product_id, status, name, type, description, changed_at)
  SELECT company_id, row, 4, 'Product ' || row, 'K', 'A description of some length', now()
  FROM takt.companies, generate_series(1, 1000) AS row`;

interface Quantiles {
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
}

describe(`an export of ${ROWS} rows`, function () {
  this.timeout(600_000);
  let postgres: OwnPostgres;
  let api: AppProcess;
  let client: ApiClient;
  let token: string;

  before(async () => {
    postgres = await startOwnPostgres();
    const url = await postgres.createDatabase('export');
    const database = openDatabase({ url, applicationName: 'takt export test', statementTimeoutMs: 300_000 });
    try {
      await addCompany(database, 'BIG', 'Big');
      // Drops the 17 indexes for orders by figures, because no query in this test uses them. Inserting into these
      // indexes would take most of the time.
      const { rows } = await database.pool.query<{ readonly drop: string }>(
        `SELECT format('DROP INDEX %s', indexrelid::regclass) AS drop FROM pg_index
         WHERE indrelid = 'takt.product_structure_versions'::regclass AND NOT indisunique`,
      );
      for (const { drop } of rows) await database.pool.query(drop);
      await database.pool.query(INSERT_PRODUCTS);
      await database.pool.query(INSERT);
      await database.pool.query('SELECT takt.note_changes_by_hand()');
      await database.pool.query('VACUUM ANALYZE takt.product_structure_versions, takt.products');
      ({ token } = await createAccessToken(database, {
        companyCodes: ['BIG'],
        expiresInMs: TOKEN_LIFETIME_MS,
      }));
    } finally {
      await database.close();
    }
    api = await startApp('api', { databaseUrl: url });
    client = openApiClient(api, token);
  });
  after(async () => {
    client?.close();
    await api?.stop();
    await postgres?.close();
  });

  /** Requests one page after the other until `isOver` returns true. Returns the quantiles of the durations of these requests. */
  async function readPages(isOver: () => boolean): Promise<Quantiles> {
    const times: number[] = [];
    let failed = 0;
    for (let page = 0; !isOver(); page += 1) {
      const answer = await client.get(
        `${LIST}?$top=20&$filter=ProductStructureVersionId%20gt%20${(page * 7_919) % ROWS}`,
      );
      times.push(answer.durationMs);
      if (answer.status !== 200) failed += 1;
      await delay(PAUSE_MS);
    }
    times.sort((one, other) => one - other);
    const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? 0;
    return { p50: at(0.5), p99: at(0.99), failed };
  }

  it('uses less than 200 MB of memory and does not slow down other requests', async () => {
    await readPages(
      (
        (endMs) => () =>
          performance.now() > endMs
      )(performance.now() + QUIET_MS / 2),
    );
    const quiet = await readPages(
      (
        (endMs) => () =>
          performance.now() > endMs
      )(performance.now() + QUIET_MS),
    );
    let isOver = false;
    const [taken, busy] = await Promise.all([
      takeExport(`${api.origin}${LIST}?$format=csv`, token).finally(() => {
        isOver = true;
      }),
      readPages(() => isOver),
    ]);
    const peakMb = peakResidentMb(api.pid);
    process.stdout.write(
      `      ${(taken.bytes / 1e6).toFixed(0)} MB in ${(taken.durationMs / 1_000).toFixed(1)} s, at most ${peakMb.toFixed(0)} MB resident; ` +
        `other requests without and with it: p50 ${quiet.p50.toFixed(1)} and ${busy.p50.toFixed(1)} ms, p99 ${quiet.p99.toFixed(1)} and ${busy.p99.toFixed(1)} ms\n`,
    );
    expect(taken).to.include({ status: 200, isWhole: true, lines: ROWS + 1 });
    expect(peakMb).to.be.lessThan(MAX_RESIDENT_MB);
    expect(busy.failed).to.equal(0);
    expect(busy.p99).to.be.lessThan(MAX_P99_MS);
  });

  it('breaks off if the database is killed in the middle; a later export is complete', async () => {
    let crashed: Promise<void> | undefined;
    const broken = await takeExport(`${api.origin}${LIST}?$format=csv`, token, (bytes) => {
      if (bytes > BREAK_AFTER_BYTES) crashed ??= postgres.crash();
    });
    expect(crashed, 'the export had begun').to.not.equal(undefined);
    await crashed;
    expect(broken.status).to.equal(200);
    expect(broken.isWhole).to.equal(false);
    expect(broken.lines).to.be.lessThan(ROWS);
    const again = await takeExport(
      `${api.origin}${LIST}?$format=csv&$filter=ProductStructureVersionId%20le%202000`,
      token,
    );
    expect(again).to.include({ status: 200, isWhole: true, lines: 1_001 });
  });
});

/** Returns the peak resident memory of a process. */
function peakResidentMb(pid: number): number {
  const [, kilobytes = ''] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
}
