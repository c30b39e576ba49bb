import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createUser } from '@takt/access';
import {
  type AppProcess,
  createTestDatabase,
  runTakt,
  spawnTakt,
  startApp,
  type TestDatabase,
} from '@takt/database/testing';
import { openPublisher, type Publisher } from '@takt/events';
import { migrateQueueSchema } from '@takt/events/internal';
import { addCompany } from '@takt/figures/master-data';
import { completion, needsProgram, openBrowser, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { openWatchedPage, type WatchedPage } from '../support/watched-page.js';

const PASSWORD = 'correct horse battery';
/** Maximum time in ms until an alarm appears on the page, on the command line, in the metrics and in the webhook. */
const TOLD_WITHIN_MS = 30_000;
const RULE = 'data.database must be the code of a registered company';
const TEXT = /\d+ of [\d,]+ events of the last 5 minutes were rejected/;

/** Body of a request that the dashboard sends to the webhook. */
interface Message {
  readonly status: 'firing' | 'resolved';
  readonly alerts: readonly { readonly labels: { readonly alertname: string } }[];
}

describe('operators whose upstream system sends a wrong company code', function () {
  this.timeout(300_000);
  let test: TestDatabase;
  let worker: AppProcess;
  let dashboard: AppProcess;
  let receiver: Server;
  let publisher: Publisher;
  let browser: Browser;
  let first: WatchedPage;
  let next: WatchedPage;
  let watching: ReturnType<typeof spawnTakt>;
  let watched = '';
  let operation = 0;
  const messages: Message[] = [];

  before(async function () {
    needsProgram(this, 'chromium');
    test = await createTestDatabase();
    await migrateQueueSchema(test.url);
    await addCompany(test.database, 'TEM-NO', 'Tempus Norge');
    receiver = createServer(async (request, response) => {
      messages.push(JSON.parse(await text(request)));
      response.end();
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const { port } = receiver.address() as AddressInfo;
    const urls = { databaseUrl: test.url, queueUrl: test.url };
    const environment = { ALARM_WEBHOOK_URL: `http://127.0.0.1:${port}/`, ALARM_WEBHOOK_SECRET: 'a secret' };
    [worker, dashboard, browser, publisher] = await Promise.all([
      startApp('worker', urls),
      startApp('dashboard', { ...urls, environment }),
      openBrowser(),
      openPublisher(test.url),
    ]);
    [first, next] = (await Promise.all(['Kari Nordmann', 'Ola Hansen'].map(signIn))) as [
      WatchedPage,
      WatchedPage,
    ];
    watching = spawnTakt(['status', '--watch'], settings(), 290_000);
    watching.stdout.on('data', (piece) => {
      watched += String(piece);
    });
    await waitUntil('the command has told how all stands', () => /^rejected +0$/m.test(watched), 60_000);
  });
  after(async () => {
    watching?.kill('SIGINT');
    await first?.close();
    await next?.close();
    await browser?.close();
    await publisher?.close();
    for (const app of [dashboard, worker]) await app?.stop();
    receiver?.close();
    await test?.close();
  });

  const settings = () => ({ DATABASE_URL: test.url, QUEUE_URL: test.url });
  const status = () => runTakt(['status', '--check'], settings());
  const metric = async () =>
    (await (await fetch(`${dashboard.origin}/metrics`)).text()).includes(
      'takt_alarm{alarm="TaktRejectedShare"',
    );
  const told = () => messages.map(({ status: what, alerts }) => `${what} ${alerts[0]?.labels.alertname}`);

  async function signIn(name: string): Promise<WatchedPage> {
    const [firstName = '', family = ''] = name.split(' ');
    const person = { firstName, name: family, companyCodes: ['TEM-NO'], roles: ['system-operator'] };
    const pid = await createUser(test.database, { ...person, password: PASSWORD });
    const opened = await openWatchedPage(browser, dashboard.origin);
    await opened.page.goto(`${dashboard.origin}/`);
    await opened.page.getByLabel('Name, e-mail address or user number').fill(String(pid));
    await opened.page.getByLabel('Password').fill(PASSWORD);
    await opened.page.getByRole('button', { name: 'Sign in' }).click();
    await opened.page.getByRole('heading', { level: 1, name: 'System' }).waitFor();
    return opened;
  }

  /** Publishes completions with the given company code, as the upstream system does. */
  const send = (count: number, database: string) =>
    publisher.publish(
      Array.from({ length: count }, () => {
        operation += 1;
        const now = new Date().toISOString();
        return completion(operation, { database, completedAt: now }, { source: '/mes-7', time: now });
      }),
    );

  it('see no alarm while all events are correct', async () => {
    await send(40, 'TEM-NO');
    await first.page.getByText('No alarm.').waitFor();
    await waitUntil('the events are counted', async () =>
      (await status()).stdout.includes('completed    40 '),
    );
    const { code, stdout } = await status();
    expect([code, stdout.includes('ALARM')]).to.deep.equal([0, false]);
    expect(await metric()).to.equal(false);
    await first.inspect('alarms-none');
  });

  it('see an alarm within 30 s on the page, on the command line, in the metrics and through the webhook', async () => {
    const noonMs = Date.now();
    await send(60, 'TEM_NO');
    const left = () => noonMs + TOLD_WITHIN_MS - Date.now();
    await Promise.all([
      first.page.getByText(TEXT).first().waitFor({ timeout: left() }),
      waitUntil('the command line tells', async () => (await status()).code === 1, left()),
      waitUntil('the metric tells', metric, left()),
      waitUntil('the webhook is called', () => messages.length > 0, left()),
      waitUntil('who watches in a terminal is told', () => /Z ALARM \d+ of \d+ events/.test(watched), left()),
    ]);
    expect(told()).to.deep.equal(['firing TaktRejectedShare']);
    // The alarm can begin before the worker has counted all 60 rejected events. The test therefore waits until the line
    // states 60.
    const line =
      /^ALARM .*60 of 100 events .*\(60 %\)\. Most often: data\.database must be .* Since 2\d{3}-/m;
    await waitUntil('the command line tells of all', async () => line.test((await status()).stdout), 30_000);
  });

  it('see the begin of the alarm, the most frequent reason, and the system that sends the events', async () => {
    const { page } = first;
    const alarm = page.getByRole('listitem').filter({ hasText: TEXT });
    await alarm.getByText(/^Began [\d.]+ (?:s|min) ago\.$/).waitFor();
    expect(await alarm.textContent()).to.include(`Most often: ${RULE}.`);
    await first.inspect('alarms-found');
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(390);
    await first.inspect('alarms-found-phone');
    await page.setViewportSize({ width: 1280, height: 800 });
    await alarm.getByRole('link', { name: 'Rejected events' }).click();
    await page.getByRole('link', { name: RULE }).click();
    expect(await page.getByRole('main').textContent())
      .to.include('/mes-7')
      .and.to.include('(got "TEM_NO")');
    await page.goto(`${dashboard.origin}/`);
  });

  it('acknowledge the alarm with a note for the next operator', async () => {
    const word = 'MES 7 is told, they correct it until 13:00';
    await first.page.getByLabel('A word for the next operator').fill(word);
    await first.page.getByRole('button', { name: 'Acknowledge' }).click();
    // The page of the next operator updates itself, so the test does not reload it.
    await next.page.getByText(word).first().waitFor();
    expect(await next.page.getByRole('listitem').filter({ hasText: word }).textContent()).to.include(
      'Kari Nordmann',
    );
    await next.inspect('alarms-acknowledged');
    expect((await status()).stdout).to.include(word);
  });

  it('see that the alarm ends by itself once the source sends correct events again', async () => {
    await send(6_000, 'TEM-NO');
    await waitUntil('the command line tells of none', async () => (await status()).code === 0, 60_000);
    await next.page.getByText('No alarm.').waitFor({ timeout: 30_000 });
    await waitUntil('its end is told', () => messages.length > 1, 120_000);
    expect(told()).to.deep.equal(['firing TaktRejectedShare', 'resolved TaktRejectedShare']);
    await waitUntil('who watches in a terminal is told', () => /Z ended \d+ of /.test(watched));
    expect(await metric()).to.equal(false);
    await next.page.goto(`${dashboard.origin}/alarms`);
    expect(await next.page.getByRole('main').textContent())
      .to.match(/60 of 100 events of the last 5 minutes were rejected \(60 %\)/)
      .and.to.include('Kari Nordmann: MES 7 is told');
    await next.inspect('alarms-history');
    await next.page.setViewportSize({ width: 390, height: 844 });
    await next.inspect('alarms-history-phone');
    for (const range of ['day', 'month']) {
      await next.page.goto(`${dashboard.origin}/?range=${range}`);
      await next.inspect(`alarms-${range}-phone`);
    }
  });

  it('get a new alarm without the old note when more events are rejected', async () => {
    await send(300, 'TEM_NO');
    await waitUntil('the command line tells', async () => (await status()).code === 1, 120_000);
    await first.page.goto(`${dashboard.origin}/`);
    await first.page.getByText(TEXT).first().waitFor();
    const alarm = first.page.getByRole('listitem').filter({ hasText: TEXT });
    expect(await alarm.textContent()).not.to.include('MES 7 is told');
    await waitUntil(
      'all are rejected',
      async () => /^rejected +360$/m.test((await status()).stdout),
      120_000,
    );
    expect(await first.page.getByRole('main').textContent()).not.to.include('No alarm.');
  });
});
