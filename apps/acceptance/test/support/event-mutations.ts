import type { Random } from '@takt/test-support';
import { unicodeText } from './unicode-texts.js';

/** Returns the JSON text of an event in which up to three values are changed, removed or duplicated. */
export function mutated(random: Random, json: string): string {
  let event: unknown = JSON.parse(json);
  for (let changes = random.below(4); changes > 0; changes--) event = changedSomewhere(random, event);
  // Replaces the marked texts with the number 1e400, which JSON.stringify cannot write.
  return JSON.stringify(event).replaceAll(/"#(-?1e400)"/g, '$1');
}

function changedSomewhere(random: Random, value: unknown): unknown {
  const isLeaf = typeof value !== 'object' || value === null || Array.isArray(value);
  const entries = isLeaf ? [] : Object.entries(value);
  // Usually selects an inner value, because a change near the top would hide all changes below it.
  if (entries.length === 0 || random.below(30) === 0) return randomValue(random, value);
  const [key, inner] = random.pick(entries);
  switch (random.below(12)) {
    case 0:
      return Object.fromEntries(entries.filter(([name]) => name !== key));
    case 1:
      return { ...Object.fromEntries(entries), [unicodeText(random)]: inner };
    case 2:
      return { ...Object.fromEntries(entries), [key]: random.pick(entries)[1] };
    default:
      return { ...Object.fromEntries(entries), [key]: changedSomewhere(random, inner) };
  }
}

/** Returns a random value to replace `before`. It is sometimes similar to `before`. */
function randomValue(random: Random, before: unknown): unknown {
  const text = typeof before === 'string' ? before : String(before);
  const at = random.below(text.length + 1);
  const bits = new DataView(new ArrayBuffer(8));
  bits.setUint32(0, random.below(2 ** 32));
  bits.setUint32(4, random.below(2 ** 32));
  const double = bits.getFloat64(0);
  return random.pick<unknown>([
    ...[null, true, false, 0, -0, 1, -1, '', {}, [], [before], { before }, '#1e400', '#-1e400'],
    ...[random.below(2 ** 32), random() * 1_000_001, Number.isFinite(double) ? double : 2 ** 53, text],
    ...[unicodeText(random), text.slice(0, at) + text.slice(at + 1), text.slice(0, at) + text.slice(at - 1)],
    ...[`${text}${random.pick(['0', ' ', 'Z', '\n', '\0', '\ud800'])}`, text.repeat(20), Number(text) || 7],
  ]);
}

/** Returns a copy of the bytes with some bytes changed, removed or duplicated. Sometimes returns only random bytes. */
export function scrambled(random: Random, bytes: Buffer): Buffer {
  if (random.below(8) === 0) return randomBytes(random, random.below(2_000));
  let result = Buffer.from(bytes);
  for (let changes = 1 + random.below(4); changes > 0; changes--) {
    const at = random.below(result.length + 1);
    const end = Math.min(result.length, at + random.below(40));
    const insertion = random.pick([randomBytes(random, random.below(4)), result.subarray(at, end)]);
    result = Buffer.concat([result.subarray(0, at), insertion, result.subarray(random.pick([at, end]))]);
  }
  return result;
}

function randomBytes(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.below(256)));
}
