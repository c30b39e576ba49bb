import type { JsonObject } from './json.js';

const plainText = (description: string): JsonObject => ({
  description,
  content: { 'text/plain': { schema: { type: 'string' } } },
});

/**
 * What supervisors and operators ask; no token is needed. They ask at the root of the server, also where the resources
 * are below a path.
 */
export function operationPaths(baseUrl: string): Readonly<Record<string, JsonObject>> {
  const get = (operationId: string, summary: string, responses: JsonObject): JsonObject => ({
    servers: [{ url: new URL(baseUrl).origin }],
    get: { operationId, tags: ['operation'], summary, security: [], responses },
  });
  return {
    '/health/live': get('isLive', 'Whether the process runs', { 200: plainText('It runs.') }),
    '/health/ready': get('isReady', 'Whether requests can be served', {
      200: plainText('They can.'),
      503: plainText('They cannot: one reason per line.'),
    }),
    '/metrics': get('readMetrics', 'Measurements for Prometheus', {
      200: plainText('In the text format of Prometheus.'),
    }),
  };
}
