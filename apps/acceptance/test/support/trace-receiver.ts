import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { findFreePort } from '@takt/test-support';

/** A span that the receiver got. */
export interface ReceivedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Identifiers of the linked spans. */
  readonly links: readonly string[];
}

export interface TraceReceiver {
  /** Address for the environment variable OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Returns everything that was received, as text. */
  text(): string;
  close(): Promise<void>;
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface OtlpSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes?: readonly Attribute[];
  readonly links?: readonly { readonly spanId: string }[];
}

interface OtlpTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

/** Starts a receiver of traces in OTLP over HTTP, in JSON. It takes the place of a collector. */
export async function startTraceReceiver(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  let text = '';
  const server = createServer(async (request, response) => {
    const traces = (await json(request)) as OtlpTraces;
    text += JSON.stringify(traces);
    for (const { resource, scopeSpans } of traces.resourceSpans) {
      const service = String(read(resource.attributes)['service.name']);
      for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
        spans.push({
          service,
          name: span.name,
          traceId: span.traceId,
          spanId: span.spanId,
          parentSpanId: span.parentSpanId ?? '',
          attributes: read(span.attributes ?? []),
          links: (span.links ?? []).map(({ spanId }) => spanId),
        });
      }
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const port = await findFreePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    text: () => text,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function read(attributes: readonly Attribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
