import { writeSync } from 'node:fs';
import type { InitializeHook, LoadHook } from 'node:module';
import type { Replacement } from './mutants.js';

const STANDARD_ERROR = 2;

let replacements: readonly Replacement[] = [];

export const initialize: InitializeHook<readonly Replacement[]> = (data) => {
  replacements = data;
};

export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context);
  const wanted = replacements.find(({ module }) => url.endsWith(module));
  if (wanted === undefined) return loaded;
  const source = wanted.edits.reduce(replaceOnce, toText(loaded.source, url));
  // The test looks for this line. Without the line, the worker has not loaded the changed module and has no bug.
  writeSync(STANDARD_ERROR, `FAULT SWITCHED IN: ${wanted.module}\n`);
  return { ...loaded, source };
};

function replaceOnce(source: string, { find, replace }: Replacement['edits'][number]): string {
  const [before, after, ...others] = source.split(find);
  if (before === undefined || after === undefined || others.length > 0) {
    throw new Error(`the text to be replaced does not stand in the module exactly once: ${find}`);
  }
  return before + replace + after;
}

function toText(source: unknown, url: string): string {
  if (typeof source === 'string') return source;
  if (source instanceof Uint8Array) return Buffer.from(source).toString('utf8');
  throw new Error(`${url} was loaded without a source`);
}
