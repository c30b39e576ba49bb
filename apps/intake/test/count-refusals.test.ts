import { createAccessToken } from '@takt/access';
import { listRefusals } from '@takt/rejections/refusals';
import { completion, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { openTestIntake, type TestIntake } from './support/open-test-intake.js';
import { post } from './support/post.js';

describe('the numbers of refusals', () => {
  let intake: TestIntake;
  let oslo: string;

  before(async function () {
    intake = await openTestIntake('PostgreSQL', this, { storeRefusalsEveryMs: 50 });
    const request = { expiresInMs: 3_600_000, mayPublish: true, description: 'MES Oslo' };
    oslo = (await createAccessToken(intake.database, { ...request, companyCodes: ['TEM-NO'] })).token;
  });
  after(() => intake?.close());
  afterEach(() => intake.database.pool.query('TRUNCATE takt.refusals'));

  const list = async (companies?: readonly string[]) =>
    (await listRefusals(intake.database.pool, { companies, limit: 100 })).map(
      ({ producer, error: { code, broken }, times }) =>
        [producer, broken === undefined ? code : `${broken.field} ${broken.rule.phrase}`, times] as const,
    );
  const waitFor = (refusals: number) =>
    waitUntil(
      'all refusals are stored',
      async () => (await list()).reduce((sum, [, , times]) => sum + times, 0) === refusals,
    );
  const broken = (operation: number) => completion(operation, { runTime: 'secret', revision: 'secret' });

  it('count each invalid event once by its first broken rule, whether the others were accepted or not', async () => {
    await post(intake, [broken(1), broken(2), completion(3)], { token: oslo });
    await post(intake, [broken(4), completion(5)], { token: oslo, query: '?skipInvalid=true' });
    await post(intake, [broken(6)]);
    await waitFor(4);
    const counted = await list();
    const [first] = (await intake.database.pool.query('SELECT * FROM takt.refusals')).rows;
    expect(counted.map(([producer, , times]) => [producer, times])).to.deep.equal([
      ['MES Oslo', 3],
      [counted[1]?.[0], 1],
    ]);
    expect(counted[1]?.[0]).to.match(/^token \d+$/);
    expect(new Set(counted.map(([, reason]) => reason)).size).to.equal(1);
    expect(JSON.stringify(first)).to.include('data.').and.not.include('secret');
  });

  it('count requests by their error, and events of other companies', async () => {
    await post(intake, '{"id":', { token: oslo });
    await post(intake, '', { token: oslo });
    await post(intake, [completion(1)], { token: oslo, type: 'text/xml' });
    await post(intake, [completion(1)], { token: oslo, query: '?$orderby=x' });
    await post(intake, [completion(1, { database: 'OTHER' }), completion(2, { database: 'TEM-SE' })], {
      token: oslo,
    });
    await post(intake, [completion(1)], { token: await intake.createToken(['TEM-SE'], false) });
    await waitFor(7);
    const counted = await list();
    expect(
      counted.filter(([producer]) => producer === 'MES Oslo').map(([, ...rest]) => rest),
    ).to.have.deep.members([
      ['companyOfEventNotPermitted', 2],
      ['bodyNotJson', 1],
      ['emptyBody', 1],
      ['contentTypeNotTaken', 1],
      ['unknownParameter', 1],
    ]);
    expect(counted.filter(([producer]) => producer !== 'MES Oslo').map(([, ...rest]) => rest)).to.deep.equal([
      ['permissionMissing', 1],
    ]);
    expect((await list(['TEM-SE'])).length).to.equal(1);
    expect((await list(['TEM-NO', 'OTHER'])).length).to.equal(5);
    expect(await list([])).to.deep.equal([]);
  });

  it('count neither accepted events nor strangers nor failures of the service', async () => {
    await post(intake, [completion(1)]);
    await post(intake, [broken(1)], { token: undefined });
    await post(intake, [broken(1)], { token: `takt_${'x'.repeat(43)}` });
    await post(intake, [broken(1)]);
    await waitFor(1);
  });

  it('are stored later if the database does not take them, and when the intake stops', async function () {
    const { pool } = intake.database;
    await pool.query('ALTER FUNCTION takt.note_refusals(json) RENAME TO away');
    await post(intake, [broken(1)]);
    await waitUntil('it is in the log', () =>
      intake.log.join('').includes('the numbers of refusals were not stored'),
    );
    await pool.query('ALTER FUNCTION takt.away(json) RENAME TO note_refusals');
    await post(intake, [broken(2)]);
    await waitFor(2);
    const other = await openTestIntake('PostgreSQL', this, { storeRefusalsEveryMs: 3_600_000 });
    try {
      await post(other, [broken(1), broken(2)]);
      await other.stop();
      expect(await listRefusals(other.database.pool, { limit: 1 })).to.have.nested.property('[0].times', 2);
    } finally {
      await other.close();
    }
  });

  it('are added to those of the same day, shown for 7 days, and deleted after 30', async () => {
    const { pool } = intake.database;
    await post(intake, [broken(1)], { token: oslo });
    await waitFor(1);
    const age = (days: number) => pool.query('UPDATE takt.refusals SET day = day - $1::integer', [days]);
    await age(6);
    await post(intake, [broken(1)], { token: oslo });
    await waitFor(2);
    await age(1);
    await waitFor(1);
    await age(24);
    await post(intake, [broken(1)], { token: oslo });
    await waitFor(1);
    const { rows } = await pool.query('SELECT count(*)::integer AS days FROM takt.refusals');
    expect(rows).to.deep.equal([{ days: 2 }]);
  });
});
