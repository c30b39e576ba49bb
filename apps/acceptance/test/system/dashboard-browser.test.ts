import { createAccessToken, createUser } from '@takt/access';
import { type AppProcess, createTestDatabase, startApp, type TestDatabase } from '@takt/database/testing';
import { migrateQueueSchema, openQueueBackend } from '@takt/events/internal';
import { addCompany } from '@takt/figures/master-data';
import { completion, needsProgram, openBrowser, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { structureVersion } from '../support/master-data.js';
import { LIST } from '../support/production-times.js';
import { openWatchedPage, type WatchedPage } from '../support/watched-page.js';

const PASSWORD = 'correct horse battery';

describe('an operator with a browser', function () {
  this.timeout(180_000);
  let test: TestDatabase;
  let worker: AppProcess;
  let api: AppProcess;
  let dashboard: AppProcess;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;
  let pid: number;
  let token: string;

  before(async function () {
    needsProgram(this, 'chromium');
    test = await createTestDatabase();
    await migrateQueueSchema(test.url);
    await addCompany(test.database, 'TEM-NO', 'Tempus Norge');
    const person = {
      name: 'Nordmann',
      firstName: 'Kari',
      companyCodes: ['TEM-NO'],
      roles: ['operator'],
      password: PASSWORD,
    };
    pid = await createUser(test.database, person);
    ({ token } = await createAccessToken(test.database, {
      companyCodes: ['TEM-NO'],
      expiresInMs: 3_600_000,
    }));
    const urls = { databaseUrl: test.url, queueUrl: test.url };
    [worker, api, dashboard, browser] = await Promise.all([
      startApp('worker', urls),
      startApp('api', urls),
      startApp('dashboard', urls),
      openBrowser(),
    ]);
    watched = await openWatchedPage(browser, dashboard.origin);
    page = watched.page;
    await publishOverHttp([structureVersion('TEM-NO', 1), runOf(1, '2'), runOf(2, '1')]);
    await addUnchecked(test.url, [
      runOf(3, '-6'),
      ...Array.from({ length: 60 }, (_, at) => runOf(100 + at, 'long')),
    ]);
  });
  after(async () => {
    await watched?.close();
    await browser?.close();
    for (const app of [dashboard, api, worker]) await app?.stop();
    await test?.close();
  });

  async function publishOverHttp(events: readonly object[]): Promise<void> {
    const intake = await startApp('intake', { databaseUrl: test.url, queueUrl: test.url });
    const { token: publishing } = await createAccessToken(test.database, {
      ...{ companyCodes: ['TEM-NO'], expiresInMs: 3_600_000, mayPublish: true },
    });
    const publish = () =>
      fetch(`${intake.origin}/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${publishing}`, 'content-type': 'application/json' },
        body: JSON.stringify(events),
      });
    // A process that has just started may first report that the database is slow.
    await waitUntil('the events are taken', async () => (await publish()).status === 202);
    expect(await intake.stop()).to.equal(0);
  }

  /** Returns the status of the API and the average run time of the one structure version in its list. */
  const figures = async (): Promise<readonly unknown[]> => {
    const answer = await fetch(`${api.origin}${LIST}?$format=json`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return [answer.status, ...((await answer.text()).match(/"averageRunTime":[^,}]+/gi) ?? [])];
  };
  const heading = () => page.getByRole('heading', { level: 1 }).textContent();
  /** Checks the page in the sizes of a desktop and of a phone. On the phone nothing may overflow. */
  const inspect = async (name: string) => {
    await watched.inspect(name);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth'), name).to.be.at.most(390);
    await watched.inspect(`${name}-phone`);
    await page.setViewportSize({ width: 1280, height: 900 });
  };

  it('signs in, and sees the open problems at once', async () => {
    await page.goto(`${dashboard.origin}/`);
    expect(await heading()).to.equal('Sign in');
    await inspect('dashboard-sign-in');
    await page.getByLabel('Name, e-mail address or user number').fill(String(pid));
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'System' }).waitFor();
    await page.getByText('61 events are rejected and count nowhere.').waitFor();
    await page.getByText('1 operation of 1 structure version waits for master data.').waitFor();
    await page.getByText('/line-3').first().waitFor({ timeout: 30_000 });
    await inspect('dashboard-operations');
  });

  it('finds the rejected events by their reason', async () => {
    await page.getByRole('link', { name: 'See why' }).click();
    expect(await heading()).to.equal('Rejected events');
    await inspect('dashboard-rejected');
    await page.setViewportSize({ width: 390, height: 844 });
    const reason = await page.locator('td.reason').first().boundingBox();
    expect(reason?.width, 'on a phone').to.be.at.least(320);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('searchbox').fill('got "-6"');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('link', { name: 'event-3', exact: true }).click();
    expect(await page.getByRole('main').textContent()).to.include('data.runTime must be hours');
    await inspect('dashboard-event');
  });

  it('corrects a rejected event, sees the remaining errors, and then sees the new figure', async () => {
    const before = await figures();
    expect(before[0]).to.equal(200);
    const field = page.getByLabel('data.runTime', { exact: true });
    expect(await page.evaluate('document.activeElement.name')).to.equal('field:data.runTime');
    await field.fill('six');
    await page.getByRole('button', { name: 'Correct and retry' }).first().click();
    const alert = page.getByRole('alert');
    expect(await alert.textContent())
      .to.include('data.runTime must be hours')
      .and.to.include('(got "six")');
    await inspect('dashboard-correction-refused');
    await page.getByText('As text').click();
    const payload = page.getByLabel('Payload, as JSON');
    await payload.fill((await payload.inputValue()).replace('"-6"', '"6"'));
    await page.getByRole('button', { name: 'Correct and retry' }).last().click();
    await page.getByText('The corrected event was sent').waitFor();
    await waitUntil(
      'the figure has changed',
      async () => JSON.stringify(await figures()) !== JSON.stringify(before),
    );
    expect(await figures()).to.deep.equal([200, '"averageRunTime":4']);
  });

  it('discards all other rejected events together, after seeing their number', async () => {
    await page.goto(`${dashboard.origin}/rejected?text=long`);
    await page.getByRole('link', { name: 'Older ones' }).click();
    expect(await page.getByRole('row').count()).to.be.above(10);
    await page.getByRole('link', { name: 'Discard all 60 …' }).click();
    expect(await heading()).to.equal('Discard 60 rejected events?');
    await inspect('dashboard-confirm');
    await page.getByRole('button', { name: 'Discard 60' }).click();
    await page.getByRole('heading', { name: '60 events discarded' }).waitFor();
    await inspect('dashboard-discarded');
    await page.getByRole('link', { name: 'Rejected events' }).first().click();
    expect(await page.getByRole('main').textContent()).to.include('Nothing is rejected.');
  });

  it('inspects the queues, and pauses and resumes a queue', async () => {
    await page.getByRole('link', { name: 'System' }).click();
    await page.getByRole('link', { name: 'Queues', exact: true }).first().click();
    expect(await heading()).to.equal('System');
    await inspect('dashboard-queues');
    await page.getByRole('button', { name: 'Pause work-order-operations' }).click();
    await page.getByText('The queue is paused').waitFor();
    await addUnchecked(test.url, [runOf(900, '1')]);
    await page
      .getByRole('row', { name: /^work-order-operations/ })
      .getByRole('link')
      .first()
      .click();
    await inspect('dashboard-jobs');
    await page.getByRole('table', { name: '' }).last().getByRole('link').first().click();
    expect(await page.getByRole('main').textContent()).to.include('"workOrderOperationId": 900');
    await inspect('dashboard-job');
    await page.getByRole('link', { name: 'System' }).click();
    // The text appears in the alarm, and later also in the history of alarms, so there can be two.
    await page
      .getByText('The queue work-order-operations is paused: nothing is taken from it.')
      .first()
      .waitFor();
    await inspect('dashboard-alarm');
    await page.getByRole('main').getByRole('link', { name: 'Queues' }).first().click();
    await page.getByRole('button', { name: 'Resume work-order-operations' }).click();
    await page.getByText('The queue is running again.').waitFor();
  });

  it('reads the pages in German, and switches back to English', async () => {
    await page.getByRole('link', { name: 'Deutsch' }).click();
    expect(await heading()).to.equal('System');
    for (const [path, name] of [
      ['/', 'dashboard-operations-deu'],
      ['/?range=month', 'dashboard-month-deu'],
      ['/rejected', 'dashboard-rejected-deu'],
      ['/alarms', 'dashboard-alarms-deu'],
    ] as const) {
      await page.goto(dashboard.origin + path);
      await inspect(name);
    }
    await page.getByRole('link', { name: 'English' }).click();
    expect(await heading()).to.equal('System');
  });

  it('sees the page update itself, and can read the page without script and on a phone', async () => {
    await page.goto(`${dashboard.origin}/`);
    const first = await page.locator('#asOf').textContent();
    await waitUntil(
      'the page has changed by itself',
      async () => (await page.locator('#asOf').textContent()) !== first,
    );
    await inspect('dashboard-operations-live');
    const cookies = await page.context().cookies();
    const plain = await openWatchedPage(browser, dashboard.origin, { javaScriptEnabled: false });
    await plain.page.context().addCookies(cookies);
    await plain.page.goto(`${dashboard.origin}/`);
    expect(await plain.page.getByRole('main').textContent()).to.include('waits for master data');
    await plain.inspect('dashboard-operations-without-script');
    await plain.close();
  });

  it('gets a page that reloads itself if too many other pages receive live updates', async () => {
    const cookies = await page.context().cookies();
    const headers = { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') };
    const gone = new AbortController();
    // Keeps all responses. The garbage collector would otherwise end an unread response, and free its slot for live
    // updates.
    const watching: Response[] = [];
    const watch = async () => {
      const response = await fetch(`${dashboard.origin}/live`, { headers, signal: gone.signal });
      watching.push(response);
      return response.status;
    };
    const fill = () => waitUntil('no more may be watched', async () => (await watch()) === 503);
    await fill();
    const late = await page.context().newPage();
    await late.clock.install();
    await late.goto(`${dashboard.origin}/`);
    // A page that is still loading cannot be evaluated; this counts as stale.
    const isStale = () =>
      late.evaluate<boolean>("document.body.classList.contains('stale')").catch(() => true);
    await waitUntil('it says that it is not kept up to date', async () => {
      if (await isStale()) return true;
      // The server may have noticed only now that an earlier page was left, whose place this page then got.
      await fill();
      await late.reload();
      return false;
    });
    const first = await late.locator('#asOf').textContent();
    expect(watching.filter(({ ok }) => ok)).not.to.have.length(0);
    gone.abort();
    await waitUntil('it has loaded itself anew, and changes by itself', async () => {
      await late.clock.fastForward(30_000);
      return (await late.locator('#asOf').textContent()) !== first && !(await isStale());
    });
    await late.close();
  });

  it('signs out, and must sign in again', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Sign out' }).click();
    expect(await heading()).to.equal('Sign in');
    await page.goBack();
    await page.reload();
    expect(await heading()).to.match(/Sign in|Your session has ended/);
  });
});

/** Returns the completion of an operation. Operation 2 belongs to an unknown structure version. */
function runOf(operation: number, runTime: string) {
  return completion(operation, { productStructureVersionId: operation === 2 ? 999 : 1, runTime });
}

/** Adds events to the queue without checking them, as a careless producer does. */
async function addUnchecked(url: string, events: readonly ReturnType<typeof completion>[]): Promise<void> {
  const backend = await openQueueBackend(url, { onError: () => undefined });
  const opts = { removeOnComplete: true, removeOnFail: false, attempts: 1 };
  const queue = backend.openQueue('work-order-operations');
  await queue.addBulk(events.map((event) => ({ name: event.type, data: event, opts })));
  await backend.close();
}
