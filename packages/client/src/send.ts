import { type Failure, type JsonDocument, type Result, readAnswer } from './failure.js';
import {
  abortedBy,
  type Deadline,
  openDeadline,
  type RetryPolicy,
  unlessAborted,
  withRetries,
} from './retry.js';

/** The address of the service, and the options that all requests share. */
export interface Connection {
  /** Address of the service, without a trailing slash. */
  readonly baseUrl: string;
  /**
   * The token, or a function that returns it. The function is called for each attempt, so it can replace an expired
   * token.
   */
  readonly token: string | (() => string | Promise<string>);
  readonly policy: RetryPolicy;
  readonly fetch: typeof fetch;
}

type Signal = AbortSignal | undefined;

/** Reads the JSON document at an address, which is relative to the address of the service. */
export function readDocument(
  connection: Connection,
  address: string,
  signal: Signal,
): Promise<Result<{ readonly document: JsonDocument; readonly response: Response }>> {
  return send(connection, address, signal, async (response) => {
    const answer = readAnswer(response, await response.text());
    return answer.ok ? { ...answer, response } : answer;
  });
}

/** Starts to read a body that is not JSON. Resolves when the first byte has arrived. */
export function openBody(
  connection: Connection,
  address: string,
  signal: Signal,
): Promise<Result<{ readonly response: Response; readonly body: ReadableStream<Uint8Array> }>> {
  return send(connection, address, signal, async (response) => {
    if (response.ok && response.body !== null) return { ok: true, response, body: response.body };
    const answer = readAnswer(response, await response.text());
    return answer.ok ? { ok: false, error: networkFailure(new Error('an answer without a body')) } : answer;
  });
}

function send<Success extends object>(
  connection: Connection,
  address: string,
  signal: Signal,
  take: (response: Response) => Promise<Result<Success>>,
): Promise<Result<Success>> {
  const attempt = async (timeoutMs: number): Promise<Result<Success>> => {
    const deadline = openDeadline(signal, timeoutMs);
    try {
      const token = await readToken(connection, deadline);
      if (!token.ok) return token;
      // fetch is called without `this`, because browsers refuse to run it as a method of another object.
      const { fetch } = connection;
      const headers = { accept: 'application/json', authorization: `Bearer ${token.token}` };
      return await take(await fetch(connection.baseUrl + address, { headers, signal: deadline.signal }));
    } catch (cause) {
      return { ok: false, error: failureOf(cause, deadline, timeoutMs, signal) };
    } finally {
      deadline.release();
    }
  };
  return withRetries(attempt, connection.policy, signal);
}

async function readToken(
  { token }: Connection,
  { signal }: Deadline,
): Promise<Result<{ readonly token: string }>> {
  if (typeof token === 'string') return checked(token);
  const given = Promise.resolve()
    .then(token)
    .then(checked, (cause: unknown) => tokenFailure('the function that gives the token failed', cause));
  return await unlessAborted(given, signal);
}

/**
 * Checks the token before it is sent, because fetch would repeat an invalid header value in the message of its error.
 */
function checked(token: string): Result<{ readonly token: string }> {
  return /^[\x21-\x7e]+$/.test(token)
    ? { ok: true, token }
    : tokenFailure('the token is empty or not a valid header value', undefined);
}

const tokenFailure = (message: string, cause: unknown): { readonly ok: false; readonly error: Failure } => ({
  ok: false,
  error: { kind: 'token', message, cause },
});

/** Returns the failure that explains why the answer is missing or incomplete. */
export function failureOf(
  cause: unknown,
  deadline: Pick<Deadline, 'ending'>,
  timeoutMs: number,
  signal: Signal,
): Failure {
  switch (deadline.ending()) {
    case 'aborted':
      return abortedBy(signal);
    case 'timeout': {
      const afterMs = Math.round(timeoutMs);
      return { kind: 'timeout', message: `no answer within ${afterMs} ms`, afterMs };
    }
    case undefined:
      return networkFailure(cause);
  }
}

/** In Node.js, the cause of fetch's error describes what happened to the connection. */
function networkFailure(cause: unknown): Failure {
  const said = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const text = said instanceof Error ? said.message || said.name : String(said);
  return { kind: 'network', message: `no answer: ${text}`, cause };
}
