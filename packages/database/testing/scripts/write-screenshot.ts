import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort, openBrowser } from '@takt/test-support';
import { runTakt, spawnTakt } from '../apps.js';

/** Path of the picture in the README. The picture shows a planner's view of the demo, with the longest times first. */
const PICTURE = fileURLToPath(new URL('../../../../../.github/production-times.png', import.meta.url));
const VIEWPORT = { width: 1520, height: 600 };
const PAGE = '/product/structure-versions/aggregated-production-times' + '?$format=html';

const home = await mkdtemp(join(tmpdir(), 'takt-screenshot-'));
const freePort = async () => String(await findFreePort());
const port = await freePort();
const environment = {
  TAKT_HOME: home,
  PORT: port,
  DASHBOARD_PORT: await freePort(),
  INTAKE_PORT: await freePort(),
  WORKER_PORT: await freePort(),
};
const takt = spawnTakt(['start'], environment);
try {
  let said = '';
  for await (const chunk of takt.stdout) {
    said += String(chunk);
    if (said.includes('Ctrl-C stops')) break;
  }
  const { stdout: token } = await runTakt(['token', 'create', '--database', 'TEM-NO'], environment);
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ viewport: VIEWPORT });
    await page.goto(`http://127.0.0.1:${port}${PAGE}&$access_token=${token.trim()}`);
    await page.screenshot({ path: PICTURE });
  } finally {
    await browser.close();
  }
} finally {
  takt.kill('SIGINT');
  await new Promise((resolve) => takt.once('exit', resolve));
  await rm(home, { recursive: true, force: true });
}
