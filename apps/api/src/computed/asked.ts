import type { Language } from '@takt/texts';
import type { Identity } from '../access/establish-identity.js';
import type { Value } from '../query/outline.js';

/** Who asks for an object that no table holds, and what: all that it is made of. */
export interface Asked {
  readonly identity: Identity;
  readonly language: Language;
  /** Begins every address of this service; absolute, without a slash at its end. */
  readonly baseUrl: string;
  /** What the definition names besides the parameters of all resources, by its names. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Whether what only `$expand` adds is asked for by this name. */
  readonly isExpanded: (name: string) => boolean;
}

/** What an object holds, by the names of its definition: also what was not asked for, which nobody reads. */
export interface Held {
  readonly [name: string]: Value | Held | readonly Held[];
}
