import { exchange, openConnection, request, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { type Fixture, type FixtureOptions, startFixture } from './served-fixture.js';

type Line = Readonly<Record<string, unknown>>;

const MANY = 500;
/** The maximum number of lines per status and second. */
const MOST_LINES = 5;
/** The maximum number of lines per second for each kind of failure, and for slow requests. */
const MOST_FAILURES = 10;
/** The time after which the slow requests are answered. It is longer than a second, so these requests count as slow. */
const SLOW_MS = 1_200;

describe('The access log of many requests', function () {
  this.timeout(60_000);
  let fixture: Fixture;
  const start = async (options: FixtureOptions) => {
    fixture = await startFixture(options);
  };
  afterEach(() => fixture.close());

  const lines = () => fixture.log.map((line): Line => JSON.parse(line));
  const requestsOf = (status: number) =>
    lines().filter((line) => line['msg'] === 'request' && line['status'] === status);
  const leftOutOf = (status: number) =>
    lines()
      .filter(({ msg }) => msg === 'more requests')
      .reduce((sum, { leftOut }) => sum + (Number(Object(leftOut)[status]) || 0), 0);

  const leftOutCauses = () =>
    lines()
      .filter(({ msg }) => msg === 'more failures')
      .reduce((sum, { leftOut }) => sum + (Number(Object(leftOut)['internalError']) || 0), 0);

  async function askOften(path: string): Promise<void> {
    const connection = await openConnection(fixture.port);
    for (let count = 0; count < MANY; count++) {
      connection.send(request(path));
      await connection.answer();
    }
    connection.destroy();
  }

  it('has a few lines per second, and states the number of omitted lines', async () => {
    await start({ logLevel: 'info' });
    await askOften('/things');
    const counted = () => requestsOf(200).length + leftOutOf(200);
    await waitUntil('all are counted', () => counted() >= MANY);
    expect(counted()).to.equal(MANY);
    const told = lines().filter(({ msg }) => msg === 'more requests').length;
    // In the log, a second starts with its first request.
    expect(requestsOf(200).length).to.be.at.most((told + 1) * MOST_LINES);
    expect(told).to.be.above(0);
  });

  it('has more lines for failed requests and for slow requests than for others', async () => {
    await start({ logLevel: 'info' });
    const slowOnes = Array.from({ length: MOST_FAILURES }, () => exchange(fixture.port, request('/slow')));
    await waitUntil('they wait', () => fixture.waiting() === MOST_FAILURES);
    const begunAt = performance.now();
    await askOften('/things');
    await exchange(fixture.port, request('/nothing'));
    for (let count = 0; count < MOST_FAILURES; count++) await exchange(fixture.port, request('/rejects'));
    await waitUntil('long enough for slow ones', () => performance.now() - begunAt > SLOW_MS);
    fixture.release();
    await Promise.all(slowOnes);
    await waitUntil('all are in the log', () => requestsOf(500).length === MOST_FAILURES);
    expect(requestsOf(404)).to.have.lengthOf(1);
    const slowLines = () => requestsOf(200).filter(({ path }) => path === '/slow');
    await waitUntil('the slow ones too', () => slowLines().length === MOST_FAILURES);
    expect([leftOutOf(500), leftOutOf(404)]).to.deep.equal([0, 0]);
  });

  it('is also limited if every request fails, and contains the causes', async () => {
    await start({ logLevel: 'info' });
    await askOften('/rejects');
    const counted = () => requestsOf(500).length + leftOutOf(500);
    await waitUntil('all are counted', () => counted() >= MANY);
    expect(counted()).to.equal(MANY);
    const causes = lines().filter(({ error }) => error !== undefined).length;
    const told = lines().filter(({ msg }) => msg === 'more requests').length;
    for (const count of [requestsOf(500).length, causes]) {
      expect(count).to.be.within(MOST_FAILURES, (told + 1) * MOST_FAILURES);
    }
    await waitUntil('the causes are counted too', () => leftOutCauses() + causes === MANY);
  });

  it('has every line at level debug', async () => {
    await start({ logLevel: 'debug' });
    await askOften('/things');
    await waitUntil('all are in the log', () => requestsOf(200).length === MANY);
    expect(leftOutOf(200)).to.equal(0);
  });

  it('has only failures if the app runs on a terminal', async () => {
    await start({ logLevel: 'info', requestLevel: 'debug' });
    for (const path of ['/things', '/nothing', '/rejects']) await exchange(fixture.port, request(path));
    await waitUntil('the failure is in the log', () => requestsOf(500).length === 1);
    expect(lines().filter(({ msg }) => msg === 'request')).to.have.lengthOf(1);
  });
});
