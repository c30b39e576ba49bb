import type { Markup } from '@takt/pages';
import { browsedField, type ListResource, type QuickFilter, quickFiltersOf } from '@takt/resources';
import type { Browse } from './browse.js';
import { joinConditions } from './conditions.js';
import { HiddenInputs } from './hidden-inputs.js';
import { type Changes, FIRST_PAGE, formAddress, parameterOf } from './own-links.js';
import { type Choice, choiceOf } from './quick-filter.js';
import { RefusedNote, type RefusedText } from './refused-text.js';

/** The parameter by which a form of a page is known; its value says which. The interface ignores it. */
export const FORM_PARAMETER = 'form';

/** Whether a parameter is a field of the form, by its name. */
export function isQuickFilter(resource: ListResource, name: string): boolean {
  return quickFiltersOf(resource).some(({ field }) => field === name);
}

interface QuickFilterFormProps {
  readonly browse: Browse;
  /** What was wrong with what was written, where that is why the form is shown. */
  readonly refused?: RefusedText | undefined;
}

/** Search words and the filters that need no expression, in plain fields; it keeps all other conditions. */
export function QuickFilterForm({ browse, refused }: QuickFilterFormProps): Markup | null {
  const { resource, context, conditions, wording } = browse;
  const filters = quickFiltersOf(resource).filter(({ kind }) => kind !== 'same');
  const takesSearch = resource.searched.length > 0;
  if (filters.length === 0 && !takesSearch) return null;
  const choices = conditions.map((condition) => choiceOf(resource, condition));
  const isAsked = (choice: Choice | undefined) => choice !== undefined && filters.includes(choice.filter);
  const kept = conditions.filter((_, index) => !isAsked(choices[index]));
  const changes: Changes = {
    ...FIRST_PAGE,
    $filter: joinConditions(kept) || undefined,
    [FORM_PARAMETER]: 'quick',
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
            value={parameterOf(context, 'search')?.value ?? ''}
          />
        </label>
      )}
      {filters.map((filter) => (
        <>
          <QuickFilterField
            browse={browse}
            filter={filter}
            value={choices.find((choice) => choice?.filter === filter)?.value}
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
  /** undefined: it was not chosen. */
  readonly value: string | undefined;
  /** What was written here and is none. */
  readonly refusedText: string | undefined;
}

function QuickFilterField({ browse, filter, value, refusedText }: QuickFilterFieldProps): Markup {
  const { language, texts } = browse.wording;
  const { kind, field: name } = filter;
  const title = filter.title[language];
  switch (kind) {
    case 'positive':
      return (
        <label class="check">
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
