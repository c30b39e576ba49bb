import {
  type AppProcess,
  createTestDatabase,
  runTakt,
  startApp,
  type TestDatabase,
} from '@takt/database/testing';
import { migrateQueueSchema, openQueueBackend, type QueueBackend } from '@takt/events/internal';
import {
  completion,
  findFreePort,
  needsProgram,
  openBrowser,
  structureVersion,
  waitUntil,
} from '@takt/test-support';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { openWatchedPage, type WatchedPage } from '../support/watched-page.js';

/** Several batches of a bulk change. The tests of the dashboard and of the worker have the larger numbers. */
const EVENTS = 300;
const PASSWORD = 'correct horse battery';
const FIGURES = '/product/structure-versions/aggregated-production-times';

describe('an administrator', function () {
  this.timeout(300_000);
  let test: TestDatabase;
  let worker: AppProcess;
  let dashboard: AppProcess;
  let api: AppProcess;
  let backend: QueueBackend;
  let browser: Browser;
  let watched: WatchedPage;
  let administrator = '';
  let newcomer = '';

  before(async function () {
    needsProgram(this, 'chromium');
    test = await createTestDatabase({ migrated: false });
    await done('migrate');
    await migrateQueueSchema(test.url);
    await done('company', 'add', 'TEM-NO', 'Tempus Norge');
    await done('company', 'add', 'TEM-SE', 'Tempus Sverige');
    administrator = await addUser('Berg', '--database', 'TEM-NO', '--role', 'administrator');
    newcomer = await addUser('Nilsen', '--role', 'planner');
    const urls = { databaseUrl: test.url, queueUrl: test.url };
    const [apiPort, dashboardPort] = [await findFreePort(), await findFreePort()];
    const environment = {
      BASE_URL: `http://127.0.0.1:${apiPort}`,
      DASHBOARD_URL: `http://127.0.0.1:${dashboardPort}`,
    };
    [worker, dashboard, api, browser, backend] = await Promise.all([
      startApp('worker', urls),
      startApp('dashboard', { ...urls, environment, port: dashboardPort }),
      startApp('api', { ...urls, environment, port: apiPort }),
      openBrowser(),
      openQueueBackend(test.url, { onError: () => undefined }),
    ]);
    watched = await openWatchedPage(browser, dashboard.origin);
    await signIn(watched, `${dashboard.origin}/`, administrator);
    await watched.page.getByRole('heading', { level: 1, name: 'System' }).waitFor();
  });
  after(async () => {
    await watched?.close();
    await browser?.close();
    await backend?.close();
    for (const app of [dashboard, api, worker]) await app?.stop();
    await test?.close();
  });

  async function done(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await runTakt(
      args,
      { DATABASE_URL: test.url, QUEUE_URL: test.url },
      PASSWORD,
    );
    expect(code, `${args.join(' ')}: ${stderr}`).to.equal(0);
    return stdout;
  }

  async function addUser(name: string, ...options: readonly string[]): Promise<string> {
    const printed = await done('user', 'add', name, '--password', '-', ...options);
    return /^pid (\d+)$/m.exec(printed)?.[1] ?? '';
  }

  async function signIn({ page }: WatchedPage, url: string, pid: string): Promise<void> {
    await page.goto(url);
    await page.locator('input[name=login]').fill(pid);
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.locator('input[name=password]').press('Enter');
  }

  /** Waits until a bulk run has ended. */
  const ended = () => watched.page.getByText('It took').waitFor({ timeout: 120_000 });
  const operations = async () => {
    const { rows } = await test.database.pool.query<{ count: number }>(
      `SELECT sum(number_of_completed_operations)::integer AS count FROM takt.product_structure_versions
       JOIN takt.companies USING (company_id) WHERE code = 'TEM-NO'`,
    );
    return rows[0]?.count ?? 0;
  };

  it('finds the fault of many rejected events, corrects all events at once, and sees exact figures', async () => {
    const wrong = Array.from({ length: EVENTS }, (_, index) =>
      completion(index + 1, {
        ...{ database: 'TEM-XX', productStructureVersionId: 1 + (index % 7) },
        completedAt: '2026-05-31T16:20:00Z',
      }),
    );
    // Bypasses the publisher, because the sending system does not know the codes of the companies.
    await backend
      .openQueue('work-order-operations')
      .addBulk(wrong.map((data, index) => ({ name: data.type, data, opts: { jobId: `mes-${index}` } })));
    await backend.openQueue('reference-data').addBulk([1, 2, 3, 4, 5, 6, 7].map(announcement));
    const { page } = watched;
    await waitUntil(
      'all are rejected',
      async () => {
        await page.goto(`${dashboard.origin}/rejected`);
        return page.getByRole('heading', { name: 'All rejected events: 300' }).isVisible();
      },
      120_000,
    );
    await page
      .getByRole('link', { name: 'data.database must be the code of a registered company' })
      .first()
      .click();
    await page.getByRole('link', { name: 'Correct all 300 …' }).click();
    await watched.inspect('correct-many');
    await page.getByLabel('Field').selectOption('data.database');
    await page.getByLabel('New value').fill('TEM-NX');
    await page.getByRole('button', { name: 'Check 300' }).click();
    await ended();
    await page.getByRole('heading', { name: 'Valid once corrected: 0 events' }).waitFor();
    await watched.inspect('correct-many-invalid');
    expect(await page.getByRole('button', { name: /send/ }).count()).to.equal(0);
    await page.goBack();
    await page.getByLabel('New value').fill('TEM-NO');
    await page.getByRole('button', { name: 'Check 300' }).click();
    await ended();
    await page.getByRole('heading', { name: 'Valid once corrected: 300 events' }).waitFor();
    expect(await operations()).to.equal(0);
    await page.getByRole('button', { name: 'Correct 300 and send them' }).click();
    await ended();
    await page.getByRole('heading', { name: '300 events corrected and sent' }).waitFor();
    await watched.inspect('corrected-many');
    await waitUntil('the figures have followed', async () => (await operations()) === EVENTS, 60_000);
    expect(await done('audit')).to.include('audited 7 structure versions, 0 differences');
    await page.goto(`${dashboard.origin}/rejected`);
    await page.getByText('Nothing is rejected.').waitFor();
    await page.getByRole('link', { name: 'Discarded and corrected' }).click();
    await watched.inspect('resolved');
    // A worker has taken all corrections, so none can be undone any more.
    expect(await page.getByRole('button', { name: 'Undo' }).count()).to.equal(0);
    expect(await operations()).to.equal(EVENTS);
  });

  it('assigns a company to a person without companies, so that the person sees its figures', async () => {
    const own = await openWatchedPage(browser, api.origin);
    await signIn(own, `${api.origin}/oauth2`, newcomer);
    await own.page.getByText('You have no company yet.').waitFor();
    await own.inspect('no-company-yet');
    const { page } = watched;
    await page.getByRole('link', { name: 'People' }).first().click();
    await watched.inspect('people');
    await page.getByRole('link', { name: 'Nilsen' }).click();
    await watched.inspect('person');
    await page.getByRole('checkbox', { name: 'TEM-NO' }).check();
    await page.getByRole('button', { name: 'Save companies' }).click();
    await page.getByText('The change was made.').waitFor();
    await signIn(own, `${api.origin}/oauth2`, newcomer);
    await own.page.waitForURL(/aggregated-production-times/);
    await own.page.goto(`${api.origin}${FIGURES}`);
    await own.page.getByRole('row', { name: /Nut 7 ·/ }).waitFor();
    expect(await own.page.getByRole('row', { name: /Nut \d ·/ }).count()).to.equal(7);
    await own.inspect('planner-sees-company');
    await own.close();
  });

  it('invites a person, who signs in once and goes from a rejected event to its figure and back', async () => {
    const { page } = watched;
    await page.getByRole('link', { name: 'People' }).first().click();
    await page.getByRole('link', { name: 'Add a person' }).click();
    await page.getByLabel('First name').fill('Ida');
    await page.getByLabel('Last name').fill('Moe');
    await page.getByLabel('E-mail').fill('ida@example.com');
    await page.getByRole('checkbox', { name: 'TEM-NO' }).check();
    await page.getByRole('checkbox', { name: /^operator/ }).check();
    await watched.inspect('add-person');
    await page.getByRole('button', { name: 'Add a person' }).click();
    await page.getByRole('heading', { name: 'Send this link to Ida Moe' }).waitFor();
    await watched.inspect('invited');
    const link = (await page.locator('.card code').textContent()) ?? '';

    const late = completion(901, {
      productStructureVersionId: 3,
      runTime: -1,
      completedAt: '2026-05-31T16:20:00Z',
    });
    await backend.openQueue('work-order-operations').add(late.type, late);
    await waitUntil(
      'it is rejected',
      async () =>
        (await test.database.pool.query("SELECT FROM takt.rejections WHERE state = 'open'")).rowCount === 1,
      30_000,
    );

    const own = await openWatchedPage(browser, [api.origin, dashboard.origin]);
    await own.page.goto(link);
    await own.inspect('invitation');
    await own.page.getByLabel(/^Password/).fill(PASSWORD);
    await own.page.getByRole('button', { name: 'Set your password' }).click();
    await own.page.getByRole('main').getByRole('link', { name: 'Products' }).click();
    await own.page.waitForURL(/\/product\/products\/aggregated-production-times/);
    await own.inspect('invited-first-page');
    await own.page.getByRole('link', { name: 'Rejected events' }).click();
    await own.page.locator('th[scope=row] a[href*="/rejected/event"]').first().click();
    await own.inspect('rejected-with-figures');
    await own.page.getByRole('link', { name: 'The figures of its structure version' }).click();
    await own.page.getByRole('heading', { level: 1, name: 'Nut 3' }).waitFor();
    await own.page.getByRole('link', { name: 'Rejected events' }).click();
    await own.page.getByRole('heading', { name: 'All rejected events: 1' }).waitFor();
    await own.page.getByRole('button', { name: 'Sign out' }).click();
    await own.page.goto(`${api.origin}/`);
    await own.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await own.close();
  });

  it('finds every change and its author in the audit log, but no secrets', async () => {
    const { page } = watched;
    await page.getByRole('link', { name: 'People' }).first().click();
    await page.getByRole('link', { name: 'Audit log' }).click();
    await watched.inspect('audit-log');
    const entries: readonly { readonly actor: string; readonly action: string; readonly subject: string }[] =
      JSON.parse(await done('audit-log', '--json'));
    const told = entries.map(({ actor, action, subject }) => [
      actor.replace(/^\S+ at the/, 'at the'),
      action,
      subject,
    ]);
    const berg = `PID ${administrator} Berg`;
    expect(told.reverse()).to.deep.equal([
      ['at the command line', 'company-added', 'company TEM-NO'],
      ['at the command line', 'company-added', 'company TEM-SE'],
      ['at the command line', 'person-added', `person ${administrator} Berg`],
      ['at the command line', 'person-added', `person ${newcomer} Nilsen`],
      [berg, 'rejected-corrected', `${EVENTS} rejected events`],
      [berg, 'rejected-corrected', `${EVENTS} rejected events`],
      [berg, 'person-changed', `person ${newcomer} Nilsen`],
      [berg, 'person-invited', 'person 1003 Ida Moe'],
      [berg, 'person-added', 'person 1003 Ida Moe'],
      ['PID 1003 Ida Moe', 'person-changed', 'person 1003 Ida Moe'],
    ]);
    const { rows } = await test.database.pool.query<{ secret: string }>(
      `SELECT encode((password).sha256, 'hex') AS secret FROM takt.users
       UNION ALL SELECT encode(token_sha256, 'hex') FROM takt.access_tokens`,
    );
    const shown = (await page.content()) + JSON.stringify(entries);
    expect(
      [PASSWORD, ...rows.map(({ secret }) => secret)].filter((secret) => shown.includes(secret)),
    ).to.deep.equal([]);
    expect(shown).not.to.match(/takt_[\w-]{43}/);
  });
});

function announcement(version: number) {
  const data = structureVersion(version, {
    ...{
      name: `Nut ${version}`,
      product: { productId: 1, status: 4, name: 'Nut', type: 'K', description: '' },
    },
    plannedProductionTimes: { runTime: 1, setupTime: 0, cleanupTime: null },
  });
  return { name: data.type, data, opts: { jobId: `nut-${version}` } };
}
