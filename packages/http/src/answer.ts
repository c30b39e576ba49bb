import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

/** A request in the form in which routes receive it. Nothing in it has been checked. */
export interface ApiRequest {
  /** Path below the base URL, without the query and undecoded. */
  readonly path: string;
  /** The undecoded text after the `?`. */
  readonly queryText: string;
  readonly headers: IncomingHttpHeaders;
  readonly id: string;
  /** Remote address of the client. */
  readonly address: string;
  /** Decoded values of the path parameters, which are the {names} in the path of a route. */
  readonly pathParameters: Readonly<Record<string, string>>;
  /** True for HEAD, which is answered like GET but changes nothing. */
  readonly isHead?: boolean;
}

/**
 * The reason why a body cannot be used. Its type or its encoding is not accepted; it is too large before or after
 * decoding; it is late, incomplete, or not in its stated encoding; or it was left unread because its sender may not
 * send it.
 */
export type BodyProblem = 'type' | 'encoding' | 'tooLarge' | 'late' | 'malformed' | 'undecodable' | 'unread';

export type Body =
  | { readonly bytes: Buffer; readonly problem?: undefined }
  | { readonly problem: BodyProblem };

export interface BodyRequest extends ApiRequest {
  readonly body: Body;
}

/** A route that accepts a body (POST). Another route may have the same path. */
export interface BodyRoute {
  /** Path below the base URL. It has no parameters. */
  readonly path: string;
  /** The accepted media types, in lower case and without parameters. */
  readonly contentTypes: readonly string[];
  /** Maximum size of the body in bytes. It applies before decoding and, with gzip, also after decoding. */
  readonly maxBytes: number;
  /**
   * Maximum time for the body to arrive, in ms. The deadline of the answer starts afterwards, and the route itself
   * reports the problem `late`. If absent, the body must arrive within the deadline of an answer.
   */
  readonly arrivalMs?: number;
  /**
   * Called before a large body is read. If it returns false, the body stays `unread`, and the route must report the
   * reason.
   */
  readonly authorizeBody?: (request: ApiRequest) => Promise<boolean>;
  /** Answers the request. Never rejects, because failures are answers too. */
  answer(request: BodyRequest): Promise<ApiAnswer>;
}

/** A request whose body has not been read. The route reads it to its end before it answers. */
export interface StreamRequest extends ApiRequest {
  readonly stream: Readable;
}

/** A route that reads a body (POST) of any size as it arrives. It has no deadline, but a client that stalls is cut off. */
export interface StreamRoute {
  /** Path below the base URL. It has no parameters. */
  readonly path: string;
  /** Answers the request. Never rejects, because failures are answers too. */
  answer(request: StreamRequest): Promise<ApiAnswer>;
}

export interface MountedRequest extends ApiRequest {
  /** Method of the request. HEAD is passed as GET. */
  readonly method: string;
}

export type Piece = string | Uint8Array;

/**
 * A body that is produced while the client receives it. The first piece exists already, so a failure before it could
 * still become an error answer; a later failure closes the connection. The owner must read the body to its end or call
 * `end`, because the source of the body may be locked until then.
 */
export interface Pieces {
  /** Returns the next piece, or undefined at the end. Text is in UTF-8, and no piece is empty. */
  next(): Promise<Piece | undefined>;
  /** Stops the production, even before its end. Resolves when the production has stopped, and never rejects. */
  end(): Promise<void>;
  /** Aborted when the client is too slow. The connection then closes at once. */
  readonly signal?: AbortSignal;
}

export interface ApiAnswer {
  /**
   * Status of the answer. 202 means that events were accepted, and 303 redirects a person after a form. 204, 405, 409
   * and 503 go to operators only. Resources use none of these statuses.
   */
  readonly status: 200 | 202 | 204 | 303 | 400 | 403 | 404 | 405 | 409 | 500 | 503;
  readonly headers: Readonly<Record<string, string>>;
  /** The whole body, or pieces whose production may take longer than the deadline of an answer. */
  readonly body: WholeBody | Pieces;
  /** If true, each piece is sent when it is made (chunked). Otherwise the whole body is sent at once. */
  readonly isStreamed: boolean;
}

/** The whole body: either bytes, or pieces of text which together are the body in UTF-8. */
type WholeBody = Buffer | Iterable<string>;

/** An answer whose body is available at once. This is every answer except an export. */
export interface WholeAnswer extends ApiAnswer {
  readonly body: WholeBody;
}

export interface Route {
  /** Path below the base URL; {name} is a path parameter. */
  readonly path: string;
  /** Answers the request. Never rejects, because failures are answers too. */
  answer(request: ApiRequest): Promise<ApiAnswer>;
}

/**
 * Answers all requests below a path that no other route answers, with any method. Routes without parameters take
 * precedence over a mount.
 */
export interface Mount {
  /**
   * Path below the base URL, with a trailing slash; metrics use it as the name of the mount. The prefix `/` takes
   * everything else.
   */
  readonly prefix: string;
  /** Answers the request. Never rejects, because failures are answers too. */
  answer(request: MountedRequest): Promise<ApiAnswer>;
}

/**
 * Returns the answer to anything thrown, as bytes; never throws. `request` has the parts of the request that could be
 * read.
 */
export type AnswerError = (thrown: unknown, request: ApiRequest) => WholeAnswer;

/** The app that the HTTP layer serves. The layer knows no resources; all error answers come from this service. */
export interface Service {
  readonly routes: readonly Route[];
  /** Answers failures that happen outside of routes. */
  readonly answerError: AnswerError;
  /** Returns the reasons why the app is not ready; the list is empty if it is ready. */
  findProblems(): Promise<readonly string[]>;
  /** Returns further lines for the answer about readiness. */
  readonly describe?: (() => readonly string[]) | undefined;
}

/** A route for a public document that does not change while the server runs. */
export interface StaticRoute {
  /** Path below the base URL. It has no parameters. */
  readonly path: string;
  readonly contentType: string;
  /** The body, which is made or read at the first request and then cached. */
  readonly body: (() => string | Buffer) | { readonly file: string };
  /** Headers that override the headers of all answers, for example Content-Security-Policy. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the whole body as bytes. Throws if making the pieces fails. */
export function bodyOf({ body }: WholeAnswer): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.from([...body].join(''));
}
