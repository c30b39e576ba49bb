import type { eng } from './eng.js';

/** Every word of the pages in one language, ready for HTML. */
export interface Wording {
  /** BCP 47 tag of the language. */
  readonly tag: string;
  /** What the language calls itself. */
  readonly ownName: string;
  readonly decimalSeparator: '.' | ',';
  /** {0}, {1}, ... stand for values. */
  readonly texts: Readonly<Record<keyof typeof eng.texts, string>>;
  /** Headings of fields, groups and resources, by the name of their XML element. */
  readonly headings: Readonly<Record<keyof typeof eng.headings, string>>;
}
