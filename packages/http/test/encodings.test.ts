import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { chooseEncoding, createEncoder } from '../src/encode-answer.js';

describe('The encoding of an answer', () => {
  for (const [header, large, small] of [
    [undefined, 'identity', 'identity'],
    ['', 'identity', 'identity'],
    ['gzip', 'gzip', 'identity'],
    ['br', 'br', 'identity'],
    ['GZIP', 'gzip', 'identity'],
    ['*', 'br', 'identity'],
    ['gzip;q=0.5, br;q=0.9', 'br', 'identity'],
    ['gzip;q=0.2, identity', 'identity', 'identity'],
    ['gzip;q=0', 'identity', 'identity'],
    ['gzip;q=0, *', 'br', 'identity'],
    ['identity;q=0, gzip', 'gzip', 'gzip'],
    ['*;q=0, gzip;q=0.1', 'gzip', 'gzip'],
    // The client accepts no encoding. Nevertheless, the answer is sent without encoding.
    ['identity;q=0', 'identity', 'identity'],
    ['*;q=0', 'identity', 'identity'],
    ['identity;q=0, deflate', 'identity', 'identity'],
    ['deflate, zstd', 'identity', 'identity'],
    ['gzip;q=x', 'identity', 'identity'],
    [';;,,q=1;', 'identity', 'identity'],
    [',,,;;;q=0,', 'identity', 'identity'],
  ] as const) {
    it(`for Accept-Encoding: ${header} is ${large}, and ${small} if the answer is small`, () => {
      expect(chooseEncoding(header, false)).to.equal(large);
      expect(chooseEncoding(header, true)).to.equal(small);
    });
  }
});

describe('A stream encoder', () => {
  for (const [encoding, createDecoder] of [
    ['gzip', createGunzip],
    ['br', createBrotliDecompress],
  ] as const) {
    it(`sends each piece before the next one arrives (${encoding})`, async () => {
      const encoder = createEncoder(encoding);
      let received = '';
      encoder.pipe(createDecoder()).on('data', (chunk: Buffer) => {
        received += chunk.toString();
      });
      for (const piece of ['[1', ',2', ',3]']) {
        encoder.write(piece);
        await waitUntil(`${piece} has arrived`, () => received.endsWith(piece));
      }
      encoder.end();
    });
  }
});
