import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@takt/test-support';
import { runTakt, spawnTakt } from './apps.js';

/** The first page of a planner, for the picture in the README. */
export interface FirstPage {
  readonly address: string;
  readonly token: string;
}

const fileOf = (name: string) => fileURLToPath(new URL(`../../../../.github/${name}`, import.meta.url));

/** The picture in the README, and the hash of the page that it shows. */
export const PICTURE_FILES = { picture: fileOf('first-page.png'), hash: fileOf('first-page.sha256') };

/** A page with a fixed period. The events of the demo end in the month after it, so the page is always the same. */
const PAGE =
  '/product/products/aggregated-production-times?$db=TEM-NO&$filter=HoursOverPlan%20gt%200&$orderby=HoursOverPlan%20desc&view=overview&$top=10&to=2025-11';
const EVENTS = [
  '--events',
  '10000',
  '--structures',
  '200',
  '--corrections',
  '0.03',
  '--first-operation',
  '1000001',
];

/** Starts Takt with events of a fixed year, and calls `use` with the first page. */
export async function withFirstPage<Result>(use: (page: FirstPage) => Promise<Result>): Promise<Result> {
  const home = await mkdtemp(join(tmpdir(), 'takt-first-page-'));
  const freePort = async () => String(await findFreePort());
  const port = await freePort();
  const environment = {
    TAKT_HOME: home,
    PORT: port,
    DASHBOARD_PORT: await freePort(),
    INTAKE_PORT: await freePort(),
    WORKER_PORT: await freePort(),
  };
  const takt = spawnTakt(['start', '--no-demo'], environment);
  try {
    let said = '';
    for await (const chunk of takt.stdout) {
      said += String(chunk);
      if (said.includes('Ctrl-C stops')) break;
    }
    await runTakt(['company', 'add', 'TEM-NO', 'Tempus Norge'], environment);
    const events = join(home, 'events.ndjson');
    await writeFile(events, (await runTakt(['generate', ...EVENTS], environment)).stdout);
    await runTakt(['publish', events], environment);
    await runTakt(['drain'], environment);
    const { stdout: token } = await runTakt(['token', 'create', '--database', 'TEM-NO'], environment);
    return await use({ address: `http://127.0.0.1:${port}${PAGE}`, token: token.trim() });
  } finally {
    takt.kill('SIGINT');
    await new Promise((resolve) => takt.once('exit', resolve));
    await rm(home, { recursive: true, force: true });
  }
}

/**
 * Returns a hash of everything that a reader sees on the page: its HTML, whose links name the style sheet and the script
 * by their hashes. Left out are the address of the server, the time of reading, and the offered periods, which depend on
 * the day.
 */
export async function hashOfPage({ address, token }: FirstPage): Promise<string> {
  const answer = await fetch(address, {
    headers: { accept: 'text/html', authorization: `Bearer ${token}` },
  });
  if (answer.status !== 200) throw new Error(`the first page has the status ${answer.status}`);
  const html = (await answer.text())
    .replaceAll(new URL(address).origin, '')
    .replace(/<time.*?<\/time>|<details class="help period">.*?<\/details>/gs, '');
  return createHash('sha256').update(html).digest('hex');
}
