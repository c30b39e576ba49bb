import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnTakt } from '@takt/database/testing';
import { findFreePort, waitUntil } from '@takt/test-support';

/** The system that `npm start` starts, with demo data. It has a separate folder and separate ports. */
export interface DemoSystem {
  /** The address of the API. It differs from http://127.0.0.1:3000, the address in the examples, only by its port. */
  readonly api: string;
  /** Environment variables with which a takt command finds this system. */
  readonly environment: Readonly<Record<string, string>>;
  /** Replaces the addresses in an example with the addresses of this system. */
  here(text: string): string;
  close(): Promise<void>;
}

const START_DEADLINE_MS = 180_000;
/** Maximum time in ms for which the system runs. Every suite takes less time. */
const RUN_DEADLINE_MS = 1_800_000;
const PORTS = { PORT: 3000, DASHBOARD_PORT: 3001, WORKER_PORT: 3002, INTAKE_PORT: 3003 } as const;

export async function startDemoSystem(): Promise<DemoSystem> {
  const folder = await mkdtemp(join(tmpdir(), 'takt-demo-'));
  const ports = new Map<number, string>();
  const environment: Record<string, string> = { TAKT_HOME: join(folder, 'home') };
  for (const [name, known] of Object.entries(PORTS)) {
    const port = String(await findFreePort());
    environment[name] = port;
    ports.set(known, port);
  }
  const takt = spawnTakt(['start'], environment, RUN_DEADLINE_MS);
  const ended = once(takt, 'exit');
  let output = '';
  for (const stream of [takt.stdout, takt.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const close = async () => {
    takt.kill('SIGINT');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const runs = () => output.includes('Ctrl-C stops') || takt.exitCode !== null;
    await waitUntil('the demo runs', runs, START_DEADLINE_MS);
    if (takt.exitCode !== null) throw new Error(`takt start ended with ${takt.exitCode}`);
  } catch (error) {
    await close();
    throw new Error(`the demo does not run:\n${output}`, { cause: error });
  }
  return {
    api: `http://127.0.0.1:${environment['PORT']}`,
    environment,
    here: (text) =>
      text.replace(/(127\.0\.0\.1|localhost):(300\d)/g, (whole, host, port) => {
        const here = ports.get(Number(port));
        return here === undefined ? whole : `${host}:${here}`;
      }),
    close,
  };
}
