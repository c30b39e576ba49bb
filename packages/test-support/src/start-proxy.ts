import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { findFreePort } from './observed-process.js';
import { waitUntil } from './wait-until.js';

/** The addresses of the apps behind the proxy, as host:port. */
export interface Upstreams {
  readonly api: string;
  readonly intake: string;
  readonly dashboard: string;
}

export interface TestProxy {
  /** The one URL of everything. */
  readonly url: string;
  /** The URLs with the ports of 1.0.0. */
  readonly old: Readonly<Record<keyof Upstreams, string>>;
  /** The URL that is for Prometheus alone. */
  readonly metrics: string;
  readonly pid: number;
  readonly output: () => string;
  close(): Promise<void>;
}

const FILES = fileURLToPath(new URL('../../../../docker/haproxy', import.meta.url));

/** Starts HAProxy with docker/haproxy/haproxy.cfg. The URL is known before, because the apps need it. */
export async function startProxy(
  port: number,
  upstreams: Upstreams,
  environment: Readonly<Record<string, string>> = {},
): Promise<TestProxy> {
  const [api, dashboard, intake, metrics] = await Promise.all([
    findFreePort(),
    findFreePort(),
    findFreePort(),
    findFreePort(),
  ]);
  const url = `http://127.0.0.1:${port}`;
  const at = (one: number) => `127.0.0.1:${one}`;
  let output = '';
  const child: ChildProcess = spawn('haproxy', ['-f', `${FILES}/haproxy.cfg`, '-db'], {
    env: {
      ...process.env,
      TAKT_API: upstreams.api,
      TAKT_INTAKE: upstreams.intake,
      TAKT_DASHBOARD: upstreams.dashboard,
      TAKT_URL: url,
      TAKT_BIND: at(port),
      TAKT_BIND_API: at(api),
      TAKT_BIND_DASHBOARD: at(dashboard),
      TAKT_BIND_INTAKE: at(intake),
      TAKT_BIND_METRICS: at(metrics),
      TAKT_ERRORS: `${FILES}/errors`,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout?.on('data', (chunk) => (output += String(chunk)));
  child.stderr?.on('data', (chunk) => (output += String(chunk)));
  const proxy: TestProxy = {
    url,
    pid: child.pid ?? 0,
    metrics: `http://${at(metrics)}`,
    output: () => output,
    old: { api: `http://${at(api)}`, dashboard: `http://${at(dashboard)}`, intake: `http://${at(intake)}` },
    close: async () => {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
  try {
    await waitUntil('the proxy listens', async () => {
      if (child.exitCode !== null) throw new Error(`haproxy has ended: ${output}`);
      return fetch(`${proxy.metrics}/health/live`).then(
        ({ ok }) => ok,
        () => false,
      );
    });
  } catch (error) {
    await proxy.close();
    throw error;
  }
  return proxy;
}
