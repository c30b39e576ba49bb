import {
  type Context,
  context,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

// Spans of Takt. Where traces were not started, the interface of OpenTelemetry does nothing, and these cost next to that.

const tracer = trace.getTracer('takt');

/** A request to an app, from its headers to the last byte of its answer. */
export interface RequestSpan {
  /** Runs what belongs to the request. */
  run<Result>(task: () => Result): Result;
  end(route: string, status: number | undefined): void;
}

/** Goes on with the trace of the client, if its headers name one. */
export function startRequestSpan(
  method: string,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): RequestSpan {
  const parent = propagation.extract(ROOT_CONTEXT, headers);
  const span = tracer.startSpan(method, { kind: SpanKind.SERVER }, parent);
  const inside = trace.setSpan(parent, span);
  return {
    run: (task) => context.with(inside, task),
    end: (route, status) => {
      span.updateName(`${method} ${route}`.trim());
      span.setAttributes({ 'http.request.method': method, 'http.route': route });
      if (status !== undefined) span.setAttribute('http.response.status_code', status);
      if (status === undefined || status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

const SHOWN_STATEMENT_LENGTH = 80;

/**
 * A statement, within the span that is active; undefined where none is. Its text is shown as far as it tells which one it
 * is; values are bound, and never stand in it.
 */
export function startStatementSpan(statement: unknown): Span | undefined {
  if (trace.getActiveSpan()?.isRecording() !== true) return undefined;
  const text = (textOf(statement) ?? 'statement').trim().replace(/\s+/g, ' ');
  const name = text.slice(0, SHOWN_STATEMENT_LENGTH);
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name };
  return tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes });
}

/** A prepared statement has a name, which tells more than how its text begins. */
function textOf(statement: unknown): string | undefined {
  if (typeof statement === 'string') return statement;
  if (typeof statement !== 'object' || statement === null) return undefined;
  if ('name' in statement && typeof statement.name === 'string') return statement.name;
  return 'text' in statement ? String(statement.text) : undefined;
}

/** Work that is done together for many who each have a span of their own. */
export interface SharedSpan<Item extends object> {
  /** Remembers that items came within the span that is active. */
  bring(items: readonly Item[]): void;
  /** Runs a task for items in a span that goes on with that of the first of them, and is linked to those of all. */
  run<Result>(items: readonly Item[], task: () => Promise<Result>): Promise<Result>;
}

const MAX_LINKS = 128;

export function createSharedSpan<Item extends object>(name: string): SharedSpan<Item> {
  const origins = new WeakMap<Item, SpanContext>();
  let isUsed = false;
  return {
    bring: (items) => {
      const origin = trace.getActiveSpan()?.spanContext();
      if (origin === undefined) return;
      isUsed = true;
      for (const item of items) origins.set(item, origin);
    },
    run: async (items, task) => {
      if (!isUsed) return task();
      const found = new Map<string, SpanContext>();
      for (const item of items) {
        const origin = origins.get(item);
        if (origin !== undefined) found.set(origin.spanId, origin);
      }
      const links: Link[] = [...found.values()].slice(0, MAX_LINKS).map((origin) => ({ context: origin }));
      const [first] = links;
      const parent: Context =
        first === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, first.context);
      const attributes = { 'takt.events': items.length, 'takt.jobs': found.size };
      const span = tracer.startSpan(name, { links, attributes }, parent);
      try {
        return await context.with(trace.setSpan(parent, span), task);
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
  };
}
