import { register } from 'node:module';

/** Text of one compiled module that is replaced while node loads it. */
export interface Replacement {
  /** How the module's URL ends. */
  readonly module: string;
  /** Each text must stand in the module exactly once. */
  readonly edits: readonly { readonly find: string; readonly replace: string }[];
}

/**
 * Switches a deliberate bug in, from a file that node is given with --import. The program itself knows nothing of it;
 * if it no longer contains a text that is to be replaced, it does not start.
 */
export function replaceSource(replacements: readonly Replacement[]): void {
  register('./replacing-hooks.js', import.meta.url, { data: replacements });
}
