import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { EmbeddedServerError } from './embedded-server-error.js';
import { readIfPresent } from './private-files.js';

/** Below the range from which systems take ports for outgoing connections, so that none of these takes ours. */
const LOWEST_PORT = 15_000;
const HIGHEST_PORT = 32_000;
const ATTEMPTS = 100;

/** The port the home remembers, or undefined. */
export async function rememberedPort(path: string): Promise<number | undefined> {
  const port = Number(await readIfPresent(path));
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}

/** A port of 127.0.0.1 that nobody listens on at the moment. */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT);
    if (await isFree(port)) return port;
  }
  throw new EmbeddedServerError(
    `No free port was found on 127.0.0.1 in ${ATTEMPTS} attempts between ${LOWEST_PORT} and ${HIGHEST_PORT}: ` +
      'end programs that hold ports, or check whether this machine allows listening on the loopback address.',
  );
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
