import { Agent, request } from 'node:http';
import { errorCatalogue } from '@takt/catalogue/errors';

/** The answers to clients that send the next request as soon as they have received an answer. */
export interface Asked {
  /** The statuses of the answers in the order of arrival. */
  readonly statuses: readonly number[];
  /**
   * Returns the number of answers with the error for overload. This error asks for a retry. Such an error inside a
   * batch counts too.
   */
  overloaded(): number;
  stop(): Promise<void>;
}

export interface AskingOptions {
  readonly port: number;
  readonly token: string;
  /** The addresses, which are requested in turn. */
  readonly targets: readonly string[];
  readonly connections: number;
}

const OVERLOADED = `"errorMessageId":${errorCatalogue.overloaded.errorMessageId},`;

/** Starts one client per connection. The clients never wait before the next request, even after an error. */
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
  // `stop` awaits the promise later and reports a failure. Until then a failure must not count as unhandled.
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
