import { createLogger } from '@takt/run';
import { exchange, openConnection, request, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { Gauge, Registry } from 'prom-client';
import { createAnswerError } from '../src/answer-error.js';
import { type HttpServer, startHttpServer } from '../src/start-http-server.js';

describe('The status server of an app', () => {
  let findProblems: () => Promise<readonly string[]>;
  let described: readonly string[];
  let release: () => void;
  let timesMade: number;
  let server: HttpServer;

  const options = () => {
    const registry = new Registry();
    new Gauge({
      name: 'takt_answers',
      help: 'Answers',
      registers: [registry],
      async collect() {
        timesMade += 1;
        this.set(42);
        await new Promise<void>((resolve) => {
          release = resolve;
          if (timesMade > 1) resolve();
        });
      },
    });
    const logger = createLogger({ app: 'test', level: 'silent', isTerminal: false });
    const answerError = createAnswerError({
      logger,
      write: (error) => ({ status: 404, headers: {}, body: [error.code], isStreamed: false }),
    });
    return {
      ...{ host: '127.0.0.1', port: 0, basePath: '', logger, registry, logsRequests: false },
      headers: { 'X-Content-Type-Options': 'nosniff' },
      service: {
        ...{ routes: [], answerError, findProblems: () => findProblems(), describe: () => described },
      },
      limits: { answerDeadlineMs: 500 },
    };
  };
  beforeEach(async () => {
    findProblems = async () => [];
    described = [];
    timesMade = 0;
    server = await startHttpServer(options());
  });
  afterEach(() => server.close());

  const ask = async (path: string) => {
    const { status, headers, body } = await exchange(server.port, request(path));
    expect(headers['cache-control']).to.equal('no-store');
    expect(headers['x-content-type-options']).to.equal('nosniff');
    return { status, type: headers['content-type'], text: body.toString() };
  };
  const plain = (status: number, text: string) => ({ status, type: 'text/plain; charset=utf-8', text });

  it('reports that the app is alive, even while the app cannot work', async () => {
    findProblems = async () => ['the database is away'];
    expect(await ask('/health/live')).to.deep.equal(plain(200, 'live\n'));
  });

  it('reports that the app is ready, or lists all reasons why it is not', async () => {
    expect(await ask('/health/ready')).to.deep.equal(plain(200, 'ready\n'));
    findProblems = async () => ['the database is away', 'so is the disk'];
    expect(await ask('/health/ready')).to.deep.equal(plain(503, 'the database is away\nso is the disk\n'));
  });

  it('reports further details while the app is ready', async () => {
    described = ['replica: 0.4 s behind', 'primary: away'];
    expect(await ask('/health/ready')).to.deep.equal(
      plain(200, 'ready\nreplica: 0.4 s behind\nprimary: away\n'),
    );
  });

  it('reports that the app is not ready if a check fails or does not end', async () => {
    findProblems = () => Promise.reject(new Error('secret'));
    expect(await ask('/health/ready')).to.deep.equal(plain(503, 'the checks failed\n'));
    findProblems = () => {
      throw new Error('secret');
    };
    expect(await ask('/health/ready')).to.deep.equal(plain(503, 'the checks failed\n'));
    findProblems = () => new Promise(() => undefined);
    expect(await ask('/health/ready')).to.deep.equal(plain(503, 'the checks did not end in time\n'));
  });

  it('collects the metrics once for all concurrent requests', async () => {
    const connections = await Promise.all(Array.from({ length: 10 }, () => openConnection(server.port)));
    for (const connection of connections) connection.send(request('/metrics'));
    await waitUntil('they are being made', () => timesMade === 1);
    // The server still answers probes. By then it has read everything that was sent before them.
    expect((await ask('/health/live')).status).to.equal(200);
    release();
    for (const connection of connections) {
      const { status, headers, body } = await connection.answer();
      expect([status, headers['content-type']]).to.deep.equal([
        200,
        'text/plain; version=0.0.4; charset=utf-8',
      ]);
      expect(body.toString()).to.include('takt_answers 42\n');
      connection.destroy();
    }
    expect(timesMade).to.equal(1);
  });

  it('collects the metrics again for later requests', async () => {
    const first = exchange(server.port, request('/metrics'));
    await waitUntil('they are being made', () => timesMade === 1);
    release();
    await first;
    expect((await ask('/metrics')).text).to.include('takt_http_requests_total{route="/metrics",status="200"');
    expect(timesMade).to.equal(2);
  });

  it('does not start if its address is in use', async () => {
    const second = startHttpServer({ ...options(), port: server.port });
    const error: unknown = await second.catch((reason: unknown) => reason);
    expect(error).to.have.property('code', 'EADDRINUSE');
  });
});
