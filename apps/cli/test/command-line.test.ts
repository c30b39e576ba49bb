import { createTestDatabase } from '@takt/database/testing';
import { expect } from 'chai';
import { refuseLittleMemory } from '../src/commands/start.js';
import { runTakt } from './support/run-takt.js';

/** A database URL with an address at which no server listens. */
const NOWHERE = { DATABASE_URL: 'postgres://takt:secret@127.0.0.1:1/takt' };

describe('the command line', function () {
  this.timeout(180_000);
  it('prints the help with status 0 on request, and with status 2 for a missing command', async () => {
    const [asked, missing] = await Promise.all([runTakt(['--help'], {}), runTakt([], {})]);
    expect(asked).to.include({ code: 0, stderr: '' });
    for (const command of ['start', 'publish', 'rejected', 'status'])
      expect(asked.stdout).to.include(command);
    expect(missing).to.include({ code: 2, stdout: '' });
    expect(missing.stderr).to.include('Usage: takt');
  });

  it('exits with status 2 and names the mistake after a wrong call', async () => {
    const wrong: readonly (readonly [readonly string[], string])[] = [
      [['frobnicate'], "unknown command 'frobnicate'"],
      [['publish', '--batch', '1001', 'x'], 'integer from 1 to 1000'],
      [['generate', '--events', '5', '--corrections', '1.5'], 'share from 0 to 1'],
      [['rejected', 'retry'], 'name the events to retry, or all with --all'],
    ];
    await Promise.all(
      wrong.map(async ([args, message]) => {
        const { code, stderr } = await runTakt(args, {});
        expect(stderr).to.include(message);
        expect(code, args.join(' ')).to.equal(2);
      }),
    );
  });

  it('exits with status 2 and names every wrong setting', async () => {
    const { code, stderr } = await runTakt(['status'], { PORT: 'x', QUEUE_URL: 'amqp://x' });
    expect(code).to.equal(2);
    expect(stderr).to.match(/^takt: PORT is "x".*\ntakt: QUEUE_URL is wrong, .*\n$/);
  });

  it('exits with status 1 and one line if the database does not answer', async () => {
    const { code, stdout, stderr } = await runTakt(['company', 'list'], NOWHERE);
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
    expect(stderr).to.match(/^takt: the database cannot be used: .*ECONNREFUSED.*check DATABASE_URL.*\n$/);
    expect(stderr).to.not.include('secret');
  });

  it('prints the stack of an error if LOG_LEVEL is debug', async () => {
    const { stderr } = await runTakt(['company', 'list'], { ...NOWHERE, LOG_LEVEL: 'debug' });
    expect(stderr).to.match(/^ {4}at .*\/context\./m);
  });

  it('does not start everything with too little memory, and says how much it needs', () => {
    expect(() => refuseLittleMemory(512 * 2 ** 20)).to.throw(
      /^takt start needs 1 GB of memory, but only 512 MB are there: .*$/,
    );
    expect(() => refuseLittleMemory(2 ** 30)).not.to.throw();
  });

  it('asks for a migration if the database has none', async () => {
    const { url, close } = await createTestDatabase({ migrated: false });
    try {
      const outcomes = await Promise.all(
        [['audit'], ['drain']].map((args) => runTakt(args, { DATABASE_URL: url })),
      );
      for (const { code, stderr } of outcomes) {
        expect(stderr).to.include('run takt migrate');
        expect(code).to.equal(1);
      }
    } finally {
      await close();
    }
  });
});
