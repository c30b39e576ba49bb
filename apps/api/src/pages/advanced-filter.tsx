import { filterFieldsOf, type ListResource, queryFieldsOf } from '@takt/catalogue/resources';
import type { Markup } from '@takt/pages';
import { FORM_PARAMETER } from '@takt/query';
import type { Browse } from './browse.js';
import { ConditionForm } from './condition-form.js';
import { isOfConditionForm } from './condition-operators.js';
import { RefusedNote, type RefusedText } from './filter-forms.js';
import {
  documentAddress,
  FIRST_PAGE,
  formAddress,
  HiddenInputs,
  parameterOf,
  writtenIn,
} from './own-links.js';

interface AdvancedFilterProps {
  readonly browse: Browse;
  /** The problem with the entered text. Set only if the form is shown again because of this problem. */
  readonly refused?: RefusedText | undefined;
}

/**
 * Forms that add a condition to the filter, and in which experts type the filter as an expression. They keep all other
 * parameters of the request.
 */
export function AdvancedFilter({ browse, refused }: AdvancedFilterProps): Markup | null {
  const { resource, context, wording } = browse;
  const { texts } = wording;
  if (filterFieldsOf(resource).size === 0) return null;
  const isRefused = refused?.parameter === '$filter';
  return (
    <details class="help" open={isRefused || isOfConditionForm(refused?.parameter)}>
      <summary>{texts.advanced}</summary>
      <ConditionForm browse={browse} refused={refused} />
      <form class="filter" method="get" action={formAddress(context)}>
        <HiddenInputs
          context={context}
          changes={{ ...FIRST_PAGE, $filter: undefined, [FORM_PARAMETER]: 'advanced' }}
        />
        <label class="wide">
          {texts.filter}{' '}
          <input
            type="text"
            name={parameterOf(context, '$filter')?.name ?? '$filter'}
            value={writtenIn(context, '$filter')}
            placeholder={examplesOf(resource)[0]}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            aria-invalid={isRefused ? 'true' : undefined}
            aria-describedby={isRefused ? 'refused' : undefined}
          />
        </label>
        <button type="submit">{texts.apply}</button>
      </form>
      {isRefused && <RefusedNote refused={refused} wording={wording} />}
      <FilterHelp {...browse} />
    </details>
  );
}

function examplesOf(resource: ListResource): readonly string[] {
  const fields = [...queryFieldsOf(resource).values()];
  const compared = resource.comparisons.flatMap(({ average, planned }) =>
    average === undefined || planned === undefined ? [] : `${average.queryName} gt ${planned.queryName}`,
  );
  const texts = fields.filter(({ type, domain }) => type === 'text' && domain === undefined);
  const integers = fields.filter(({ type }) => type === 'integer');
  return [
    ...compared.slice(0, 1),
    ...texts.slice(-1).map(({ queryName }) => `contains(${queryName}, 'a')`),
    ...integers.slice(-1).map(({ queryName }) => `${queryName} ge 100`),
  ];
}

/** How an expression is written. The documentation of the resource has all its fields. */
function FilterHelp({ resource, wording, context }: Browse): Markup {
  const { texts } = wording;
  return (
    <p>
      {texts.filterHint} {texts.examples}:{' '}
      {examplesOf(resource).flatMap((example, index) => [index === 0 ? '' : ', ', <code>{example}</code>])}.{' '}
      <a href={documentAddress(context, `${context.baseUrl}/docs/resources/${resource.identifier}`)}>
        {texts.allFields}
      </a>
    </p>
  );
}
