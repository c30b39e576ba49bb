import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTestDatabase, runTakt, type TaktEnvironment } from '@takt/database/testing';
import { findFreePort, needsProgram, openBrowser, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { openPseudoTerminal, type PseudoTerminal } from '../support/pseudo-terminal.js';

const run = promisify(execFile);

const CODE = /\/open\?code=(?:[A-Z2-9]{4}-){3}[A-Z2-9]{4}/;
const MAX_LINES = 11;
const MAX_COLUMNS = 80;

describe('takt start on a terminal', function () {
  this.timeout(240_000);
  let folder: string;
  let environment: TaktEnvironment;
  const terminals: PseudoTerminal[] = [];

  before(async function () {
    needsProgram(this, 'script');
    folder = await mkdtemp(join(tmpdir(), 'takt-first-minute-'));
    environment = {
      TAKT_HOME: join(folder, 'home'),
      PORT: String(await findFreePort()),
      WORKER_PORT: String(await findFreePort()),
      DASHBOARD_PORT: String(await findFreePort()),
      INTAKE_PORT: String(await findFreePort()),
    };
  });
  after(async () => {
    for (const { child } of terminals) child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  const start = (columns: number, rows: number, changes: TaktEnvironment = {}) => {
    const terminal = openPseudoTerminal(['start'], { ...environment, ...changes }, { columns, rows });
    terminals.push(terminal);
    return terminal;
  };
  const isReady = (terminal: PseudoTerminal) => /s after the start\.$/m.test(terminal.lines().join('\n'));
  const readyLines = async (terminal: PseudoTerminal) => {
    await waitUntil('everything is ready', () => isReady(terminal), 120_000);
    return terminal.lines();
  };
  /** Returns the lines from the first line of the panel. */
  const panelOf = (lines: readonly string[]) => {
    const begin = lines.findIndex((line) => line.startsWith('Takt is running.'));
    return lines.slice(begin).filter((line) => line !== '');
  };
  const addressOf = (lines: readonly string[]) =>
    lines
      .map((line) => /^ {2}planner's page +(http:\S+)$/.exec(line)?.[1])
      .find((url) => url !== undefined) ?? '';
  const expectPanel = (panel: readonly string[], columns = MAX_COLUMNS) => {
    expect(panel.length).to.be.at.most(MAX_LINES);
    for (const line of panel) expect(line.length, line).to.be.at.most(columns);
    const text = panel.join('\n');
    const labels = ["planner's page", 'dashboard', 'API', 'docs', 'publish', 'your own data', 'this again'];
    for (const label of labels) expect(text).to.match(new RegExp(`^ {2}${label} {2,}\\S`, 'm'));
    expect(addressOf(panel)).to.match(CODE);
    expect(text)
      .to.include('Ctrl-C')
      .and.match(/opens once, until \d\d:\d\d; npx takt open/);
    expect(text).not.to.match(/takt_[\w-]{20}/);
  };
  const stop = async ({ child, interrupt }: PseudoTerminal) => {
    interrupt();
    expect((await once(child, 'exit'))[0]).to.equal(0);
  };
  const fromTerminal = (args: readonly string[], changes: TaktEnvironment = {}) =>
    runTakt(args, { ...environment, ...changes });

  it('prints a panel of at most 80 columns and 24 rows, and shows the progress of the demo in one line below', async () => {
    const terminal = start(80, 24);
    await waitUntil('the panel stands', () => addressOf(terminal.lines()) !== '', 120_000);
    const url = addressOf(terminal.lines());
    const shown = await fetch(url, { method: 'HEAD' });
    expect([shown.status, isReady(terminal)]).to.deep.equal([200, false]);
    const lines = await readyLines(terminal);
    expectPanel(panelOf(lines));
    expect(lines.at(-2)).to.match(/^400 structure versions, \d{5} operations, \d+\.\d s after the start\.$/);
    expect(terminal.written()).to.match(/loading demo data [█░]{30} \d+ %/);
    expect(lines.filter((line) => line.includes('%'))).to.deep.equal([]);
  });

  it('prints an address that opens the page of the planner in Chromium once; the later address has no code', async function () {
    needsProgram(this, 'chromium');
    const url = addressOf(terminals[0]?.lines() ?? []);
    const browser = await openBrowser();
    try {
      const page = await (await browser.newContext({ locale: 'en' })).newPage();
      await page.goto(url);
      expect(page.url()).to.include('/product/products/aggregated-production-times?');
      expect(page.url()).not.to.include('code');
      expect(await page.textContent('body')).to.include('Demo planner');
      await page.goto(url);
      expect(page.url()).to.include('/product/products/aggregated-production-times?');
      const other = await (await browser.newContext({ locale: 'en' })).newPage();
      const refused = await other.goto(url);
      expect(refused?.status()).to.equal(403);
      expect(await other.textContent('body')).to.include('npx takt open');
    } finally {
      await browser.close();
    }
  });

  it('leads a person to the page of the planner after a sign-in at the API', async function () {
    needsProgram(this, 'chromium');
    const secrets = await readFile(join(String(environment['TAKT_HOME']), 'demo-access'), 'utf8');
    const browser = await openBrowser();
    try {
      for (const who of ['planner', 'operator']) {
        const [, pid = '', password = ''] = new RegExp(`^${who} (\\d+) (\\S+)`, 'm').exec(secrets) ?? [];
        const page = await (await browser.newContext({ locale: 'en' })).newPage();
        await page.goto(`http://127.0.0.1:${environment['PORT']}/oauth2`);
        await page.fill('input[name=login]', pid);
        await page.fill('input[name=password]', password);
        await page.click('form:has(input[name=password]) button');
        await page.waitForURL(/aggregated-production-times/);
        expect(page.url(), who).to.include('/product/products/aggregated-production-times?');
      }
    } finally {
      await browser.close();
    }
  });

  it('prints a command that publishes an event in a shell', async () => {
    const [, script = ''] =
      /^ {2}publish +sh (\S+)/m.exec(panelOf(terminals[0]?.lines() ?? []).join('\n')) ?? [];
    const { stdout } = await run('sh', ['-c', `sh ${script}`], { env: { ...process.env, ...environment } });
    expect(JSON.parse(stdout)).to.deep.equal({ accepted: 1, rejected: [] });
  });

  it('lets takt info print the panel again, with a new code', async () => {
    const { code, stdout } = await fromTerminal(['info']);
    expect(code).to.equal(0);
    expectPanel(stdout.split('\n').filter((line) => line !== ''));
    expect(addressOf(stdout.split('\n'))).not.to.equal(addressOf(terminals[0]?.lines() ?? []));
    const other = await fromTerminal(['info'], { DATABASE_URL: 'postgres://localhost/other' });
    expect(other).to.deep.include({ code: 1, stdout: '' });
    expect(other.stderr).to.include('Takt was started without DATABASE_URL');
  });

  it('lets takt open show the page in the browser of the desktop, or else print the address', async () => {
    const bin = join(folder, 'bin');
    const log = join(folder, 'opened');
    await mkdir(bin);
    const path = `${bin}:${process.env['PATH']}`;
    const browserThat = async (body: string) => {
      await writeFile(join(bin, 'xdg-open'), `#!/bin/sh\n${body}\n`);
      await chmod(join(bin, 'xdg-open'), 0o755);
    };
    await browserThat(`echo "$1" > '${log}'`);
    const opened = await fromTerminal(['open'], { PATH: path, DISPLAY: ':7' });
    expect(opened).to.deep.include({ code: 0, stdout: '' });
    expect((await readFile(log, 'utf8')).trim()).to.match(CODE);
    const printed = [await fromTerminal(['open'], { PATH: path })];
    await browserThat('exit 3');
    printed.push(await fromTerminal(['open'], { PATH: path, WAYLAND_DISPLAY: 'wayland-0' }));
    printed.push(await fromTerminal(['open'], { PATH: join(folder, 'nothing'), DISPLAY: ':7' }));
    for (const { code, stdout } of printed) {
      expect(code).to.equal(0);
      expect(stdout.trim()).to.match(CODE);
    }
    expect(new Set(printed.map(({ stdout }) => stdout)).size).to.equal(3);
  }).timeout(60_000);

  it('also fits into 100 columns and 40 rows without the demo', async () => {
    const [first] = terminals;
    if (first !== undefined) await stop(first);
    const ended = await fromTerminal(['info']);
    expect(ended).to.deep.include({ code: 1, stdout: '' });
    expect(ended.stderr).to.include('no Takt is running').and.include('npm start');
    const terminal = start(100, 40);
    const panel = panelOf(await readyLines(terminal));
    expectPanel(panel, 100);
    expect(terminal.written()).not.to.include('loading');
    expect((await fetch(addressOf(panel), { method: 'HEAD' })).status).to.equal(200);
    terminal.child.kill('SIGKILL');
  });

  it('is reported as not running by takt info after a kill', async () => {
    const { pid } = JSON.parse(
      await readFile(join(String(environment['TAKT_HOME']), 'running.json'), 'utf8'),
    );
    await waitUntil('the API is gone', async () => (await fromTerminal(['info'])).code === 1, 60_000);
    expect(pid).to.be.a('number');
  });

  it('leads to a page for the first person and company without the demo, and then opens as that person', async () => {
    const { url, database, close } = await createTestDatabase();
    try {
      const terminal = openPseudoTerminal(
        ['start', '--no-demo'],
        { ...environment, DATABASE_URL: url },
        { columns: 80, rows: 24 },
      );
      terminals.push(terminal);
      const panel = panelOf(await readyLines(terminal)).join('\n');
      expect(panel).to.include('company add CODE NAME');
      const [, page = ''] = /^ {2}first steps +(http:\S+)$/m.exec(panel) ?? [];
      expect(page).to.match(new RegExp(`:${environment['DASHBOARD_PORT']}/set-up\\?code=`));
      const form = new URLSearchParams({
        name: 'Nordmann',
        company: 'FA-1',
        companyName: 'Fabrikk 1',
        timeZone: 'Europe/Oslo',
        password: 'correct horse battery',
      });
      const code = new URL(page).searchParams.get('code') ?? '';
      const begin = { method: 'POST', body: new URLSearchParams({ code }), redirect: 'manual' } as const;
      const { headers } = await fetch(page, begin);
      const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
      const sent = { method: 'POST', body: form, headers: { cookie } };
      const done = await fetch(headers.get('location') ?? '', sent);
      expect([done.status, (await done.text()).includes('1001')]).to.deep.equal([200, true]);
      await runTakt(['company', 'add', 'FA-2', 'Fabrikk 2'], { ...environment, DATABASE_URL: url });
      const { stdout } = await fromTerminal(['open'], { DATABASE_URL: url });
      expect(stdout.trim()).to.match(CODE);
      const { rows } = await database.pool.query(
        'SELECT pid, takt.company_codes(pid, NULL) AS codes FROM takt.users',
      );
      expect(rows).to.deep.equal([{ pid: 1001, codes: ['FA-1', 'FA-2'] }]);
      await stop(terminal);
    } finally {
      await close();
    }
  });
});
