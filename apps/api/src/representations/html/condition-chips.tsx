import type { Markup } from '@takt/pages';
import { type Browse, filteredAddress, presentField } from './browse.js';
import { FIRST_PAGE, ownAddress, parameterOf } from './own-links.js';
import { choiceOf, wordsOf } from './quick-filter.js';
import { fill } from './words.js';

/** What the rows have in common, each with a way to do without it. */
export function ConditionChips({ browse }: { readonly browse: Browse }): Markup | null {
  const { conditions, context, wording } = browse;
  const search = (parameterOf(context, 'search')?.value ?? '').trim();
  if (conditions.length === 0 && search === '') return null;
  const { texts } = wording;
  const withoutSearch = ownAddress(context, { ...FIRST_PAGE, search: undefined });
  return (
    <ul class="chips" aria-label={texts.filter}>
      {search !== '' && <Chip words={`“${search}”`} href={withoutSearch} remove={texts.remove} />}
      {conditions.map((condition, index) => (
        <Chip
          {...describe(browse, condition)}
          href={filteredAddress(
            browse,
            conditions.filter((_, place) => place !== index),
          )}
          remove={texts.remove}
        />
      ))}
      <li>
        <a class="clear" href={filteredAddress(browse, [], { search: undefined })}>
          {texts.clear}
        </a>
      </li>
    </ul>
  );
}

/** In words where it is known what it was chosen as, else as it was written. */
function describe({ resource, wording }: Browse, condition: string) {
  const choice = choiceOf(resource, condition);
  if (choice !== undefined) return { words: wordsOf(choice, wording) };
  const present = presentField(resource, condition);
  if (present !== undefined) {
    return { words: fill(wording.texts.withValue, present.heading[wording.language]) };
  }
  return { words: condition, isCode: true };
}

interface ChipProps {
  readonly words: string;
  readonly isCode?: boolean;
  readonly href: string;
  readonly remove: string;
}

function Chip({ words, isCode = false, href, remove }: ChipProps): Markup {
  return (
    <li class="chip">
      {isCode ? <code>{words}</code> : <span>{words}</span>}
      <a href={href} aria-label={fill(remove, words)} title={fill(remove, words)}>
        ×
      </a>
    </li>
  );
}
