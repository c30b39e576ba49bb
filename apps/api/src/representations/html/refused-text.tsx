import type { Markup } from '@takt/pages';
import type { Wording } from './page-words.js';

/** What was written into a parameter of a list, and why it cannot be read. */
export interface RefusedText {
  /** $filter, $orderby, search, or a field of the form. */
  readonly parameter: string;
  readonly text: string;
  /** Of the first character that cannot stay, from 1, in code points; undefined: it is not about one place. */
  readonly position: number | undefined;
  /** In the language of the reader. */
  readonly message: string;
}

interface RefusedNoteProps {
  readonly refused: RefusedText;
  readonly wording: Wording;
}

/** Says what is wrong, beside the text that was written, with the place marked. */
export function RefusedNote({ refused, wording }: RefusedNoteProps): Markup {
  return (
    <div class="refused" id="refused" role="alert">
      <p>{refused.message}</p>
      <MarkedText refused={refused} wording={wording} />
    </div>
  );
}

/** The text up to the place, the place, and what follows. At the end of the text a blank is marked. */
function MarkedText({ refused: { text, position }, wording }: RefusedNoteProps): Markup | null {
  if (position === undefined) return null;
  const characters = Array.from(text);
  const before = characters.slice(0, position - 1).join('');
  const [, word = ''] = /^(\w+)/.exec(characters.slice(position - 1).join('')) ?? [];
  const marked = word || (characters[position - 1] ?? '\u00A0');
  const after = characters.slice(position - 1 + Array.from(marked).length).join('');
  return (
    <p class="marked">
      <code>
        {before}
        <mark title={wording.texts.here}>{marked}</mark>
        {after}
      </code>
    </p>
  );
}
