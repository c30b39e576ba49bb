import type { ErrorDocument } from './resources.js';

/** The service answered with an error of its catalogue: 400, 403, 404 or 500. */
export interface ApiFailure
  extends Pick<ErrorDocument, 'message' | 'translatedMessage' | 'parameters' | 'innerErrors'> {
  readonly kind: 'api';
  readonly status: number;
  /**
   * Number of the error. It is the same in every language and version, so programs should compare this number instead
   * of the text.
   */
  readonly errorMessageId: number;
  /** Identifies the request in the log of the service. */
  readonly requestId: string | undefined;
  /** Delay in ms for which the service asks before a retry; undefined if waiting does not help. */
  readonly retryAfterMs: number | undefined;
}

/** No complete answer arrived, because the connection was refused or broke. */
export interface NetworkFailure {
  readonly kind: 'network';
  readonly message: string;
  readonly cause: unknown;
}

/** No complete answer arrived in time. */
export interface TimeoutFailure {
  readonly kind: 'timeout';
  readonly message: string;
  /** The timeout of the last attempt, in ms. */
  readonly afterMs: number;
}

/** The signal of the caller was aborted. */
export interface AbortedFailure {
  readonly kind: 'aborted';
  readonly message: string;
  readonly reason: unknown;
}

/** The answer does not come from the service. It may be, for example, the error page of a proxy. */
export interface NotJsonFailure {
  readonly kind: 'not-json';
  readonly message: string;
  readonly status: number;
  readonly contentType: string | undefined;
  /** The start of the answer. */
  readonly excerpt: string;
  readonly retryAfterMs: number | undefined;
}

/** The function that returns the token failed. */
export interface TokenFailure {
  readonly kind: 'token';
  readonly message: string;
  readonly cause: unknown;
}

/** The reason why a call failed. The `message` is in English and meant for logs. */
export type Failure =
  | ApiFailure
  | NetworkFailure
  | TimeoutFailure
  | AbortedFailure
  | NotJsonFailure
  | TokenFailure;

/** The result of a call, which is either the value or the failure. */
export type Result<Success extends object> =
  | ({ readonly ok: true } & Success)
  | { readonly ok: false; readonly error: Failure };

/** An exception that contains a failure. It is thrown by `each` and by orThrow. */
export class TaktError extends Error {
  override readonly name = 'TaktError';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message, 'cause' in failure ? { cause: failure.cause } : undefined);
    this.failure = failure;
  }
}

/**
 * Returns the value of a result. If the call failed, throws a TaktError. This is for programs that cannot continue
 * without the value.
 */
export function orThrow<Success extends object>(result: Result<Success>): { readonly ok: true } & Success {
  if (!result.ok) throw new TaktError(result.error);
  return result;
}

export type JsonDocument = Readonly<Record<string, unknown>>;

const EXCERPT_CHARACTERS = 500;

/** Reads an answer: it is a document, an error of the service, or something that does not come from the service. */
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

/** Returns the failure for the error in an answer or in one part of a batch. */
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

/** Reads the delay in ms. Retry-After is a number of seconds or, from a proxy, a date. */
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
