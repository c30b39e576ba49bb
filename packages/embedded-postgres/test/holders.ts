import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { openEmbeddedServer } from '../src/embedded-server.js';
import { runProgram, type ServerUser } from '../src/programs.js';
import { IS_LINUX_ROOT, TEST_SETTINGS, temporaryHomes } from './embedded-homes.js';

/** A process that uses a server. */
export interface Holder {
  readonly url: string;
  signal(name: NodeJS.Signals): void;
  /** Kills the process with SIGKILL. */
  kill(): Promise<void>;
  /** Ends the use, and waits until the process has ended. */
  release(): Promise<void>;
}

/** Creates homes and holders for the tests of a suite. After each test, all of them are ended. */
export function embeddedServers() {
  const homes = temporaryHomes();
  const holders = holderProcesses();
  afterEach(async () => {
    holders.end();
    await homes.end();
  });
  const open = (home: string) => openEmbeddedServer({ home, settings: TEST_SETTINGS });
  return { homes, holders, open };
}

/** Starts processes that use servers, and ends all of them. */
function holderProcesses() {
  const children: ChildProcess[] = [];
  return {
    async start(home: string, user?: ServerUser): Promise<Holder> {
      const program = fileURLToPath(new URL('./hold-server.js', import.meta.url));
      const child = spawn(process.execPath, [program, home, JSON.stringify(TEST_SETTINGS)], {
        stdio: ['pipe', 'pipe', 'pipe'],
        cwd: '/',
        ...(user && { uid: user.uid, gid: user.gid }),
      });
      children.push(child);
      const exited = once(child, 'exit');
      const url = await firstLine(child);
      return {
        url,
        signal: (name) => void child.kill(name),
        async kill() {
          child.kill('SIGKILL');
          await exited;
        },
        async release() {
          child.stdin.end();
          await exited;
        },
      };
    },
    end() {
      for (const child of children.splice(0)) child.kill('SIGKILL');
    },
  };
}

/** Returns the user without rights that every Linux has. */
export function nobody(): ServerUser {
  const idOf = (option: string) => Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }));
  return { name: 'nobody', uid: idOf('-u'), gid: idOf('-g') };
}

/** Finds a user other than root as whom root can run a holder; undefined if there is none. */
export async function findOtherUser(): Promise<ServerUser | undefined> {
  if (!IS_LINUX_ROOT) return undefined;
  const user = nobody();
  const reached = await runProgram(process.execPath, ['--check', import.meta.filename], user);
  // Another user can run the holder only if that user may enter the directory of the checkout.
  return reached.isDone ? user : undefined;
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let errors = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
    child.once('close', () => reject(new Error(`the holder ended: ${errors}`)));
  });
}

/** Reads one value over a new connection to a server. */
export async function queryOnce(url: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 25_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const result = await client.query<unknown[]>({ text, rowMode: 'array' });
    return result.rows[0]?.[0];
  } finally {
    await client.end().catch(() => undefined);
  }
}
