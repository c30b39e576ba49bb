import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { endWithSlowClient } from '../../src/respond/answer-export.js';

const PIECE = 'x'.repeat(1_000);
const PIECES = 30;
/** A piece of 1,000 bytes may take a second, in addition to the grace. */
const PACE = { bytesPerSecond: 1_000, graceMs: 1_000 };

describe('the least pace of a client', () => {
  /** Takes the pieces of a file with a pause after each. Returns the number of taken pieces. */
  const take = async (pauseMs: number) => {
    let left = PIECES;
    let isEnded = false;
    const pieces = endWithSlowClient(
      {
        next: async () => (isEnded || left-- === 0 ? undefined : PIECE),
        end: async () => {
          isEnded = true;
        },
      },
      PACE,
    );
    let taken = 0;
    while ((await pieces.next()) !== undefined) {
      taken += 1;
      await delay(pauseMs);
    }
    return { taken, isGivenUp: pieces.signal?.aborted };
  };

  it('lets a client finish that takes longer than the grace in all, because taken bytes give time back', async () => {
    expect(await take(60)).to.deep.equal({ taken: PIECES, isGivenUp: false });
  });

  it('ends the file of a client that takes less', async () => {
    expect(await take(1_400)).to.deep.equal({ taken: 1, isGivenUp: true });
  });
});
