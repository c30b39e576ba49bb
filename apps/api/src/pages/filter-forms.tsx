import { browsedField, type ListResource, type QuickFilter, quickFiltersOf } from '@takt/catalogue/resources';
import type { Markup } from '@takt/pages';
import { FORM_PARAMETER } from '@takt/query';
import {
  type Browse,
  type Condition,
  filteredAddress,
  filtersInForm,
  isOverview,
  joinConditions,
  NO_OVERVIEW,
  wordsOf,
} from './browse.js';
import { describeComparison, type SentCondition } from './condition-operators.js';
import { type Changes, FIRST_PAGE, formAddress, HiddenInputs, parameterOf, writtenIn } from './own-links.js';
import { fill, type Wording } from './words.js';

/** True if the parameter is a field of the form with quick filters. */
export function isQuickFilter(resource: ListResource, name: string): boolean {
  return quickFiltersOf(resource).some(({ field }) => field === name);
}

interface QuickFilterFormProps {
  readonly browse: Browse;
  /** The problem with the entered text. Set only if the form is shown again because of this problem. */
  readonly refused?: RefusedText | undefined;
}

/**
 * A form with the words of a search and the quick filters as ordinary fields. The form keeps all other conditions of
 * the filter.
 */
export function QuickFilterForm({ browse, refused }: QuickFilterFormProps): Markup | null {
  const { resource, context, conditions, wording } = browse;
  const filters = filtersInForm(browse);
  const takesSearch = resource.searched.length > 0;
  if (filters.length === 0 && !takesSearch) return null;
  const isAsked = ({ choice }: Condition) => choice !== undefined && filters.includes(choice.filter);
  const remaining = conditions.filter((condition) => !isAsked(condition)).map(({ text }) => text);
  const changes: Changes = {
    ...FIRST_PAGE,
    $filter: joinConditions(remaining) || undefined,
    [FORM_PARAMETER]: 'quick',
    ...(isOverview(resource, context) ? NO_OVERVIEW : {}),
    ...(takesSearch ? { search: undefined } : {}),
  };
  return (
    <form class="quick" method="get" action={formAddress(context)}>
      <HiddenInputs context={context} changes={changes} />
      {takesSearch && (
        <label class="wide">
          {wording.texts.search}{' '}
          <input
            type="search"
            name={parameterOf(context, 'search')?.name ?? 'search'}
            value={writtenIn(context, 'search')}
          />
        </label>
      )}
      {filters.map((filter) => (
        <>
          <QuickFilterField
            browse={browse}
            filter={filter}
            value={conditions.find(({ choice }) => choice?.filter === filter)?.choice?.value}
            refusedText={refused?.parameter === filter.field ? refused.text : undefined}
          />
          {refused?.parameter === filter.field && <RefusedNote refused={refused} wording={wording} />}
        </>
      ))}
      <button type="submit">{wording.texts.apply}</button>
    </form>
  );
}

interface QuickFilterFieldProps {
  readonly browse: Browse;
  readonly filter: QuickFilter;
  /** The chosen value; undefined if nothing is chosen. */
  readonly value: string | undefined;
  /** The text that was entered in this field, if it is invalid. */
  readonly refusedText: string | undefined;
}

function QuickFilterField({ browse, filter, value, refusedText }: QuickFilterFieldProps): Markup {
  const { language, texts } = browse.wording;
  const { kind, field: name } = filter;
  const title = filter.title[language];
  switch (kind) {
    case 'positive':
      return (
        <label>
          <input type="checkbox" name={name} value="0" checked={value !== undefined} /> {title}
        </label>
      );
    case 'choice':
      return (
        <label>
          {title}{' '}
          <select name={name}>
            <option value="">{texts.any}</option>
            {Object.entries(browsedField(browse.resource, name)?.domain?.values ?? {}).map(([key, words]) => (
              <option value={key} selected={key === value}>
                {words[language]}
              </option>
            ))}
          </select>
        </label>
      );
    default:
      return (
        <label>
          {title}{' '}
          <input
            class="number"
            type="text"
            inputmode="decimal"
            name={name}
            value={refusedText ?? value?.replace('.', browse.wording.decimalSeparator) ?? ''}
            size={5}
            aria-invalid={refusedText === undefined ? undefined : 'true'}
            aria-describedby={refusedText === undefined ? undefined : 'refused'}
          />
        </label>
      );
  }
}

/** Shows the conditions that have no field in the form. Each has a link that removes the condition. */
export function ConditionChips({ browse }: { readonly browse: Browse }): Markup | null {
  const { conditions, context, wording } = browse;
  const search = writtenIn(context, 'search').trim();
  if (conditions.length === 0 && search === '') return null;
  const { texts } = wording;
  const written = conditions.map(({ text }) => text);
  const inForm = filtersInForm(browse);
  const isInForm = ({ choice }: Condition) => choice !== undefined && inForm.includes(choice.filter);
  return (
    <ul class="chips" aria-label={texts.filter}>
      {conditions.map((condition, index) =>
        isInForm(condition) ? null : (
          <Chip
            {...describeCondition(condition, wording)}
            href={filteredAddress(browse, written.toSpliced(index, 1))}
            remove={texts.remove}
          />
        ),
      )}
      <li>
        <a class="clear" href={filteredAddress(browse, [], { search: undefined })}>
          {texts.clear}
        </a>
      </li>
    </ul>
  );
}

/** Describes a condition: in words if it compares a field with a value, otherwise by its text. */
export function describeCondition({ text, choice, present, compared }: Condition, wording: Wording) {
  if (choice !== undefined) return { words: wordsOf(choice, wording) };
  if (present !== undefined) {
    return { words: fill(wording.texts.withValue, present.heading[wording.language]) };
  }
  const words = compared && describeComparison(compared, wording);
  return words === undefined ? { words: text, isCode: true } : { words };
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

/** An invalid text that was entered for a parameter of a list, and the problem with this text. */
export interface RefusedText {
  /** The name of the parameter: $filter, $orderby, search, or a field of the form. */
  readonly parameter: string;
  readonly text: string;
  /**
   * Position of the first wrong character, counted in code points from 1. undefined if the problem is not at a certain
   * place.
   */
  readonly position: number | undefined;
  /** The message about the problem, in the language of the reader. */
  readonly message: string;
  /** The other fields of a form that adds a condition. */
  readonly sent?: SentCondition | undefined;
}

interface RefusedNoteProps {
  readonly refused: RefusedText;
  readonly wording: Wording;
}

/** Shows the problem next to the text that was entered, and marks the wrong place in this text. */
export function RefusedNote({ refused, wording }: RefusedNoteProps): Markup {
  return (
    <div class="refused" id="refused" role="alert">
      <p>{refused.message}</p>
      <MarkedText refused={refused} wording={wording} />
    </div>
  );
}

/**
 * The entered text with the wrong place marked. If the wrong place is the end of the text, a blank after the text is
 * marked.
 */
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
