import { context, INVALID_SPAN_CONTEXT, propagation, SpanStatusCode, trace } from '@opentelemetry/api';
import { withDeadline } from '@takt/runtime';
import type { BullMQOtel } from 'bullmq-otel';
import { TAKT_VERSION } from './version.js';

/** What BullMQ is given so that jobs carry the trace on. */
export type QueueTelemetry = BullMQOtel;

export interface Traces {
  readonly telemetry: QueueTelemetry;
  /** Sends what is left, within 2 s. */
  close(): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

const CLOSE_DEADLINE_MS = 2_000;

/**
 * Sends traces to where OTEL_EXPORTER_OTLP_ENDPOINT says, as OTLP over HTTP in JSON; the other standard variables of the
 * exporter count too. Without that variable it gives undefined and loads nothing. Rejects where the packages are not
 * installed that this takes. To be called before queues are opened, once in a process.
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
      'OTEL_EXPORTER_OTLP_ENDPOINT is set, and what sends traces is not installed: npm install ' +
        '@opentelemetry/context-async-hooks@2.12.0 @opentelemetry/core@2.12.1 @opentelemetry/resources@2.12.1 ' +
        '@opentelemetry/sdk-trace-base@2.12.1 @opentelemetry/exporter-trace-otlp-http@0.223.1 bullmq-otel@2.0.1',
      { cause },
    );
  }
}

/** What says which work it was. Names, options and reasons may hold what a producer wrote. */
const TOLD: ReadonlySet<string> = new Set([
  'bullmq.queue.name',
  'bullmq.queue.operation',
  'bullmq.job.bulk.count',
  'bullmq.job.attempts.made',
]);

/** BullMQ also makes spans of what it does all the time, such as looking for the next job. */
const TRACED = /^(add|addBulk|process) [\w-]+/;

/** Telemetry that shows nothing of events, and to which a job with nonsense for a trace is one without. */
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
