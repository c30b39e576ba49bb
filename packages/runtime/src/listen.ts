import type { Server } from 'node:net';

/** Connections that the system keeps until they are taken; one more is dropped, and its client tries again a second later. */
const BACKLOG = 2_048;

/** Gives the port, which is any free one for port 0. Rejects where the address cannot be listened on. */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.removeListener('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
