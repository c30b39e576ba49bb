import { fileURLToPath } from 'node:url';
import { type ObservedProcess, spawnObserved } from './observed-process.js';
import { waitUntil } from './wait-until.js';

/** What a stranger may do to a server without a token, over and over again. */
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

/** Begins an attack in a process of its own, which is to be stopped; resolves once all connections have been made. */
export async function startAttack(attack: Attack): Promise<ObservedProcess> {
  const program = fileURLToPath(new URL('attacker.js', import.meta.url));
  const attacker = spawnObserved([program, JSON.stringify(attack)], {});
  await waitUntil('the attack is on', () => attacker.output() !== '', DEADLINE_MS);
  return attacker;
}
