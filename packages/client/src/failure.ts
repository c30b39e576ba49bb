import type { ErrorDocument } from './resources.js';

/** The service answered with an error of its catalogue: 400, 403, 404 or 500. */
export interface ApiFailure
  extends Pick<ErrorDocument, 'message' | 'translatedMessage' | 'parameters' | 'innerErrors'> {
  readonly kind: 'api';
  readonly status: number;
  /** The same in every language and version, so programs should compare this number. */
  readonly errorMessageId: number;
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined;
  /** Delay that the service asks for, in ms; undefined if waiting does not help. */
  readonly retryAfterMs: number | undefined;
}

/** No complete answer: the connection was refused or broke. */
export interface NetworkFailure {
  readonly kind: 'network';
  readonly message: string;
  readonly cause: unknown;
}

/** No complete answer in time. */
export interface TimeoutFailure {
  readonly kind: 'timeout';
  readonly message: string;
  /** Timeout of the last attempt. */
  readonly afterMs: number;
}

/** The caller's signal was aborted. */
export interface AbortedFailure {
  readonly kind: 'aborted';
  readonly message: string;
  readonly reason: unknown;
}

/** The answer is not from the service but, for example, a proxy's error page. */
export interface NotJsonFailure {
  readonly kind: 'not-json';
  readonly message: string;
  readonly status: number;
  readonly contentType: string | undefined;
  /** Start of the answer. */
  readonly excerpt: string;
  readonly retryAfterMs: number | undefined;
}

/** The function for the token failed. */
export interface TokenFailure {
  readonly kind: 'token';
  readonly message: string;
  readonly cause: unknown;
}

/** Reason for a failed call. `message` is English, for logs. */
export type Failure =
  | ApiFailure
  | NetworkFailure
  | TimeoutFailure
  | AbortedFailure
  | NotJsonFailure
  | TokenFailure;

/** The result of a call: the value or the failure. */
export type Result<Success extends object> =
  | ({ readonly ok: true } & Success)
  | { readonly ok: false; readonly error: Failure };

/** A failure as an exception, thrown by `each` and orThrow. */
export class TaktError extends Error {
  override readonly name = 'TaktError';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message, 'cause' in failure ? { cause: failure.cause } : undefined);
    this.failure = failure;
  }
}

/** Throws the failure as a TaktError, for programs that cannot continue without the value. */
export function orThrow<Success extends object>(result: Result<Success>): { readonly ok: true } & Success {
  if (!result.ok) throw new TaktError(result.error);
  return result;
}

export type JsonDocument = Readonly<Record<string, unknown>>;

const EXCERPT_CHARACTERS = 500;

/** Reads an answer: a document, the service's error, or something from elsewhere. */
export function readAnswer(response: Response, text: string): Result<{ readonly document: JsonDocument }> {
  const document = parseObject(text);
  if (document !== undefined && response.ok) return { ok: true, document };
  if (isErrorDocument(document)) return { ok: false, error: apiFailure(document, response) };
  return { ok: false, error: notJson(response, text) };
}

export function isErrorDocument(document: unknown): document is ErrorDocument {
  return (
    isObject(document) && typeof document['hTTPStatusCode'] === 'string' && isObject(document['errorMessage'])
  );
}

/** The error of an answer, or of one part of a batch. */
export function apiFailure(document: ErrorDocument, { headers }: Pick<Response, 'headers'>): ApiFailure {
  const { hTTPStatusCode, errorMessage, message, translatedMessage, parameters, innerErrors } = document;
  return {
    kind: 'api',
    status: Number(hTTPStatusCode),
    errorMessageId: errorMessage.errorMessageId,
    message,
    translatedMessage,
    parameters,
    innerErrors,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterMs: retryAfterMs(headers),
  };
}

export function notJson({ status, headers }: Response, text: string): NotJsonFailure {
  return {
    kind: 'not-json',
    message: `an answer with status ${status} that is not a document of the service`,
    status,
    contentType: headers.get('content-type') ?? undefined,
    excerpt: text.slice(0, EXCERPT_CHARACTERS),
    retryAfterMs: retryAfterMs(headers),
  };
}

/** Retry-After is a number of seconds or, from a proxy, a date. */
function retryAfterMs(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}

export function isObject(value: unknown): value is JsonDocument {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseObject(text: string): JsonDocument | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
