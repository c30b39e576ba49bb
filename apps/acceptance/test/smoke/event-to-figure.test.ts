import { type AppProcess, runTakt, startApp } from '@takt/database/testing';
import {
  completion,
  needsProgram,
  openBrowser,
  randomFrom,
  structureVersion,
  testSeed,
  waitUntil,
} from '@takt/test-support';
import { expect } from 'chai';
import { LIST } from '../support/production-times.js';
import { plain, readServedFigures, servedFiguresOf } from '../support/served-figures.js';
import { openApiClient } from '../support/test-api.js';
import { openWatchedPage } from '../support/watched-page.js';
import { startHttpProducers } from '../system/faults/http-producers.js';
import { switchOn } from '../system/faults/mutants.js';
import { COMPANY, openSystem, type System } from '../system/faults/system.js';
import { startWorkerFleet } from '../system/faults/worker-fleet.js';

const EVENTS = 1_500;
const STRUCTURE_VERSIONS = 5;
const DRAIN_DEADLINE_MS = 60_000;

/** The one walk through all apps that is part of `npm test`. The system tests repeat it with every kind of fault. */
describe('events over HTTP', function () {
  this.timeout(180_000);
  let system: System;
  let [intake, api]: readonly AppProcess[] = [];
  let token: string;

  const takt = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await runTakt(args, { DATABASE_URL: system.databaseUrl });
    expect(code, stderr).to.equal(0);
    return stdout.trimEnd();
  };

  before(async () => {
    const history = { events: EVENTS, structureVersions: STRUCTURE_VERSIONS };
    system = await openSystem({ queue: 'postgres', history });
    [intake, api] = await Promise.all([startApp('intake', system), startApp('api', system)]);
    token = await takt('token', 'create', '--database', COMPANY);
  });
  after(async () => {
    await intake?.stop();
    await api?.stop();
    await system?.close();
  });

  it(`become exact figures, even if a worker is killed (seed ${testSeed()})`, async () => {
    const fleet = await startWorkerFleet(2, system, { nodeArguments: switchOn('short-claims') });
    const random = randomFrom(testSeed());
    const versions = Array.from({ length: STRUCTURE_VERSIONS }, (_, index) =>
      structureVersion(index + 1, { database: COMPANY }),
    );
    const events = random.shuffle([...versions, ...system.history.events]);
    const publishing = await takt('token', 'create', '--database', COMPANY, '--publish');
    const url = intake?.origin ?? '';
    const producers = startHttpProducers({ url, token: publishing, events, random, producers: 4 });
    await waitUntil('some events are acknowledged', () => producers.acknowledged() > events.length / 4);
    const startAgain = await fleet.replace(random.pick(fleet.workers));
    await producers.done;
    await startAgain();
    await system.queue.drain(DRAIN_DEADLINE_MS);
    expect(producers.otherOutcomes).to.deep.equal([]);
    expect(await system.findDeviations()).to.deep.equal([]);
    expect(await fleet.stop()).to.deep.equal([0, 0]);
  });

  it('may name objects by keys, by which the figures are found', async () => {
    await takt('company', 'add', 'KEYED', 'Company with keys');
    const [publishing, reading] = await Promise.all([
      takt('token', 'create', '--database', 'KEYED', '--publish'),
      takt('token', 'create', '--database', 'KEYED'),
    ]);
    const version = { productStructureVersionId: null, productStructureVersionKey: 'WL-10.4700' };
    const product = { productKey: 'WL-10', status: 4, name: 'Bracket', type: 'K', description: '' };
    const operation = { workOrderOperationId: null, workOrderOperationKey: 'FA-2026-1000/0010' };
    const fleet = await startWorkerFleet(1, system);
    const answer = await fetch(`${intake?.origin}/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${publishing}`, 'content-type': 'application/json' },
      body: JSON.stringify([
        completion(1, { database: 'KEYED', ...operation, ...version, runTime: '1.25' }),
        structureVersion(1, { database: 'KEYED', ...version, product }),
      ]),
    });
    expect(answer.status, await answer.text()).to.equal(202);
    await system.queue.drain(DRAIN_DEADLINE_MS);
    const client = openApiClient(api as AppProcess, reading);
    const found = await client.get(`${LIST}?$expand=Keys&$filter=ProductKey+eq+'wl-10'`);
    client.close();
    const [row] = JSON.parse(found.text).productStructureVersionAggregatedProductionTimes;
    expect(row.productStructureVersion.productStructureVersionKey).to.equal('WL-10.4700');
    expect(row.aggregatedProductionTimes.processing.averageRunTime).to.equal(1.25);
    expect(await fleet.stop()).to.deep.equal([0]);
  });

  it('are found without a difference by takt audit', async () => {
    const audited = `audited ${STRUCTURE_VERSIONS + 1} structure versions, 0 differences`;
    expect(await takt('audit')).to.equal(audited);
  });

  for (const format of ['json', 'xml'] as const) {
    it(`are served as figures in ${format}`, async () => {
      const client = openApiClient(api as AppProcess, token);
      const { status, text } = await client.get(`${LIST}?$format=${format}`);
      client.close();
      expect(status).to.equal(200);
      // The stored figures equal a recomputation, as the first test has found.
      const stored = Object.entries(await readServedFigures(system.pool, COMPANY));
      expect(stored).to.have.lengthOf(STRUCTURE_VERSIONS);
      expect(servedFiguresOf(format, text)).to.deep.equal(
        new Map(stored.map(([id, figures]) => [id, plain(figures)])),
      );
    });
  }

  it('are shown on a page that is accessible and causes no console message', async function () {
    needsProgram(this, 'chromium');
    const origin = api?.origin ?? '';
    const browser = await openBrowser();
    try {
      const watched = await openWatchedPage(browser, origin);
      await watched.page.goto(origin + LIST);
      await watched.page.locator('details:has(input[name="token"]) > summary').click();
      await watched.page.getByRole('textbox', { name: 'Access token' }).fill(token);
      await watched.page.getByRole('button', { name: 'Open', exact: true }).click();
      await watched.page.getByRole('table').waitFor();
      expect(await watched.page.locator('table.figures tbody tr').count()).to.equal(STRUCTURE_VERSIONS);
      await watched.inspect('smoke-production-times');
    } finally {
      await browser.close();
    }
  });
});
