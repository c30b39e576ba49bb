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
