import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Person } from '../person.js';

/** A request, as far as every route needs it. */
export interface Visit {
  readonly method: string;
  /** Below the base URL, as it came. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Remote address. */
  readonly address: string;
  /** The fields of what was posted; empty for any other request. */
  readonly form: URLSearchParams;
  /** Aborted when whoever asked is gone. */
  readonly gone: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | Readable;
}

/** A route that needs no sign-in. */
interface OpenRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly access: 'everybody';
  readonly answer: (visit: Visit) => Promise<Answer>;
}

/** A route for who is signed in, or trusted with the queues; the latter is looked up anew for each request. */
interface PersonalRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly access: 'signed-in' | 'operate-queues';
  /** Of the form that is posted; default 16 KB. */
  readonly maxFormBytes?: number;
  readonly answer: (visit: Visit, person: Person) => Promise<Answer>;
}

export type Route = OpenRoute | PersonalRoute;

export function answerHtml(
  html: string,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { status, headers: { 'Content-Type': 'text/html; charset=utf-8', ...headers }, body: html };
}

/** Leads a browser on after a form. `location` is absolute. */
export function answerRedirect(location: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status: 303,
    headers: { ...headers, Location: location, 'Content-Type': 'text/plain; charset=utf-8' },
    body: '',
  };
}
