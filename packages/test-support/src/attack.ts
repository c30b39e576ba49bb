import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type ObservedProcess, readMainThreadMs, spawnObserved } from './observed-process.js';
import { request } from './raw-connection.js';
import { waitUntil } from './wait-until.js';

/** An attack on a server by somebody without a token, repeated until it is ended. */
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
  /** Loopback addresses that take turns. */
  readonly addresses?: readonly string[];
  /** Where bodies are sent. */
  readonly path?: string;
  /** Sent with them, each with its line end. */
  readonly headers?: string;
}

const DEADLINE_MS = 60_000;

/**
 * Begins an attack in a process of its own, which is to be stopped; resolves once the server has taken all its connections.
 * The kernel makes connections before the server takes them. A server takes them in their order, so one answer on a new
 * connection shows that it has taken those before it.
 */
export async function startAttack(attack: Attack): Promise<ObservedProcess> {
  const program = fileURLToPath(new URL('attacker.js', import.meta.url));
  const attacker = spawnObserved([program, JSON.stringify(attack)], {});
  await waitUntil('the attack is on', () => attacker.output() !== '', DEADLINE_MS);
  const status = await ask(attack.port, '/health/live');
  if (status !== 200) throw new Error(`The server under attack answered ${status} to its first question`);
  return attacker;
}

/** The attacks come from other addresses, unless `addresses` names this one. */
const BYSTANDER = '127.0.0.2';

export interface ProbeAnswer {
  /** 0: the connection ended without an answer. */
  readonly status: number;
  /** What the server's main thread did from the question to the answer, in ms: how busy the machine is hardly moves it. */
  readonly ms: number;
}

/** Asks a server on a new connection from an address of its own. */
export async function askAsBystander(
  server: ObservedProcess,
  port: number,
  target: string,
): Promise<ProbeAnswer> {
  const startedAtMs = readMainThreadMs(server.pid);
  const status = await ask(port, target);
  return { status, ms: readMainThreadMs(server.pid) - startedAtMs };
}

/** Resolves to the status of the answer on a new connection; 0: it ended without one. */
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
