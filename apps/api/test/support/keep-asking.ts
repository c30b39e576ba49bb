import { Agent, request } from 'node:http';
import { errorCatalogue } from '@takt/catalogue/errors';

/** The answers to clients that send the next request as soon as they have an answer. */
export interface Asked {
  /** In the order of arrival. */
  readonly statuses: readonly number[];
  /** The number of answers that request a retry, also inside a batch. */
  overloaded(): number;
  stop(): Promise<void>;
}

export interface AskingOptions {
  readonly port: number;
  readonly token: string;
  /** Requested in turn. */
  readonly targets: readonly string[];
  readonly connections: number;
}

const OVERLOADED = `"errorMessageId":${errorCatalogue.overloaded.errorMessageId},`;

/** Starts one client per connection. None of them waits, even after a refusal. */
export function keepAsking({ port, token, targets, connections }: AskingOptions): Asked {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const headers = { authorization: `Bearer ${token}` };
  const statuses: number[] = [];
  let overloaded = 0;
  let isOver = false;
  let next = 0;
  const askOnce = (path: string) =>
    new Promise<void>((resolve, reject) => {
      const sent = request({ agent, hostname: '127.0.0.1', port, path, headers }, (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('end', () => {
          if (Buffer.concat(pieces).includes(OVERLOADED)) overloaded += 1;
          statuses.push(response.statusCode ?? 0);
          resolve();
        });
        response.on('error', reject);
      });
      sent.on('error', reject);
      sent.end();
    });
  const ask = async () => {
    while (!isOver) {
      const target = targets[next % targets.length] ?? '/';
      next += 1;
      await askOnce(target);
    }
  };
  const asking = Promise.all(Array.from({ length: connections }, ask));
  // A failure is reported by `stop`.
  asking.catch(() => undefined);
  return {
    statuses,
    overloaded: () => overloaded,
    stop: async () => {
      isOver = true;
      await asking;
      agent.destroy();
    },
  };
}
