/**
 * What a job may hold, in bytes of JSON: its data, options and name. What holds more is never read whole: a worker that
 * holds a few such jobs, each several times as large once it is parsed, would take the memory of all others.
 */
export const MAX_JOB_BYTES = 16 * 2 ** 20;

/** Stands for the data of a job that is too large to be read, with their size. */
export const OVERSIZED_MARK = 'takt:oversizedBytes';

/** The size of a job that was too large to be read, from what was given for its data; undefined for any other data. */
export function oversizedBytes(data: unknown): number | undefined {
  if (typeof data !== 'object' || data === null || !(OVERSIZED_MARK in data)) return undefined;
  const bytes = data[OVERSIZED_MARK];
  return typeof bytes === 'number' ? bytes : undefined;
}
