import { execFile, spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestDatabase } from '@takt/database/testing';
import { findFreePort, readMainThreadMs, waitUntil } from '@takt/test-support';
import { type Compose, type ComposeService, readCompose } from './compose.js';
import type { Image } from './dockerfile.js';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
/** Path of the app in the image. */
const HOME_OF_IMAGE = '/takt';
const SECRETS_OF_CONTAINER = '/run/secrets';
const PORT_VARIABLES: Readonly<Record<string, string>> = {
  api: 'PORT',
  dashboard: 'DASHBOARD_PORT',
  intake: 'INTAKE_PORT',
  worker: 'WORKER_PORT',
};
const COMMAND_DEADLINE_MS = 120_000;
const START_DEADLINE_MS = 60_000;
const POLL_MS = 20;

/** Local servers and files that replace those of a container of compose.yaml. */
export interface Surroundings {
  readonly database: TestDatabase;
  readonly queueUrl: string;
  /** Folder with the secrets that compose.yaml mounts. */
  readonly secrets: string;
}

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** A running app under the same conditions as in its container. */
export interface RunningApp {
  /** CPU time in ms of the main thread until the app was ready. It hardly depends on other load of the machine. */
  readonly startCpuMs: number;
  readonly port: number;
  readonly pid: number;
  /** Runs the HEALTHCHECK command of the image. */
  checkHealth(): Promise<Ended>;
  /**
   * Sends SIGTERM, as `docker stop` does. If the app still runs after `deadlineMs`, sends SIGKILL; the result then
   * contains no exit code.
   */
  stop(deadlineMs: number): Promise<Ended>;
}

/**
 * Runs the commands with which the build of an image installs its app. Replaces the path of the app in the image by
 * `folder`.
 */
export async function installAsImage({ app, install }: Image, folder: string): Promise<void> {
  for (const command of install) {
    const { code, output } = await run(['bash', '-euc', command.replaceAll(HOME_OF_IMAGE, folder)], {
      cwd: ROOT,
      env: process.env,
    });
    if (code !== 0) throw new Error(`${app} cannot be installed: ${output}`);
  }
}

/**
 * Writes the secrets of compose.yaml. The owner has the password of the server. The passwords of the apps start with
 * `password`.
 */
export async function writeSecrets(folder: string, database: TestDatabase, password: string): Promise<void> {
  await mkdir(folder, { mode: 0o755 });
  for (const name of Object.keys(readCompose().secrets ?? {})) {
    const secret = name === 'owner' ? new URL(database.url).password : `${password}${name}`;
    await writeFile(join(folder, name), `${secret}\n`, { mode: 0o644 });
  }
}

/**
 * Runs the image of a service of compose.yaml until its program exits. `args` replaces the arguments of compose.yaml.
 */
export function runService(
  image: Image,
  folder: string,
  service: string,
  surroundings: Surroundings,
  args?: readonly string[],
): Promise<Ended> {
  const { command = [], environment } = serviceOf(readCompose(), service);
  const written = (args ?? command).map((word) =>
    word.replaceAll(SECRETS_OF_CONTAINER, surroundings.secrets),
  );
  return run([...placed(image.entrypoint, folder), ...written], {
    ...asUserOf(image),
    cwd: folder,
    env: environmentFor(image, environment, surroundings),
  });
}

/** Starts the image of an app and waits until the app is ready. If the app exits earlier, rejects with its output. */
export async function startService(
  image: Image,
  folder: string,
  surroundings: Surroundings,
): Promise<RunningApp> {
  const port = await findFreePort();
  const { environment } = serviceOf(readCompose(), image.app);
  const env = {
    ...environmentFor(image, environment, surroundings),
    [PORT_VARIABLES[image.app] ?? '']: String(port),
  };
  const [program = '', ...args] = placed(image.entrypoint, folder);
  const child = spawn(program, args, {
    ...asUserOf(image),
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, output })));
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitUntil(
    `${image.app} is ready`,
    async () => child.exitCode !== null || (await isReady()),
    START_DEADLINE_MS,
    POLL_MS,
  );
  if (child.exitCode !== null) throw new Error(`${image.app} did not start:\n${output}`);
  const pid = child.pid ?? 0;
  return {
    startCpuMs: readMainThreadMs(pid),
    port,
    pid,
    checkHealth: () => {
      const [check = '', ...rest] = image.healthcheck ?? [];
      const words = rest.map((word) => word.replace(/127\.0\.0\.1\/\d+/, `127.0.0.1/${port}`));
      return run([check, ...words], { ...asUserOf(image), cwd: folder, env });
    },
    stop: (deadlineMs) => {
      child.kill('SIGTERM');
      const overdue = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
      return ended.finally(() => clearTimeout(overdue));
    },
  };
}

/** Returns the resident memory of a process, in MB of 2^20 bytes (Linux). */
export async function readMemoryMb(pid: number): Promise<number> {
  const heldKb = /^VmRSS:\s*(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(heldKb) / 1_024;
}

function serviceOf({ services }: Compose, name: string): ComposeService {
  const service = services[name];
  if (service === undefined) throw new Error(`compose.yaml has no service ${name}`);
  return service;
}

function placed(words: readonly string[], folder: string): readonly string[] {
  return words.map((word) =>
    word.startsWith(`${HOME_OF_IMAGE}/`) ? folder + word.slice(HOME_OF_IMAGE.length) : word,
  );
}

function asUserOf({ user }: Image): { readonly uid: number; readonly gid: number } {
  const [uid = Number.NaN, gid = Number.NaN] = user.split(':').map(Number);
  return { uid, gid };
}

/**
 * Returns the environment of the app in its container, with local addresses. HOME is missing, because the user of the
 * image has no home folder.
 */
function environmentFor(
  image: Image,
  environment: Readonly<Record<string, string>> = {},
  { database, queueUrl, secrets }: Surroundings,
): Record<string, string> {
  const env: Record<string, string> = {
    ...image.environment,
    ...environment,
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOST: '127.0.0.1',
  };
  const owner = new URL(database.url);
  const url = new URL(env['DATABASE_URL'] ?? '');
  if (url.username === 'takt_owner') url.username = owner.username;
  url.host = owner.host;
  url.pathname = owner.pathname;
  env['DATABASE_URL'] = url.href;
  env['DATABASE_PASSWORD_FILE'] = (env['DATABASE_PASSWORD_FILE'] ?? '').replace(
    SECRETS_OF_CONTAINER,
    secrets,
  );
  if (env['QUEUE_URL'] !== undefined) env['QUEUE_URL'] = queueUrl;
  return env;
}

interface RunOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly uid?: number;
  readonly gid?: number;
}

function run([program = '', ...args]: readonly string[], options: RunOptions): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      program,
      args,
      { ...options, timeout: COMMAND_DEADLINE_MS },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, output: stdout + stderr }),
    );
  });
}
