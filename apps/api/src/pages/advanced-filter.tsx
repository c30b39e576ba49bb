import {
  filterFieldsOf,
  type Leaf,
  type ListResource,
  leavesOf,
  queryFieldsOf,
} from '@takt/catalogue/resources';
import { type Markup, PlainTable, ready, render } from '@takt/pages';
import { FORM_PARAMETER } from '@takt/query';
import type { Language } from '@takt/texts';
import type { Browse } from './browse.js';
import { RefusedNote, type RefusedText } from './filter-forms.js';
import { FIRST_PAGE, formAddress, HiddenInputs, parameterOf, writtenIn } from './own-links.js';

interface AdvancedFilterProps {
  readonly browse: Browse;
  /** The problem with the entered text. Set only if the form is shown again because of this problem. */
  readonly refused?: RefusedText | undefined;
}

/** A form in which experts type the filter as an expression. The form keeps all other parameters of the request. */
export function AdvancedFilter({ browse, refused }: AdvancedFilterProps): Markup | null {
  const { resource, context, wording } = browse;
  const { texts } = wording;
  if (filterFieldsOf(resource).size === 0) return null;
  const isRefused = refused?.parameter === '$filter';
  return (
    <details class="help" open={isRefused}>
      <summary>{texts.advanced}</summary>
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
      {filterHelpOf(browse)}
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

const filterHelps = new WeakMap<ListResource, Map<Language, Markup>>();

/**
 * The help about filters. It is cached for each resource and language, because it makes up a third of a page's
 * elements.
 */
function filterHelpOf({ resource, wording }: Browse): Markup {
  const ofResource = filterHelps.get(resource) ?? new Map<Language, Markup>();
  filterHelps.set(resource, ofResource);
  const known = ofResource.get(wording.language);
  if (known !== undefined) return known;
  const made = ready(render(<FilterHelp resource={resource} wording={wording} />));
  ofResource.set(wording.language, made);
  return made;
}

function FilterHelp({ resource, wording }: Pick<Browse, 'resource' | 'wording'>): Markup {
  const { texts } = wording;
  return (
    <>
      <p>{texts.filterHint}</p>
      <p>{texts.examples}</p>
      <ul>
        {examplesOf(resource).map((example) => (
          <li>
            <code>{example}</code>
          </li>
        ))}
      </ul>
      <PlainTable class="items" columns={[texts.field, texts.type, texts.meaning]}>
        {leavesOf(resource.fields).map((leaf) => (
          <HelpRow leaf={leaf} language={wording.language} />
        ))}
      </PlainTable>
    </>
  );
}

const AMBIGUOUS_NAMES = ['Name', 'Status'];

interface HelpRowProps {
  readonly leaf: Leaf;
  readonly language: Browse['wording']['language'];
}

/**
 * A row of the help about one field; null if the field cannot be used in a filter. A field called Name is described by
 * the title of its group: ProductName is the name of the Product.
 */
function HelpRow({ leaf: { node, group }, language }: HelpRowProps): Markup | null {
  if (node.kind !== 'field') return null;
  const queryName = node.queryName ?? node.filterName;
  if (queryName === undefined) return null;
  const named = AMBIGUOUS_NAMES.includes(node.name) ? group : undefined;
  return (
    <tr>
      <th scope="row">
        <code>{queryName}</code>
      </th>
      <td>{node.type}</td>
      <td>
        {named !== undefined && `${named.heading[language]}: `}
        {node.heading[language]}
        {node.unit !== undefined && <span class="unit"> {node.unit}</span>}
      </td>
    </tr>
  );
}
