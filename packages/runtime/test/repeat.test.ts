import { expect } from 'chai';
import { repeat } from '../src/index.js';

describe('a task that is repeated', () => {
  it('goes on however often a task fails, tells of each failure, and ends when it is told to', async () => {
    const ending = new AbortController();
    const failures: unknown[] = [];
    let turn = 0;
    await repeat(
      async () => {
        turn += 1;
        if (turn === 4) ending.abort();
        if (turn !== 3) throw new Error(`turn ${turn}`);
      },
      { everyMs: 1, signal: ending.signal, onFailure: (error) => failures.push(String(error)) },
    );
    expect(turn).to.equal(4);
    // What fails because all of it ends is no failure.
    expect(failures).to.deep.equal(['Error: turn 1', 'Error: turn 2']);
  });
});
