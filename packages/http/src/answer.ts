import type { IncomingHttpHeaders } from 'node:http';

/** A request as the service is told of it, unchecked. */
export interface ApiRequest {
  /** Path below the base URL, without the query, as the client wrote it. */
  readonly path: string;
  /** The text behind the `?`, as the client wrote it. */
  readonly queryText: string;
  readonly headers: IncomingHttpHeaders;
  readonly id: string;
  /** Remote address of the client. */
  readonly address: string;
  /** Decoded values of the {names} of a route's path. */
  readonly pathParameters: Readonly<Record<string, string>>;
  /** HEAD, which is answered as GET is but changes nothing. */
  readonly isHead?: boolean;
}

/**
 * Why nothing of a body can be used: it is of no type or encoding that its route takes; larger than the route takes, as it
 * is sent or as it is decoded; was not there in time; ended before its end; is not in the encoding that it names; or was
 * left unread, since its sender may not bring it.
 */
export type BodyProblem = 'type' | 'encoding' | 'tooLarge' | 'late' | 'malformed' | 'undecodable' | 'unread';

/** The decoded body of a request. */
export type Body =
  | { readonly bytes: Buffer; readonly problem?: undefined }
  | { readonly problem: BodyProblem };

/** A request that brings a body. */
export interface BodyRequest extends ApiRequest {
  readonly body: Body;
}

/** Takes a body (POST); its path may be that of a route too. */
export interface BodyRoute {
  /** Below the base URL, without parameters. */
  readonly path: string;
  /** Media types in lower case, without parameters. */
  readonly contentTypes: readonly string[];
  /** As it is sent and, from gzip, as it is decoded. */
  readonly maxBytes: number;
  /**
   * How long it may take to arrive, in ms; the time of the answer begins then, and `late` is for the route to tell. Absent:
   * it arrives in the time of its answer or is refused.
   */
  readonly arrivalMs?: number;
  /** A refused body of up to this size is read to its end before the answer. Default: none is. */
  readonly maxIgnoredBytes?: number;
  /** Asked before a large body is read; without a yes it stays `unread`, and the route is to say why. */
  readonly mayBring?: (request: Pick<ApiRequest, 'headers' | 'queryText'>) => Promise<boolean>;
  /** Never rejects: a failure is an answer too. */
  answer(request: BodyRequest): Promise<ApiAnswer>;
}

/** A request that posts a form. */
export interface FormRequest extends ApiRequest {
  /** The body as it came; undefined: there is none, or it is too large or no form. */
  readonly formText: string | undefined;
}

/** A request below a mount. */
export interface MountedRequest extends ApiRequest {
  /** GET also for HEAD. */
  readonly method: string;
}

export type Piece = string | Uint8Array;

/**
 * A body that is read from somewhere while its client takes it. The first piece is there, so that a failure up to it is
 * still an answer; a later one ends the connection. Its owner reads it to its end or ends it, because its
 * source may be held until then.
 */
export interface Pieces {
  /** Text is UTF-8; no piece is empty. undefined: that was all. */
  next(): Promise<Piece | undefined>;
  /** Ends the work on it, also before its end; resolves when that is done, and never rejects. */
  end(): Promise<void>;
  /** Aborted where the client is given up, as one that takes too little: the connection then ends at once. */
  readonly signal?: AbortSignal;
}

export interface ApiAnswer {
  /**
   * 202: the events were accepted. 303 leads a person who posted a form to a page. 204, 405, 409 and 503 are answered to
   * operators only. A resource answers none of these.
   */
  readonly status: 200 | 202 | 204 | 303 | 400 | 403 | 404 | 405 | 409 | 500 | 503;
  readonly headers: Readonly<Record<string, string>>;
  /** The whole, or what it is to be read from piece by piece, which takes longer than one answer may. */
  readonly body: WholeBody | Pieces;
  /** Send each piece when it is made (chunked), rather than the whole at once. */
  readonly isStreamed: boolean;
}

/** The whole as bytes, or pieces of text that are the body in UTF-8 when put together. */
type WholeBody = Buffer | Iterable<string>;

/** An answer that is there at once: every one but an export. */
export interface WholeAnswer extends ApiAnswer {
  readonly body: WholeBody;
}

export interface Route {
  /** Below the base URL; {name} stands for a path parameter. */
  readonly path: string;
  /** Never rejects: a failure is an answer too. */
  answer(request: ApiRequest): Promise<ApiAnswer>;
}

/** Takes a form (POST, application/x-www-form-urlencoded) of up to 16 KB; its path may be that of a route too. */
export interface FormRoute {
  /** Below the base URL, without parameters. */
  readonly path: string;
  /** Never rejects: a failure is an answer too. */
  answer(request: FormRequest): Promise<ApiAnswer>;
}

/** Answers every other request below a path, whatever its method; a route without parameters comes first. */
export interface Mount {
  /** Below the base URL, with a slash at its end; metrics name it. `/` takes all that nothing else does. */
  readonly prefix: string;
  /** Never rejects: a failure is an answer too. */
  answer(request: MountedRequest): Promise<ApiAnswer>;
}

/** Gives the answer for whatever was thrown, its body as bytes; never throws itself. `request`: as far as it could be read. */
export type AnswerError = (thrown: unknown, request: ApiRequest) => WholeAnswer;

/** The app that the HTTP layer serves: it knows no resource, and every answer that is no success comes from here. */
export interface Service {
  readonly routes: readonly Route[];
  /** For what fails outside of a route. */
  readonly answerError: AnswerError;
  /** Why requests cannot be served at the moment; empty when they can. */
  findProblems(): Promise<readonly string[]>;
  /** More to say where they can, a line each. */
  readonly describe?: (() => readonly string[]) | undefined;
}

/** A document that is no resource, is the same for everybody and does not change while the server runs. */
export interface StaticRoute {
  /** Below the base URL, without parameters. */
  readonly path: string;
  readonly contentType: string;
  /** Made or read when it is first asked for, then kept. */
  readonly body: (() => string | Buffer) | { readonly file: string };
  /** Set after, and so instead of, the headers that every answer has; for example another Content-Security-Policy. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The whole body as bytes. Making the pieces may throw. */
export function bodyOf({ body }: WholeAnswer): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.from([...body].join(''));
}
