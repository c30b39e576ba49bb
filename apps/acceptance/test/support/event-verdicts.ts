import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTakt } from '@takt/database/testing';
import type { QueueName } from '@takt/events';
import { eventDefinitions } from '@takt/events/internal';
import type { BadEvent, CorpusEvent } from '@takt/test-support';
import { openPlainClient } from '../system/poison/plain-client.js';
import type { QueueStoreKind, TestSystem } from './test-system.js';

/** Verdicts on events by the position of the event. An accepted event has no verdict. */
export type Verdicts = ReadonlyMap<number, string>;

/** Returns the expected verdict on each bad event. The worker and takt publish state the same text. */
export function expectedVerdicts(events: readonly (CorpusEvent & Partial<BadEvent>)[]): Verdicts {
  const told = events.map(({ faults = [] }, position): [number, string] => [position, tellAll(faults)]);
  return new Map(told.filter(([, text]) => text !== ''));
}

function tellAll(faults: BadEvent['faults']): string {
  return faults.map(({ field, rule, got }) => `${field} ${rule} (got ${got})`).join('; ');
}

/**
 * True if the queue can hold the event unchanged. The JSON of PostgreSQL allows neither NUL nor lone surrogates. The
 * queue in PostgreSQL replaces null by an empty object, and a number that exceeds a double by a list.
 */
export function isCarriedBy(kind: QueueStoreKind, { json }: CorpusEvent): boolean {
  if (kind === 'redis') return true;
  return !['null', '1e400'].includes(json) && !/\\u0000|\\ud[89a-f]/.test(json.replaceAll('\\\\', ''));
}

/**
 * Returns the verdicts with the values that the kind of queue returns. The queue in PostgreSQL puts a number that
 * exceeds a double into a list.
 */
export function asGivenBy(kind: QueueStoreKind, verdicts: Verdicts): Verdicts {
  if (kind === 'redis') return verdicts;
  return new Map(Array.from(verdicts, ([position, text]) => [position, asNamed(text)]));
}

/**
 * Returns the reason for the rejection of a number that exceeds a double. The queue store keeps such a number as a list
 * that contains only the name of the number.
 */
export function asNamed(told: string): string {
  return told.replaceAll(/\(got -?Infinity\)/g, '(got an array of 1)');
}

const DRAIN_DEADLINE_MS = 120_000;
const JOB = /^event-(\d+)$/;

/**
 * Sends each event to the worker in a separate job, without the checks of a publisher. Sends an array as the only event
 * of a batch, because the worker would read the array itself as a batch. Returns the verdict on such an event without
 * its position.
 */
export async function judgeByWorker(
  system: TestSystem,
  events: readonly CorpusEvent[],
): Promise<{ readonly verdicts: Verdicts; readonly ofArrays: readonly string[] }> {
  const client = openPlainClient(system.queueUrl);
  try {
    await client.add(
      events.map(({ type, json }, position) => ({
        queue: queueOf(type),
        jobId: `event-${position}`,
        text: json.startsWith('[') ? `[${json}]` : json,
      })),
    );
  } finally {
    await client.close();
  }
  const [worker] = await system.startWorkers(1);
  await system.drain(DRAIN_DEADLINE_MS);
  const verdicts = new Map<number, string>();
  const ofArrays: string[] = [];
  // Equal events of two jobs are one row, so the verdicts come from the log, which names the job of each.
  for (const line of worker?.output().split('\n') ?? []) {
    if (!line.includes('"msg":"event rejected"')) continue;
    const { jobId, reason } = JSON.parse(line);
    const position = Number(JOB.exec(jobId)?.[1]);
    if (events[position]?.json.startsWith('[') === true) {
      ofArrays.push(reason);
    } else {
      verdicts.set(position, reason);
    }
  }
  return { verdicts, ofArrays };
}

export function queueOf(type: string): QueueName {
  return eventDefinitions.find((one) => one.type === type)?.queue ?? 'work-order-operations';
}

/** Maximum number of invalid lines that takt publish reports for a file. */
const MAX_LINES = 1_000;

/**
 * Writes the events into files, one event a line, and publishes the files with takt publish. Returns the verdicts that
 * the command prints.
 */
export async function judgeByCommand(
  { databaseUrl, queueUrl }: Pick<TestSystem, 'databaseUrl' | 'queueUrl'>,
  events: readonly CorpusEvent[],
  options: readonly string[] = [],
): Promise<{ readonly verdicts: Verdicts; readonly stdout: string; readonly code: number | null }> {
  const folder = await mkdtemp(join(tmpdir(), 'takt-verdicts-'));
  try {
    const files = Array.from(
      { length: Math.ceil(events.length / MAX_LINES) },
      (_, index) => `${index}.ndjson`,
    );
    for (const [index, file] of files.entries()) {
      const lines = events.slice(index * MAX_LINES, (index + 1) * MAX_LINES).map(({ json }) => json);
      await writeFile(join(folder, file), `${lines.join('\n')}\n`);
    }
    const paths = files.map((file) => join(folder, file));
    const environment = { DATABASE_URL: databaseUrl, QUEUE_URL: queueUrl };
    const { code, stdout, stderr } = await runTakt(['publish', ...options, ...paths], environment);
    const told = stderr.matchAll(/^\S*\/(\d+)\.ndjson:(\d+): (.*)$/gm);
    const verdicts = Array.from(told, ([, file, line, text = '']): [number, string] => [
      Number(file) * MAX_LINES + Number(line) - 1,
      text,
    ]);
    return { verdicts: new Map(verdicts), stdout, code };
  } finally {
    await rm(folder, { recursive: true });
  }
}
