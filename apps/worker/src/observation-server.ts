import { createServer, type Server } from 'node:http';

export interface ObservationServerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Why the app cannot do its work at this moment; empty when it can. */
  readonly findProblems: () => Promise<readonly string[]>;
  readonly metrics: () => Promise<string>;
}

export interface ObservationServer {
  readonly port: number;
  close(): Promise<void>;
}

const REQUEST_DEADLINE_MS = 5_000;

/** Serves /health/live, /health/ready and /metrics (Prometheus), for supervisors and operators. */
export async function startObservationServer(options: ObservationServerOptions): Promise<ObservationServer> {
  const server = createServer({ requestTimeout: REQUEST_DEADLINE_MS }, async (request, response) => {
    const { status, body } = await answer(request.url, options);
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
    response.end(body);
  });
  await listen(server, options.port, options.host);
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(path: string | undefined, { findProblems, metrics }: ObservationServerOptions) {
  switch (path) {
    case '/health/live':
      return { status: 200, body: 'live\n' };
    case '/health/ready': {
      const problems = await findProblems();
      return problems.length === 0
        ? { status: 200, body: 'ready\n' }
        : { status: 503, body: `${problems.join('\n')}\n` };
    }
    case '/metrics':
      return { status: 200, body: await metrics() };
    default:
      return { status: 404, body: 'there are /health/live, /health/ready and /metrics\n' };
  }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
}
