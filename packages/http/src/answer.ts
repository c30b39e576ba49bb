import type { IncomingHttpHeaders } from 'node:http';

/** A request as routes see it, unchecked. */
export interface ApiRequest {
  /** Path below the base URL, without the query, undecoded. */
  readonly path: string;
  /** The text after the `?`, undecoded. */
  readonly queryText: string;
  readonly headers: IncomingHttpHeaders;
  readonly id: string;
  /** Remote address of the client. */
  readonly address: string;
  /** Decoded values of the {names} of a route's path. */
  readonly pathParameters: Readonly<Record<string, string>>;
  /** HEAD, which is answered like GET but changes nothing. */
  readonly isHead?: boolean;
}

/**
 * Reason not to use a body: its type or encoding is not accepted; it is too large before or after decoding, late,
 * incomplete, or not in its stated encoding; or it was left unread because its sender may not send it.
 */
export type BodyProblem = 'type' | 'encoding' | 'tooLarge' | 'late' | 'malformed' | 'undecodable' | 'unread';

/** The decoded body of a request. */
export type Body =
  | { readonly bytes: Buffer; readonly problem?: undefined }
  | { readonly problem: BodyProblem };

export interface BodyRequest extends ApiRequest {
  readonly body: Body;
}

/** Accepts a body (POST). Another route may share its path. */
export interface BodyRoute {
  /** Below the base URL, without parameters. */
  readonly path: string;
  /** Media types in lower case, without parameters. */
  readonly contentTypes: readonly string[];
  /** Before and, with gzip, after decoding. */
  readonly maxBytes: number;
  /**
   * Time for the body to arrive, in ms; the answer's deadline starts afterwards, and the route reports `late` itself.
   * Absent: the body must arrive within the answer's deadline.
   */
  readonly arrivalMs?: number;
  /** A refused body of up to this size is read to its end before the answer. Default: 0. */
  readonly maxIgnoredBytes?: number;
  /** Called before a large body is read. If false the body stays `unread`, and the route must report why. */
  readonly mayBring?: (request: Pick<ApiRequest, 'headers' | 'queryText'>) => Promise<boolean>;
  /** Never rejects: failures are answers too. */
  answer(request: BodyRequest): Promise<ApiAnswer>;
}

export interface FormRequest extends ApiRequest {
  /** The undecoded body; undefined if there is none, or it is too large or not a form. */
  readonly formText: string | undefined;
}

/** A request below the prefix of a mount. */
export interface MountedRequest extends ApiRequest {
  /** GET stands for HEAD too. */
  readonly method: string;
}

export type Piece = string | Uint8Array;

/**
 * A body produced while the client receives it. The first piece exists already, so an earlier failure can still become
 * an error answer; a later failure closes the connection. The owner must read the body to its end or call `end`,
 * because its source may be locked until then.
 */
export interface Pieces {
  /** Text is UTF-8; no piece is empty. undefined: the end. */
  next(): Promise<Piece | undefined>;
  /** Stops the production, also before its end; resolves when it has stopped, and never rejects. */
  end(): Promise<void>;
  /** Aborted when a client is too slow: the connection then closes at once. */
  readonly signal?: AbortSignal;
}

export interface ApiAnswer {
  /**
   * 202: the events were accepted. 303: redirects a person after a form. 204, 405, 409 and 503 go to operators only.
   * Resources use none of these.
   */
  readonly status: 200 | 202 | 204 | 303 | 400 | 403 | 404 | 405 | 409 | 500 | 503;
  readonly headers: Readonly<Record<string, string>>;
  /** The whole body, or pieces whose production may take longer than the deadline of an answer. */
  readonly body: WholeBody | Pieces;
  /** True: sends each piece when it is made (chunked) instead of the whole body at once. */
  readonly isStreamed: boolean;
}

/** The whole body as bytes, or text pieces that form the body in UTF-8. */
type WholeBody = Buffer | Iterable<string>;

/** An answer available at once: every answer except an export. */
export interface WholeAnswer extends ApiAnswer {
  readonly body: WholeBody;
}

export interface Route {
  /** Below the base URL; {name} is a path parameter. */
  readonly path: string;
  /** Never rejects: failures are answers too. */
  answer(request: ApiRequest): Promise<ApiAnswer>;
}

/** Accepts a form (POST, application/x-www-form-urlencoded) of up to 16 KB. Another route may share its path. */
export interface FormRoute {
  /** Below the base URL, without parameters. */
  readonly path: string;
  /** Never rejects: failures are answers too. */
  answer(request: FormRequest): Promise<ApiAnswer>;
}

/** Answers all other requests below a path, with any method; routes without parameters take precedence. */
export interface Mount {
  /** Below the base URL, with a trailing slash; metrics use it as name. `/` takes everything else. */
  readonly prefix: string;
  /** Never rejects: failures are answers too. */
  answer(request: MountedRequest): Promise<ApiAnswer>;
}

/** Returns the answer to anything thrown, as bytes; never throws. `request` is as complete as it could be read. */
export type AnswerError = (thrown: unknown, request: ApiRequest) => WholeAnswer;

/** The app that the HTTP layer serves. The layer knows no resources; all error answers come from the service. */
export interface Service {
  readonly routes: readonly Route[];
  /** For failures outside of routes. */
  readonly answerError: AnswerError;
  /** Reasons not to be ready; empty if ready. */
  findProblems(): Promise<readonly string[]>;
  /** More lines for the readiness answer. */
  readonly describe?: (() => readonly string[]) | undefined;
}

/** A public document that does not change while the server runs. */
export interface StaticRoute {
  /** Below the base URL, without parameters. */
  readonly path: string;
  readonly contentType: string;
  /** Made or read at the first request, then cached. */
  readonly body: (() => string | Buffer) | { readonly file: string };
  /** Override the headers of all answers, for example Content-Security-Policy. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The whole body as bytes. Throws if making the pieces fails. */
export function bodyOf({ body }: WholeAnswer): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.from([...body].join(''));
}
