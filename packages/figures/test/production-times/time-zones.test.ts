import { needsSingleServer } from '@takt/database/testing';
import { waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { changeTimeZone } from '../../src/master-data/index.js';
import {
  applyWorkOrderOperationEvents,
  auditProductionTimes,
  pruneOperations,
  rebuildProductionTimes,
} from '../../src/production-times/index.js';
import { useApplyFixture } from './apply-fixture.js';
import { registerCompany } from './companies.js';
import { readMonthlyFigures } from './served-figures.js';

describe('the months of a company with a time zone', () => {
  const { completed, reopened, apply, pool, database } = useApplyFixture();
  const change = (timeZone: string) => changeTimeZone(pool(), { database: database(), timeZone });
  const counts = async (version = 100) => {
    const months = (await readMonthlyFigures(pool(), database())).get(version) ?? {};
    return Object.fromEntries(Object.entries(months).map(([month, { operations }]) => [month, operations]));
  };
  const NEW_YEAR_IN_OSLO = '2023-12-31T23:00:00.000000Z';

  it('are computed in the time zone of the company, even after the zone has changed', async () => {
    await apply(completed({ workOrderOperationId: 1, completedAt: NEW_YEAR_IN_OSLO }));
    expect(await counts()).to.deep.equal({ '2023-12': 1 });
    expect(await change('europe/oslo')).to.deep.equal({
      ...{ timeZone: 'Europe/Oslo', structureVersions: 1, pruned: 0 },
    });
    expect(await counts()).to.deep.equal({ '2024-01': 1 });
    await apply(
      completed({ workOrderOperationId: 2, completedAt: NEW_YEAR_IN_OSLO, runTime: '0.500000' }),
      completed({ workOrderOperationId: 3, completedAt: '2023-12-31T22:59:59.999999Z' }),
    );
    expect(await counts()).to.deep.equal({ '2023-12': 1, '2024-01': 2 });
    await apply(reopened({ workOrderOperationId: 2 }));
    const month = (await readMonthlyFigures(pool(), database())).get(100)?.['2024-01'];
    expect(month?.run[1]).to.equal('1.000000');
    expect(await change('Europe/Oslo')).to.include({ structureVersions: 0 });
  });

  it('are exact before the year 1 and after 9999, where operations from before 1.1.0 may lie', async () => {
    await change('America/New_York');
    await apply(
      completed({ workOrderOperationId: 1, completedAt: '0001-01-01T00:00:00.000000Z' }),
      completed({ workOrderOperationId: 2, completedAt: '0001-12-05T00:00:00.000000Z' }),
    );
    expect((await auditProductionTimes(pool())).differences).to.deep.equal([]);
    await change('Europe/Oslo');
    await apply(completed({ workOrderOperationId: 3, completedAt: '9999-12-31T23:59:59.000000Z' }));
    expect((await auditProductionTimes(pool())).differences).to.deep.equal([]);
  });

  it('do not change for pruned operations if the zone changes', async () => {
    await apply(
      completed({ workOrderOperationId: 1, completedAt: NEW_YEAR_IN_OSLO }),
      completed({ workOrderOperationId: 2, completedAt: '2024-03-31T22:30:00.000000Z' }),
    );
    await pruneOperations(pool(), { database: database(), before: '2024-02-01' });
    expect(await change('Europe/Oslo')).to.include({ pruned: 1 });
    expect(await counts()).to.deep.equal({ '2023-12': 1, '2024-04': 1 });
    await pruneOperations(pool(), { database: database(), before: '2024-05-01' });
    expect(await change('UTC')).to.include({ pruned: 2 });
    expect(await counts()).to.deep.equal({ '2023-12': 1, '2024-04': 1 });
  });

  it('are exact if another run completes an interrupted change', async () => {
    const versions = Array.from({ length: 900 }, (_, index) => index + 1);
    const batch = (first: number, completedAt: string) =>
      versions.map((version) =>
        completed({
          ...{ workOrderOperationId: first + version, productStructureVersionId: version, completedAt },
        }),
      );
    await apply(...batch(0, NEW_YEAR_IN_OSLO));
    const steps: number[] = [];
    const interrupted = await changeTimeZone(pool(), {
      database: database(),
      timeZone: 'Europe/Oslo',
      onProgress: (done) => {
        steps.push(done);
        if (steps.length === 2) throw new Error('killed');
      },
    }).catch(String);
    expect(interrupted).to.equal('Error: killed');
    // The step belongs to another run that has not got so far, so it has no effect.
    await pool().query('SELECT takt.rebuild_months(company_id, 10) FROM takt.companies WHERE code = $1', [
      database(),
    ]);
    await apply(...batch(1_000, NEW_YEAR_IN_OSLO));
    const [done = 0] = steps.slice(-1);
    expect([await counts(done), await counts(done + 1)]).to.deep.equal([{ '2024-01': 2 }, { '2023-12': 2 }]);
    expect((await auditProductionTimes(pool(), { database: database() })).differences).to.deep.equal([]);
    expect((await rebuildProductionTimes(pool(), { database: database() })).repaired).to.deep.equal([]);
    await pruneOperations(pool(), { database: database(), before: '2023-01-01' });
    // The change to New York continues at the structure version at which the change to Oslo stopped. In the end all
    // months are those of New York.
    await change('America/New_York');
    await apply(...batch(2_000, '2024-01-01T05:00:00.000000Z'));
    expect(await counts(done + 1)).to.deep.equal({ '2023-12': 2, '2024-01': 1 });
    expect(await counts(done)).to.deep.equal({ '2023-12': 2, '2024-01': 1 });
  });

  it('include the operations of a batch that ends during the change', async function () {
    needsSingleServer(this);
    const batch = await pool().connect();
    await batch.query('BEGIN');
    await applyWorkOrderOperationEvents(batch, [completed({ completedAt: NEW_YEAR_IN_OSLO })]);
    const changed = change('Europe/Oslo');
    const waiting =
      "SELECT FROM pg_stat_activity WHERE query LIKE '%begin_time_zone%' AND wait_event = 'advisory'";
    await waitUntil('the change waits', async () => (await pool().query(waiting)).rowCount === 1);
    await batch.query('COMMIT');
    batch.release();
    await changed;
    expect(await counts()).to.deep.equal({ '2024-01': 1 });
  });

  it('are those of the last zone if several changes run at once', async () => {
    await apply(
      ...Array.from({ length: 900 }, (_, index) =>
        completed({
          ...{ workOrderOperationId: index + 1, productStructureVersionId: index + 1 },
          completedAt: '2024-01-01T02:00:00.000000Z',
        }),
      ),
    );
    await change('Europe/Oslo');
    const changesSoFar = async () =>
      Number((await pool().query('SELECT count(*) FROM takt.audit_log')).rows[0]?.count);
    const before = await changesSoFar();
    const zones = ['America/New_York', 'Asia/Kolkata', 'Asia/Tokyo', 'Pacific/Chatham'];
    // While the row is locked, each change sets the zone of the company and then waits.
    const holder = await pool().connect();
    await holder.query('BEGIN');
    const { rows: companies } = await holder.query<{ id: number }>(
      'SELECT company_id AS id FROM takt.companies WHERE code = $1',
      [database()],
    );
    await holder.query('UPDATE takt.month_zones SET rebuilt_to = rebuilt_to WHERE company_id = $1', [
      companies[0]?.id,
    ]);
    const changes = Promise.all(zones.map((timeZone) => change(timeZone).catch(String)));
    await waitUntil('all changes wait', async () => (await changesSoFar()) === before + zones.length);
    await holder.query('COMMIT');
    holder.release();
    const outcomes = await changes;
    const { rows } = await pool().query<{ zone: string; months: string; rebuilt: string | null }>(
      `SELECT companies.time_zone AS zone, months.time_zone AS months, rebuilt_to AS rebuilt
       FROM takt.companies JOIN takt.month_zones AS months USING (company_id) WHERE code = $1`,
      [database()],
    );
    const [last] = rows.map(({ zone }) => zone);
    expect(rows).to.deep.equal([{ zone: last, months: last, rebuilt: null }]);
    for (const [index, outcome] of outcomes.entries()) {
      if (typeof outcome === 'string') {
        expect(outcome).to.equal(
          `Error: ${database()} was given the time zone ${last} meanwhile, and its months are in that zone`,
        );
      } else {
        expect(zones[index]).to.equal(last);
      }
    }
    const month = last === 'America/New_York' ? '2023-12' : '2024-01';
    expect([await counts(1), await counts(900)]).to.deep.equal([{ [month]: 1 }, { [month]: 1 }]);
  });

  it('follow the zone of each company, even if a batch has events of several companies', async () => {
    const others = [database(), await registerCompany(pool()), await registerCompany(pool())];
    const zones = ['Pacific/Kiritimati', 'Etc/GMT+12', 'UTC'];
    for (const [index, timeZone] of zones.entries()) {
      await changeTimeZone(pool(), { database: others[index] ?? '', timeZone });
    }
    const events = (revision: number, companies = others) =>
      companies.flatMap((other) =>
        ['2024-01-31T10:00:00.000000Z', '2024-02-01T11:59:59.999999Z'].map((completedAt, index) =>
          completed({ database: other, workOrderOperationId: index + 1, revision, completedAt }),
        ),
      );
    await apply(...events(1));
    await apply(...events(2, others.slice(0, 2)));
    const months = await Promise.all(
      others.map(async (other) => Object.keys((await readMonthlyFigures(pool(), other)).get(100) ?? {})),
    );
    expect(months).to.deep.equal([['2024-02'], ['2024-01'], ['2024-01', '2024-02']]);
    expect((await auditProductionTimes(pool())).differences).to.deep.equal([]);
  });

  it('require the name of a known time zone', async () => {
    expect(await change('Oslo').catch(String)).to.equal(
      'TimeZoneError: a time zone is an IANA name, as in Europe/Oslo or UTC, not "Oslo"; did you mean Europe/Oslo?',
    );
    for (const wrong of ['', 'CEST', 'CET', 'WET', '+02:00', 'Europe/Nowhere', 'posix/Europe/Oslo']) {
      expect(await change(wrong).catch(String), wrong).to.match(/^TimeZoneError/);
    }
    const { rows } = await pool().query('SELECT time_zone FROM takt.companies WHERE code = $1', [database()]);
    expect(rows).to.deep.equal([{ time_zone: 'UTC' }]);
  });
});
