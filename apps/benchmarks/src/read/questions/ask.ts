import { Agent, get } from 'node:http';

export interface Answer {
  readonly ms: number;
  readonly status: number;
  readonly body: string;
}

export interface Asker {
  readonly ask: (path: string) => Promise<Answer>;
  readonly close: () => void;
}

/** Asks one question after the other on one connection, and takes the time until the last byte of the answer. */
export function openAsker(origin: string, token: string): Asker {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { Authorization: `Bearer ${token}` };
  return {
    ask: (path) =>
      new Promise((resolve, reject) => {
        const startedAt = performance.now();
        const request = get(origin + path, { agent, headers }, (response) => {
          const pieces: Buffer[] = [];
          response.on('data', (piece: Buffer) => pieces.push(piece));
          response.on('error', reject);
          response.on('end', () => {
            const ms = performance.now() - startedAt;
            resolve({ ms, status: response.statusCode ?? 0, body: Buffer.concat(pieces).toString() });
          });
        });
        request.on('error', reject);
      }),
    close: () => agent.destroy(),
  };
}
