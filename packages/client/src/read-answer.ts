import type { ApiFailure, NotJsonFailure, Result } from './failure.js';
import type { ErrorDocument } from './resources.js';

/** A JSON object as it came. */
export type JsonDocument = Readonly<Record<string, unknown>>;

const EXCERPT_CHARACTERS = 500;

/** Reads the text of an answer: a document, the service's error, or something that is not from the service. */
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
    message: `an answer with status ${status} that is no document of the service`,
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
