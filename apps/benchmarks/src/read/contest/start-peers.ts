import { execFile } from 'node:child_process';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findFreePort, type ObservedProcess, spawnObserved, whenStarted } from '@takt/test-support';
import { say } from '../../harness.js';

/** What all of them are given, and the API has by itself. */
interface PeerOptions {
  readonly databaseUrl: string;
  readonly companyId: number;
  readonly token: string;
}

export interface Peer extends ObservedProcess {
  readonly origin: string;
}

/** As many connections to the database as the API opens. */
const CONNECTIONS = 8;
const SOURCE = new URL('../../../../peers/', import.meta.url);
const INSTALLED = new URL('../../../../build-output/peers/', import.meta.url);

/**
 * Installs the peers at the first run, and again after their lock file has changed. Nothing else needs them, and CAP's
 * licence is none that the packages of this repository have: so they are no dependencies of a workspace.
 */
export async function installPeers(): Promise<void> {
  const isInstalled = (await readLock(new URL('node_modules/.lock', INSTALLED))) === (await readLock(LOCK));
  await mkdir(INSTALLED, { recursive: true });
  await cp(SOURCE, INSTALLED, { recursive: true });
  if (isInstalled) return;
  say('the peers are installed, which needs the registry');
  const cwd = fileURLToPath(INSTALLED);
  await promisify(execFile)('npm', ['ci', '--omit=peer', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd,
  });
  await cp(LOCK, new URL('node_modules/.lock', INSTALLED));
}

const LOCK = new URL('package-lock.json', SOURCE);

function readLock(file: URL): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}

/** Starts a peer that is installed, and waits until it answers. */
export async function startPeer(
  program: 'by-hand.js' | 'cap.js',
  { databaseUrl, companyId, token }: PeerOptions,
): Promise<Peer> {
  const port = await findFreePort();
  const peer = spawnObserved([fileURLToPath(new URL(program, INSTALLED))], {
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    CONNECTIONS: String(CONNECTIONS),
    PORT: String(port),
    TOKEN: token,
    COMPANY_ID: String(companyId),
  });
  const origin = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${origin}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  await whenStarted(program, peer, answers);
  return { ...peer, origin };
}
