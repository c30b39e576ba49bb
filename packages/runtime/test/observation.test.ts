import { expect } from 'chai';
import { createLogger, type ObservationServer, startObservationServer } from '../src/index.js';

describe('the observation server', () => {
  let findProblems: () => Promise<readonly string[]>;
  let described: readonly string[];
  let server: ObservationServer;

  before(async () => {
    server = await startObservationServer('127.0.0.1', 0, {
      findProblems: () => findProblems(),
      describe: () => described,
      deadlineMs: 50,
      metrics: { contentType: 'text/plain; version=0.0.4', metrics: async () => 'takt_answers 42\n' },
      logger: createLogger({ app: 'test', level: 'silent', isTerminal: false }),
    });
  });
  beforeEach(() => {
    findProblems = async () => [];
    described = [];
  });
  after(async () => {
    await server?.close();
  });

  const ask = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`);
    const { status, headers } = response;
    expect(headers.get('cache-control')).to.equal('no-store');
    return { status, type: headers.get('content-type'), text: await response.text() };
  };
  const plain = (status: number, text: string) => ({ status, type: 'text/plain; charset=utf-8', text });

  it('says that the app runs, also while it cannot do its work', async () => {
    findProblems = async () => ['the database is away'];
    expect(await ask('/health/live')).to.deep.equal(plain(200, 'live\n'));
  });

  it('says whether the app can do its work, and all that keeps it from it', async () => {
    expect(await ask('/health/ready')).to.deep.equal(plain(200, 'ready\n'));
    findProblems = async () => ['the database is away', 'so is the disk'];
    expect(await ask('/health/ready')).to.deep.equal(plain(503, 'the database is away\nso is the disk\n'));
  });

  it('says what else there is to say of an app that can do its work', async () => {
    described = ['replica: 0.4 s behind', 'primary: away'];
    expect(await ask('/health/ready')).to.deep.equal(
      plain(200, 'ready\nreplica: 0.4 s behind\nprimary: away\n'),
    );
  });

  it('is not ready where the checks fail, at once or later, or do not end', async () => {
    findProblems = () => Promise.reject(new Error('secret'));
    expect(await ask('/health/ready')).to.deep.equal(plain(503, 'the checks failed\n'));
    findProblems = () => {
      throw new Error('secret');
    };
    expect(await ask('/health/ready')).to.deep.equal(plain(503, 'the checks failed\n'));
    findProblems = () => new Promise(() => undefined);
    expect(await ask('/health/ready')).to.deep.equal(plain(503, 'the checks did not end in time\n'));
  });

  it('gives the metrics as their registry writes them', async () => {
    const text = 'takt_answers 42\n';
    expect(await ask('/metrics')).to.deep.equal({ status: 200, type: 'text/plain; version=0.0.4', text });
  });

  it('names what there is to whoever asks for something else', async () => {
    expect(await ask('/')).to.deep.equal(plain(404, 'there are /health/live, /health/ready and /metrics\n'));
  });

  it('rejects where the address cannot be listened on', async () => {
    const observed = {
      findProblems,
      deadlineMs: 50,
      logger: createLogger({ app: 'test', level: 'silent', isTerminal: false }),
    };
    const metrics = { contentType: 'text/plain', metrics: async () => '' };
    const second = startObservationServer('127.0.0.1', server.port, { ...observed, metrics });
    const error: unknown = await second.catch((reason: unknown) => reason);
    expect(error).to.have.property('code', 'EADDRINUSE');
  });
});
