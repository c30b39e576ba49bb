import { checkReadiness, watchDatabase } from '@takt/database/app';
import { createTestDatabase } from '@takt/database/testing';
import { opened } from '@takt/test-support';
import { expect } from 'chai';

describe('watchDatabase', () => {
  const test = opened(createTestDatabase);

  it('uses the earlier result while a new one is late, and checks again after 5 s if nothing was found', async () => {
    let endSecond = (_problems: string[]) => {};
    const second = new Promise<string[]>((resolve) => {
      endSecond = resolve;
    });
    const results = [Promise.resolve(['no schema']), second];
    let runs = 0;
    const checkDatabase = watchDatabase(
      () => test.database.pool,
      async () => results[runs++] ?? ['too many runs'],
    );
    const find = () => checkReadiness([checkDatabase()]);
    expect(await find()).to.deep.equal(['no schema']);
    expect(await find(), 'the second run is late').to.deep.equal(['no schema']);
    endSecond([]);
    expect(await find()).to.deep.equal([]);
    expect(await find(), 'less than 5 s later').to.deep.equal([]);
    expect(runs).to.equal(2);
  });
});
