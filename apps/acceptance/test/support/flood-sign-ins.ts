import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/** Input of the thread that sends the sign-ins. A separate thread prevents the flood from delaying the measurements. */
export interface FloodOrder {
  readonly origin: string;
  readonly clientId: number;
  readonly perSecond: number;
  readonly durationMs: number;
}

/** Number of answers for each error. */
export type FloodOutcome = Readonly<Record<string, number>>;

const TICK_MS = 20;
const { origin, clientId, perSecond, durationMs }: FloodOrder = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: 40 });

/** Signs in with a wrong password. Each index stands for the user number of another person. */
function signIn(index: number): Promise<string> {
  const body = `grant_type=password&client_id=${clientId}&username=${100_000 + index}&password=a+wrong+password`;
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': body.length };
  return new Promise((resolve, reject) => {
    const sent = request(
      new URL('/oauth2/access_token', origin),
      { agent, method: 'POST', headers },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        answer
          .on('error', reject)
          .on('end', () => resolve(/"error":"(\w+)"/.exec(text)?.[1] ?? String(answer.statusCode)));
      },
    );
    sent.on('error', reject).end(body);
  });
}

const sent: Promise<string>[] = [];
const startedAt = performance.now();
for (let elapsedMs = 0; elapsedMs < durationMs; elapsedMs = performance.now() - startedAt) {
  while (sent.length < (elapsedMs / 1_000) * perSecond) sent.push(signIn(sent.length));
  await delay(TICK_MS);
}
const counts: Record<string, number> = {};
for (const error of await Promise.all(sent)) counts[error] = (counts[error] ?? 0) + 1;
agent.destroy();
parentPort?.postMessage(counts satisfies FloodOutcome);
