import type { ApiAnswer, MountedRequest } from '@takt/http';
import type { Person } from './person.js';

/** A request, as the pages need it. */
export interface Visit extends MountedRequest {
  readonly query: URLSearchParams;
  /** The fields of what was posted; empty for any other request. */
  readonly form: URLSearchParams;
}

interface Page {
  readonly method: 'GET' | 'POST';
  /** Below the base URL. */
  readonly path: string;
  /** Of the form that is posted; default 16 KB. */
  readonly maxFormBytes?: number;
}

/** A page that needs no sign-in. */
interface OpenPage extends Page {
  readonly access: 'everybody';
  readonly answer: (visit: Visit) => Promise<ApiAnswer>;
}

/** A page for who is signed in, or trusted with the queues; the latter is looked up anew for each request. */
interface PersonalPage extends Page {
  readonly access: 'signed-in' | 'operate-queues';
  readonly answer: (visit: Visit, person: Person) => Promise<ApiAnswer>;
}

export type PageRoute = OpenPage | PersonalPage;

export function answerHtml(
  html: string,
  status: ApiAnswer['status'] = 200,
  headers: ApiAnswer['headers'] = {},
): ApiAnswer & { readonly body: Buffer } {
  return {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8', ...headers },
    body: Buffer.from(html),
    isStreamed: false,
  };
}

/** Leads a browser on after a form. `location` is absolute. */
export function answerRedirect(location: string, headers: ApiAnswer['headers'] = {}): ApiAnswer {
  return {
    status: 303,
    headers: { ...headers, Location: location, 'Content-Type': 'text/plain; charset=utf-8' },
    body: [],
    isStreamed: false,
  };
}
