import { InvalidEventError, openPublisher, type Publisher } from '@takt/events';
import { completion } from '@takt/test-support';
import { expect } from 'chai';
import { checkLine } from '../src/event-source.js';
import { openTestInstallation, type TestInstallation } from './support/test-installation.js';

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const withExtra = (operation: number, extra: string) =>
  JSON.stringify(completion(operation)).replace('"data":', `"extra":${extra},"data":`);

const LINES: readonly string[] = [
  withExtra(1, '"plain"'),
  withExtra(2, '"\\u0000"'),
  withExtra(3, '"\\ud83d\\ude00"'),
  withExtra(4, '"\\ud83d"'),
  withExtra(5, '"\\ude00\\ud83d"'),
  withExtra(6, '{"a":[{"\\u0000":1}]}'),
  withExtra(7, '["\\\\u0000"]'),
  withExtra(8, '"caf\\u00e9"'),
  withExtra(9, nested(499)),
  withExtra(10, nested(500)),
  withExtra(11, `"${nested(600)}"`),
  withExtra(12, `${'['.repeat(499)}{"a":1}${']'.repeat(499)}`),
  withExtra(13, '{"__proto__":{"\\ud800":1}}'),
  JSON.stringify(completion(14, { runTime: '1e3' })),
  JSON.stringify([completion(15)]),
];

describe('checkLine', () => {
  let installation: TestInstallation;
  let publisher: Publisher;

  before(async () => {
    installation = await openTestInstallation();
    publisher = await openPublisher(installation.environment['QUEUE_URL'] ?? '');
  });
  after(async () => {
    await publisher.close();
    await installation?.close();
  });

  it('validates each line like the publisher', async () => {
    for (const text of LINES.slice(0, -1)) {
      const isTaken = await publisher.publish([JSON.parse(text)]).then(
        () => true,
        (error: unknown) => {
          if (error instanceof InvalidEventError) return false;
          throw error;
        },
      );
      expect(checkLine({ number: 1, text }).kind, text.slice(0, 150)).to.equal(isTaken ? 'event' : 'invalid');
    }
    const verdicts = LINES.map((text) => checkLine({ number: 1, text }).kind);
    expect(verdicts.filter((kind) => kind === 'invalid').length).to.equal(9);
  });

  it('distinguishes blank lines from events', () => {
    expect(checkLine({ number: 1, text: ' \t\r' })).to.deep.equal({ kind: 'blank' });
  });
});
