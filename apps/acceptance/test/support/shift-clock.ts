import { readFileSync } from 'node:fs';

// For node's --import, as shift-clock.js?file=PATH: the file says by how many milliseconds this process's clock is ahead
// of the machine's, at any time anew.

const path = new URL(import.meta.url).searchParams.get('file') ?? '';
const READ_EVERY_MS = 10;
const { now } = Date;
let aheadMs = 0;
let readAtMs = Number.NEGATIVE_INFINITY;

Date.now = () => {
  if (performance.now() - readAtMs > READ_EVERY_MS) {
    readAtMs = performance.now();
    aheadMs = Number(readFileSync(path, 'utf8'));
  }
  return now() + aheadMs;
};
