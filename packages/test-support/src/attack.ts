import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type ObservedProcess, readMainThreadMs, readRunDelayMs, spawnObserved } from './observed-process.js';
import { request } from './raw-connection.js';
import { waitUntil } from './wait-until.js';

/** An attack on a server. The attacker has no token, and repeats the attack until it is stopped. */
export interface Attack {
  readonly kind:
    | 'bombs'
    | 'burst'
    | 'fresh'
    | 'hold'
    | 'live'
    | 'long headers'
    | 'many headers'
    | 'metrics'
    | 'no body'
    | 'one-byte chunks'
    | 'page'
    | 'pipeline'
    | 'slow body'
    | 'small chunks';
  readonly port: number;
  readonly connections: number;
  /** Loopback addresses from which the attack comes. They are used in turn. */
  readonly addresses?: readonly string[];
  /** Path to which bodies or pipelined requests are sent. */
  readonly path?: string;
  /** Header lines of the requests that are sent to `path`. Each line includes its line end. */
  readonly headers?: string;
  /** Number of pipelined requests per connection. Default 3,000. */
  readonly pipelined?: number;
}

/** An attack from the list below. Every server must withstand these attacks. */
export interface ListedAttack extends Pick<Attack, 'kind' | 'connections'> {
  readonly what: string;
}

/** All kinds of attacks. Each has its minimum number of connections. */
export const attacks: readonly ListedAttack[] = [
  { what: '10 connections that pipeline 3,000 requests each', kind: 'pipeline', connections: 10 },
  { what: '2,500 connections that are idle, or send headers slowly', kind: 'hold', connections: 2_500 },
  { what: '600 connections that ask for /health/live without a pause', kind: 'live', connections: 600 },
  { what: '600 connections that ask for /metrics without a pause', kind: 'metrics', connections: 600 },
  { what: '600 clients that ask on a new connection each time', kind: 'fresh', connections: 600 },
  { what: '900 connections that ask for a page without a pause', kind: 'page', connections: 900 },
  { what: '300 connections that all send 3,000 requests in one instant', kind: 'burst', connections: 300 },
  { what: '500 bodies in 60,000 chunks of a byte', kind: 'one-byte chunks', connections: 500 },
  { what: '500 bodies in 3,000 chunks of 20 bytes', kind: 'small chunks', connections: 500 },
  { what: '1,800 heads of 6,300 headers that do not end', kind: 'many headers', connections: 1_800 },
  { what: '900 heads of 31 KB that do not end', kind: 'long headers', connections: 900 },
  { what: '900 heads of 31 KB whose body does not come', kind: 'no body', connections: 900 },
  { what: '500 bodies that come slowly', kind: 'slow body', connections: 500 },
  { what: '32 bodies of 16 KB that expand to 16 MB', kind: 'bombs', connections: 32 },
];

const DEADLINE_MS = 60_000;

/**
 * Starts an attack in a separate process, which the caller must stop. Resolves once all connections of the attack were
 * made or refused, and the server has answered one more. The kernel establishes connections before the server accepts
 * them, but the server accepts them in order.
 */
export async function startAttack(attack: Attack): Promise<ObservedProcess> {
  const program = fileURLToPath(new URL('attacker.js', import.meta.url));
  const attacker = spawnObserved([program, JSON.stringify(attack)], {});
  await waitUntil('the attack is on', () => attacker.output() !== '', DEADLINE_MS);
  const status = await ask(attack.port, '/health/live');
  if (status !== 200) throw new Error(`The server under attack answered ${status} to its first question`);
  return attacker;
}

/**
 * Address of the bystander, a client that takes no part in the attack. The attacks come from other addresses, unless
 * `addresses` includes this address.
 */
const BYSTANDER = '127.0.0.2';

export interface ProbeAnswer {
  /** Status of the answer; 0 if the connection ended without an answer. */
  readonly status: number;
  /**
   * CPU time in ms that the main thread of the server used from the request to the answer. It hardly depends on other
   * load.
   */
  readonly ms: number;
}

/** Sends a request on a new connection, from an address that takes no part in the attack. */
export async function askAsBystander(
  server: ObservedProcess,
  port: number,
  target: string,
): Promise<ProbeAnswer> {
  const [startedAtMs, delayedMs] = [readMainThreadMs(server.pid), readRunDelayMs(process.pid)];
  const status = await ask(port, target);
  // While this process waits for a processor, it can neither send the request nor see the answer, but the server works
  // for the attackers.
  const unseenMs = readRunDelayMs(process.pid) - delayedMs;
  return { status, ms: Math.max(0, readMainThreadMs(server.pid) - startedAtMs - unseenMs) };
}

/**
 * Sends a request on a new connection and resolves to the status of the answer; 0 if the connection ended without an
 * answer.
 */
function ask(port: number, target: string): Promise<number> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect({ port, host: '127.0.0.1', localAddress: BYSTANDER });
    socket.setTimeout(DEADLINE_MS, () => socket.destroy());
    socket.on('connect', () => socket.write(request(target, { Connection: 'close' })));
    socket.setEncoding('latin1').on('data', (text) => {
      received += text;
    });
    socket
      .on('error', () => undefined)
      .on('close', () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0)));
  });
}
