import {
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { BullMQOtel } from 'bullmq-otel';
import { withDeadline } from '../index.js';
import { TAKT_VERSION } from './version.js';

/** Telemetry that is passed to BullMQ, so that jobs carry the trace context. */
export type QueueTelemetry = BullMQOtel;

interface Traces {
  readonly telemetry: QueueTelemetry;
  /** Sends the remaining spans and closes the exporter, within 2 s. */
  close(): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

const CLOSE_DEADLINE_MS = 2_000;

/**
 * Sends traces to OTEL_EXPORTER_OTLP_ENDPOINT, as OTLP over HTTP in JSON. The other standard variables of the exporter
 * apply too. If OTEL_EXPORTER_OTLP_ENDPOINT is not set, returns undefined and loads nothing. Rejects if the packages
 * that are needed for tracing are not installed. Call it once per process, before queues are opened.
 */
export async function startTraces(app: string, environment: Environment): Promise<Traces | undefined> {
  if (!areAsked(environment)) return undefined;
  const [
    { AsyncLocalStorageContextManager },
    { W3CTraceContextPropagator },
    sdk,
    resources,
    exporter,
    bullmq,
  ] = await loadPackages();
  const provider = new sdk.BasicTracerProvider({
    resource: resources
      .resourceFromAttributes({ 'service.name': `takt-${app}`, 'service.version': TAKT_VERSION })
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor(new exporter.OTLPTraceExporter())],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return {
    telemetry: withoutPayload(new bullmq.BullMQOtel({ tracerName: 'takt', version: TAKT_VERSION }), bullmq),
    close: () => withDeadline(provider.shutdown(), CLOSE_DEADLINE_MS, () => undefined).catch(() => undefined),
  };
}

function areAsked(environment: Environment): boolean {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces } = environment;
  return (all ?? traces ?? '').trim() !== '' && environment['OTEL_SDK_DISABLED'] !== 'true';
}

async function loadPackages() {
  try {
    return await Promise.all([
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/core'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('bullmq-otel'),
    ]);
  } catch (cause) {
    throw new Error(
      'OTEL_EXPORTER_OTLP_ENDPOINT is set, but the packages that send traces are not installed: npm install ' +
        '@opentelemetry/context-async-hooks@2.12.0 @opentelemetry/core@2.12.1 @opentelemetry/resources@2.12.1 ' +
        '@opentelemetry/sdk-trace-base@2.12.1 @opentelemetry/exporter-trace-otlp-http@0.223.1 bullmq-otel@2.0.1',
      { cause },
    );
  }
}

/**
 * The attributes of BullMQ's spans that are reported, because they identify the work. Names, options and reasons could
 * contain data of a producer, so they are left out.
 */
const TOLD: ReadonlySet<string> = new Set([
  'bullmq.queue.name',
  'bullmq.queue.operation',
  'bullmq.job.bulk.count',
  'bullmq.job.attempts.made',
]);

/**
 * Matches the names of the spans that are reported. BullMQ also creates spans for its own polling, such as fetching the
 * next job.
 */
const TRACED = /^(add|addBulk|process) [\w-]+/;

/** Returns telemetry that contains no data of events and ignores an invalid trace context in a job. */
function withoutPayload(
  telemetry: BullMQOtel,
  { BullMQOTelSpan }: Pick<typeof import('bullmq-otel'), 'BullMQOTelSpan'>,
): BullMQOtel {
  const { tracer, contextManager } = telemetry;
  const { startSpan } = tracer;
  const { fromMetadata } = contextManager;
  tracer.startSpan = (name, options, parent) => {
    const [shown] = TRACED.exec(name) ?? [];
    if (shown === undefined) return new BullMQOTelSpan(trace.wrapSpanContext(INVALID_SPAN_CONTEXT));
    const span = startSpan.call(tracer, shown, options, parent);
    const { setAttributes } = span;
    span.setAttributes = (attributes) =>
      setAttributes.call(
        span,
        Object.fromEntries(Object.entries(attributes).filter(([key]) => TOLD.has(key))),
      );
    span.setAttribute = (key, value) => span.setAttributes({ [key]: value });
    span.addEvent = () => undefined;
    span.recordException = () => {
      if (span instanceof BullMQOTelSpan) span.span.setStatus({ code: SpanStatusCode.ERROR });
    };
    return span;
  };
  contextManager.fromMetadata = (active, metadata) => {
    try {
      return fromMetadata.call(contextManager, active, metadata);
    } catch {
      return active;
    }
  };
  return telemetry;
}

// Unless startTraces has run, the OpenTelemetry API does nothing, so the functions below cost almost nothing.

const tracer = trace.getTracer('takt');

/** The span of a request. It lasts from the headers of the request to the last byte of the response. */
interface RequestSpan {
  run<Result>(task: () => Result): Result;
  end(route: string, status: number | undefined): void;
}

/** Starts the span of a request. If the headers name a span of the client, the new span is a child of it. */
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
 * Starts a span for a statement within the active span. Returns undefined if no span is active. The span shows the
 * start of the statement's text. Values are bound parameters and never appear in the text.
 */
export function startStatementSpan(statement: unknown): Span | undefined {
  if (trace.getActiveSpan()?.isRecording() !== true) return undefined;
  const text = (textOf(statement) ?? 'statement').trim().replace(/\s+/g, ' ');
  const name = text.slice(0, SHOWN_STATEMENT_LENGTH);
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name };
  return tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes });
}

/**
 * Returns the name of a prepared statement if it has one, because the name identifies it better than the start of its
 * text.
 */
function textOf(statement: unknown): string | undefined {
  if (typeof statement === 'string') return statement;
  if (typeof statement !== 'object' || statement === null) return undefined;
  if ('name' in statement && typeof statement.name === 'string') return statement.name;
  return 'text' in statement ? String(statement.text) : undefined;
}

/** Traces one piece of work that is done for items from several spans. */
export interface SharedSpan<Item extends object> {
  bring(items: readonly Item[]): void;
  /**
   * Runs a task in a new span. The new span is a child of the span of the first item, and has links to the spans of all
   * items.
   */
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
