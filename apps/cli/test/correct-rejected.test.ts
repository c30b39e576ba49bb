import { completion, opened } from '@takt/test-support';
import { expect } from 'chai';
import { runTakt } from './support/run-takt.js';
import { openTestInstallation } from './support/test-installation.js';

const DATABASE = 'data.database must be the code of a registered company (got "TEM-XX")';

describe('takt rejected correct, resolved and undo', function () {
  this.timeout(180_000);
  const test = opened(openTestInstallation);
  let fifth: number;
  const takt = (...args: readonly string[]) => runTakt(['rejected', ...args], test.environment);
  const listed = async (): Promise<readonly string[]> =>
    JSON.parse((await takt('list', '--json')).stdout).map(
      ({ eventId }: { readonly eventId: string }) => eventId,
    );
  const resolved = async (...args: readonly string[]) =>
    JSON.parse((await takt('resolved', '--json', ...args)).stdout);

  before(async () => {
    for (const operation of [1, 2, 3]) {
      await test.reject(completion(operation, { database: 'TEM-XX' }), DATABASE);
    }
    await test.reject(completion(4, { database: 'TEM-XX', runTime: -1 }), DATABASE);
    fifth = await test.reject(completion(5, { runTime: -1 }), 'data.runTime must be hours (got -1)');
  });

  it('check, make and undo a correction of one field in all events with the same reason', async () => {
    const args = ['correct', '--field', 'data.database', '--value', 'TEM-NO', '--reason', 'data.database'];
    const checked = await takt(...args, '--check');
    expect(checked).to.include({ code: 1, stdout: 'valid 3\n' });
    expect(checked.stderr).to.match(
      /^takt: 1 left alone, because they would be rejected again: data\.runTime must be hours/,
    );
    expect(await test.countWaiting()).to.equal(0);
    const corrected = await takt(...args);
    expect(corrected).to.include({ code: 1, stdout: 'corrected 3\n' });
    expect(await test.countWaiting()).to.equal(3);
    expect(await listed()).to.have.members(['event-4', 'event-5']);
    const run = /undo --run (\S+) /.exec(corrected.stderr)?.[1] ?? '';
    expect(await resolved('--run', run)).to.have.lengthOf(3);
    expect(await takt('undo', '--run', run)).to.include({ code: 0, stdout: 'restored 3\n' });
    expect(await test.countWaiting()).to.equal(0);
    expect(await listed()).to.have.members(['event-1', 'event-2', 'event-3', 'event-4', 'event-5']);
    const { rows } = await test.database.pool.query(
      "SELECT action, subject, details FROM takt.audit_log WHERE action LIKE 'rejected-%' ORDER BY audit_entry_id",
    );
    const [begun, ended, undoing, undone] = rows;
    const details = { run, field: 'data.database', value: 'TEM-NO', reason: 'data.database' };
    expect(rows).to.have.lengthOf(4);
    expect(begun).to.deep.equal({
      ...{
        action: 'rejected-corrected',
        subject: '4 rejected events',
        details: { ...details, state: 'begun' },
      },
    });
    expect(ended).to.deep.equal({
      ...{
        action: 'rejected-corrected',
        subject: '3 rejected events',
        details: { ...details, state: 'ended' },
      },
    });
    expect([undoing, undone].map(({ action, details: { of, state } }) => [action, of, state])).to.deep.equal([
      ['rejected-restored', run, 'begun'],
      ['rejected-restored', run, 'ended'],
    ]);
  });

  it('restore discarded events, and report events without a way back', async () => {
    expect((await takt('discard', String(fifth))).stdout).to.equal('discarded 1\n');
    const [kept] = await resolved('--top', '1');
    expect(kept).to.include({ resolution: 'discarded', id: fifth });
    expect((await takt('resolved')).stdout).to.match(/^ID {2}AT +STATE +BY +RUN +EVENT ID +REASON\n/);
    const undone = await takt('undo', String(kept.id), '999999');
    expect(undone).to.include({ code: 1, stdout: 'restored 1\n' });
    expect(undone.stderr).to.include('there is nothing to undo under 999999');
    expect(await listed()).to.include('event-5');
  });

  it('require an existing field, a value, and the id of the entry to undo', async () => {
    for (const args of [
      ['correct', '--field', 'data.nothing', '--value', 'x'],
      ['correct', '--field', 'data.database'],
      ['undo'],
      ['undo', '1', '--run', 'x'],
      ['undo', 'x'],
    ]) {
      expect(await takt(...args), args.join(' ')).to.include({ code: 2, stdout: '' });
    }
  });
});
