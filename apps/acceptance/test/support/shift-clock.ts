import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * Shifts the wall clock of a process that loads this module with --import of Node.js. A file contains the shift in ms;
 * its name is the process id. Timers and performance.now() continue normally, as after an operator or a time server has
 * set the clock.
 */

const LOOK_EVERY_MS = 50;
const folder = new URL(import.meta.url).searchParams.get('folder') ?? '';
const RealDate = Date;
let shiftMs = 0;

function look(): void {
  try {
    shiftMs = Number(readFileSync(join(folder, String(process.pid)), 'utf8'));
  } catch {
    // Without the file the clock is correct.
    shiftMs = 0;
  }
}

setInterval(look, LOOK_EVERY_MS).unref();

globalThis.Date = new Proxy(RealDate, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length === 0 ? [target.now() + shiftMs] : values, newTarget),
  apply: (target) => new target(target.now() + shiftMs).toString(),
  get: (target, name, receiver) =>
    name === 'now' ? () => target.now() + shiftMs : Reflect.get(target, name, receiver),
});
