import type { Language } from '@takt/error-catalogue';
import type { eng } from './eng.js';

/** The words of the pages themselves in one language, ready for HTML. What is served has its words in its definition. */
export interface Wording<L extends Language = Language> {
  readonly language: L;
  /** What the language calls itself. */
  readonly ownName: string;
  readonly decimalSeparator: '.' | ',';
  /** {0}, {1}, ... stand for values. */
  readonly texts: Readonly<Record<keyof typeof eng.texts, string>>;
}
