import { setTimeout as delay } from 'node:timers/promises';
import { runTakt } from '@takt/database/testing';
import type { CorpusEvent } from '@takt/test-support';
import type { ContentWay, IntakeRequest } from './content-ways.js';
import type { Verdicts } from './event-verdicts.js';
import type { TestSystem } from './test-system.js';

/** An error of the intake, with its inner errors. */
export interface ToldError {
  readonly message: string;
  readonly translatedMessage: string;
  readonly errorMessage: { readonly errorMessageId: number };
  readonly parameters: readonly { readonly value: string }[];
  readonly innerErrors: readonly ToldError[];
}

/** An error that is the whole answer of a request. */
export interface ErrorAnswer extends ToldError {
  readonly hTTPStatusCode: string;
}

/** The body of an answer with status 202. */
export interface TakenAnswer {
  readonly accepted: number;
  readonly rejected: readonly {
    readonly index: number;
    readonly id: string | null;
    readonly error: ToldError;
  }[];
}

export interface IntakeAnswer {
  readonly status: number;
  readonly text: string;
}

/** Sends a request to the intake, with a token that may publish. */
export type SendToIntake = (request: IntakeRequest, parameters?: string) => Promise<IntakeAnswer>;

const MAX_ATTEMPTS = 10;

/** Creates a token that may publish for the company. Returns a function that sends requests with this token. */
export async function openIntakeClient(
  origin: string,
  { databaseUrl, queueUrl }: Pick<TestSystem, 'databaseUrl' | 'queueUrl'>,
  company: string,
): Promise<SendToIntake> {
  const environment = { DATABASE_URL: databaseUrl, QUEUE_URL: queueUrl };
  const { code, stdout, stderr } = await runTakt(
    ['token', 'create', '--database', company, '--publish'],
    environment,
  );
  if (code !== 0) throw new Error(`no token was made: ${stderr}`);
  return async ({ headers, body }, parameters = '') => {
    const url = `${origin}/events?${parameters}`;
    const authorized = { ...headers, Authorization: `Bearer ${stdout.trim()}` };
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(url, { method: 'POST', headers: authorized, body });
      const [text, retryAfter] = [await response.text(), response.headers.get('retry-after')];
      // Sends the request again, as every producer should. On a loaded machine the queue or the database may answer
      // late.
      if (retryAfter === null || attempt === MAX_ATTEMPTS) return { status: response.status, text };
      await delay(Number(retryAfter) * 1_000);
    }
  };
}

const EVENTS_A_REQUEST = 250;
const BYTES_A_REQUEST = 4_000_000;
const CONCURRENT_REQUESTS = 8;

/**
 * Sends events in requests that the intake rejects as a whole. Returns the verdict on each event, and all answers with
 * a status other than 400.
 */
export async function judgeByRefusals(
  send: SendToIntake,
  way: ContentWay,
  events: readonly CorpusEvent[],
): Promise<{ readonly verdicts: Verdicts; readonly others: readonly IntakeAnswer[] }> {
  const verdicts = new Map<number, string>();
  const others: IntakeAnswer[] = [];
  await sendAll(send, way, events, '', (answer, first) => {
    if (answer.status !== 400) {
      others.push(answer);
      return;
    }
    const error: ErrorAnswer = JSON.parse(answer.text);
    for (const fault of error.innerErrors) addFault(verdicts, first, fault);
  });
  return { verdicts, others };
}

/**
 * Sends events with skipInvalid, so that the intake accepts the valid events. Returns the verdict on each event, the
 * number of accepted events, and all answers with a status other than 202.
 */
export async function judgeBySkipping(
  send: SendToIntake,
  way: ContentWay,
  events: readonly CorpusEvent[],
): Promise<{
  readonly verdicts: Verdicts;
  readonly others: readonly IntakeAnswer[];
  readonly accepted: number;
}> {
  const verdicts = new Map<number, string>();
  const others: IntakeAnswer[] = [];
  let accepted = 0;
  await sendAll(send, way, events, 'skipInvalid=true', (answer, first) => {
    if (answer.status !== 202) {
      others.push(answer);
      return;
    }
    const taken: TakenAnswer = JSON.parse(answer.text);
    accepted += taken.accepted;
    for (const { error } of taken.rejected) {
      for (const fault of [error, ...error.innerErrors]) addFault(verdicts, first, fault);
    }
  });
  return { verdicts, others, accepted };
}

/**
 * Adds the fault of one event to the verdicts. Reads it from the message of an inner error, such as `Event 3:
 * data.revision must be ... (got 0).`
 */
function addFault(verdicts: Map<number, string>, first: number, { message }: ToldError): void {
  const [, index, problem = message] = /^Event (\d+): (.*)\.$/s.exec(message) ?? [];
  const position = first + Number(index);
  const before = verdicts.get(position);
  verdicts.set(position, before === undefined ? problem : `${before}; ${problem}`);
}

/**
 * Sends all events in requests, some of them in parallel. Calls `onAnswer` with each answer and the position of the
 * first event in the request.
 */
async function sendAll(
  send: SendToIntake,
  way: ContentWay,
  events: readonly CorpusEvent[],
  parameters: string,
  onAnswer: (answer: IntakeAnswer, first: number) => void,
): Promise<void> {
  const requests = inRequests(events, way.eventsARequest ?? EVENTS_A_REQUEST);
  const sendNext = async (): Promise<void> => {
    for (let next = requests.shift(); next !== undefined; next = requests.shift()) {
      onAnswer(await send(way.toRequest(next.events), parameters), next.first);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, sendNext));
}

function inRequests(events: readonly CorpusEvent[], size: number) {
  const requests: { first: number; events: CorpusEvent[] }[] = [];
  let bytes = 0;
  for (const [position, event] of events.entries()) {
    const eventBytes = Buffer.byteLength(event.json) + 1;
    const last = requests.at(-1);
    if (last === undefined || last.events.length === size || bytes + eventBytes > BYTES_A_REQUEST) {
      requests.push({ first: position, events: [event] });
      bytes = eventBytes;
    } else {
      last.events.push(event);
      bytes += eventBytes;
    }
  }
  return requests;
}
