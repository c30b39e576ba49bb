import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * Given to node with --import: the wall clock of the process goes wrong by as many milliseconds as stand in a file named
 * by its process id. Timers and performance.now() go on as they do where an operator or a time server sets a clock.
 */

const LOOK_EVERY_MS = 50;
const folder = new URL(import.meta.url).searchParams.get('folder') ?? '';
const RealDate = Date;
let shiftMs = 0;

function look(): void {
  try {
    shiftMs = Number(readFileSync(join(folder, String(process.pid)), 'utf8'));
  } catch {
    // No file: nothing is wrong with this clock.
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
