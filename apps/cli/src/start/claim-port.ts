import { createServer } from 'node:net';
import { CommandError } from '../command-error.js';

/**
 * Makes sure that an app can listen on a port and gives it; for 0 one that is free. Throws a CommandError that
 * names the variable to change.
 */
export async function claimPort(host: string, port: number, variable: string): Promise<number> {
  const probe = createServer();
  try {
    return await new Promise<number>((resolve, reject) => {
      probe.once('error', reject);
      probe.listen(port, host, () => {
        const address = probe.address();
        resolve(typeof address === 'object' && address !== null ? address.port : port);
      });
    });
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (!isTaken) {
      throw new CommandError(`nothing can listen on ${host}:${port}: set HOST or ${variable}`, {
        cause: error,
      });
    }
    throw new CommandError(
      `port ${port} of ${host} is taken, perhaps by another takt start: end that program or set ${variable}`,
    );
  } finally {
    await new Promise((resolve) => probe.close(resolve));
  }
}
