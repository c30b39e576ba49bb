import { createHash, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

/** How a secret is put through scrypt. */
export interface ScryptParameters {
  readonly salt: Buffer;
  /** Memory is 128 * cost * blockSize bytes. */
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
}

/** What is stored of a secret. */
export interface SlowHash extends ScryptParameters {
  /** SHA-256 of what scrypt gives: who steals it cannot send it in place of the secret. */
  readonly sha256: Buffer;
}

/** 16 MB and some 0.2 s, one of the settings that OWASP names. find_scrypt_parameters gives them for who does not exist. */
const CURRENT = { cost: 2 ** 14, blockSize: 8, parallelization: 5 } as const;
const SALT_BYTES = 16;
const RESULT_BYTES = 32;

/** Of the 4 threads that Node.js has for this, files and names of hosts keep the others. */
const MAX_RUNNING = 2;
/** Some 2 s of work: who comes later would be answered too late. */
const MAX_WAITING = 16;

/** Too many secrets wait to be checked: ask again in `retryAfterS` seconds. Nothing was checked. */
export class TooManySignInsError extends Error {
  override readonly name = 'TooManySignInsError';
  readonly retryAfterS = 3;

  constructor() {
    super(`${MAX_RUNNING} secrets are being checked and ${MAX_WAITING} wait`);
  }
}

const runScrypt = promisify<string, Buffer, number, object, Buffer>(scrypt);
// Of the process and not of a pool: its memory and cores are what is limited.
const waiting: (() => void)[] = [];
let running = 0;

/**
 * What proves that a secret is known: the result of scrypt over it, 32 bytes. Off the event loop, at most 2 at a time in
 * this process, since each takes 16 MB and a core. Throws a TooManySignInsError where 16 wait already.
 */
export async function proveSecret(secret: string, parameters: ScryptParameters): Promise<Buffer> {
  await takeTurn();
  try {
    const { salt, cost, blockSize, parallelization } = parameters;
    // The same letters may come in several codings, by keyboard and system.
    return await runScrypt(secret.normalize('NFC'), salt, RESULT_BYTES, { cost, blockSize, parallelization });
  } finally {
    // The turn goes to the next as it is: in between nobody can take it.
    const next = waiting.shift();
    if (next === undefined) {
      running -= 1;
    } else {
      next();
    }
  }
}

async function takeTurn(): Promise<void> {
  if (running < MAX_RUNNING) {
    running += 1;
    return;
  }
  if (waiting.length >= MAX_WAITING) throw new TooManySignInsError();
  await new Promise<void>((resolve) => waiting.push(resolve));
}

/** What to store of a secret, with a salt of its own. */
export async function hashSlowly(secret: string): Promise<SlowHash> {
  const parameters = { ...CURRENT, salt: randomBytes(SALT_BYTES) };
  const proof = await proveSecret(secret, parameters);
  return { ...parameters, sha256: createHash('sha256').update(proof).digest() };
}

/** An expression of SQL: a takt.slow_hash of the parameters from $`first` on, which fieldsOf gives. */
export function slowHashRow(first: number): string {
  return `ROW(${[0, 1, 2, 3, 4].map((offset) => `$${first + offset}`).join(', ')})::takt.slow_hash`;
}

export function fieldsOf(hash: SlowHash | undefined): readonly unknown[] {
  return [hash?.salt, hash?.cost, hash?.blockSize, hash?.parallelization, hash?.sha256].map(
    (field) => field ?? null,
  );
}
