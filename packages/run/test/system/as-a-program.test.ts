import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';

const RUNTIME = new URL('../../src/index.js', import.meta.url).href;

/** Runs `body` as a program that imports this package. Returns its exit status and its log lines. */
async function run(body: string, whenStarted: (child: ChildProcess) => void = () => undefined) {
  const program = `import { createLogger, runUntilSignal } from ${JSON.stringify(RUNTIME)};
    const logger = createLogger({ app: 'test', level: 'info', isTerminal: false });
    const stayAlive = () => setTimeout(() => undefined, 60_000);
    ${body}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let written = '';
  child.stdout.once('data', () => whenStarted(child));
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    written += chunk;
  });
  const [code, signal] = await once(child, 'close');
  const lines = written.trim().split('\n');
  return { code, signal, lines: lines.map((line): Readonly<Record<string, unknown>> => JSON.parse(line)) };
}

describe('the log', () => {
  it('contains no password, token, authorization header or address, even in nested objects', async () => {
    const secrets = { password: 'hidden', token: 'hidden', authorization: 'hidden', url: 'hidden' };
    const { lines } = await run(
      `logger.info({ ...${JSON.stringify({ ...secrets, request: secrets })} }, 'asked');`,
    );
    expect(JSON.stringify(lines)).to.include('asked').and.not.include('hidden');
  });

  it('contains the message and the stack of an error under each name that log calls use', async () => {
    const { lines } = await run(
      `for (const name of ['err', 'error']) logger.error({ [name]: new Error('why') }, name);`,
    );
    for (const { msg, ...line } of lines) {
      expect(line[String(msg)]).to.include({ type: 'Error', message: 'why' }).and.have.property('stack');
    }
    expect(lines.map(({ msg }) => msg)).to.deep.equal(['err', 'error']);
  });
});

describe('an app', () => {
  const LIVING = `await runUntilSignal(async () => {
    stayAlive();
    logger.info('started');
    return { close: async () => logger.info('closed') };
  }, logger);`;

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`closes and exits with status 0 after ${signal}`, async () => {
      const { code, lines } = await run(LIVING, (child) => child.kill(signal));
      expect(lines.map(({ msg }) => msg)).to.deep.equal(['started', 'closing', 'closed']);
      expect(lines[1]).to.include({ signal });
      expect(code).to.equal(0);
    });
  }

  it('closes and exits with status 1 if the app reports a failure', async () => {
    const { code, lines } = await run(`await runUntilSignal(async ({ failed }) => {
      setTimeout(() => failed(new Error('no more')), 10);
      return { close: async () => logger.info('closed') };
    }, logger);`);
    expect(lines.map(({ msg }) => msg)).to.deep.equal(['cannot go on', 'closed']);
    expect(code).to.equal(1);
  });

  it('exits with status 1 if it cannot start, and with status 0 if it is stopped while it starts', async () => {
    const failing = await run(
      `await runUntilSignal(() => Promise.reject(new Error('no database')), logger);`,
    );
    expect(failing.lines[0])
      .to.include({ msg: 'cannot start' })
      .and.have.nested.property('err.message', 'no database');
    expect(failing.code).to.equal(1);
    const stopped = await run(
      `await runUntilSignal(({ stopping }) => new Promise((resolve, reject) => {
        stayAlive();
        stopping.addEventListener('abort', () => reject(new Error('told to stop')));
        logger.info('starting');
      }), logger);`,
      (child) => child.kill('SIGTERM'),
    );
    expect(stopped.lines.map(({ msg }) => msg)).to.deep.equal(['starting', 'stopped before it had started']);
    expect(stopped.code).to.equal(0);
  });

  it('exits with status 0 and logs the error if closing fails', async () => {
    const { code, lines } = await run(
      `await runUntilSignal(async () => {
        stayAlive();
        logger.info('started');
        return { close: () => Promise.reject(new Error('stuck')) };
      }, logger);`,
      (child) => child.kill('SIGTERM'),
    );
    expect(lines.map(({ msg }) => msg)).to.deep.equal(['started', 'closing', 'closing failed']);
    expect(code).to.equal(0);
  });
});
