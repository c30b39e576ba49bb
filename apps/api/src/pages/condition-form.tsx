import { type Field, leavesOf } from '@takt/catalogue/resources';
import type { Markup } from '@takt/pages';
import { FORM_PARAMETER } from '@takt/query';
import type { Browse } from './browse.js';
import {
  CONDITION_FORM,
  FIELD,
  isOfConditionForm,
  OPERATOR,
  OPERATORS,
  VALUE,
} from './condition-operators.js';
import { RefusedNote, type RefusedText } from './filter-forms.js';
import { FIRST_PAGE, formAddress, HiddenInputs } from './own-links.js';
import type { Wording } from './words.js';

interface ConditionFormProps {
  readonly browse: Browse;
  readonly refused?: RefusedText | undefined;
}

/** A form that adds a condition to the filter: a field, an operator and a value. */
export function ConditionForm({ browse, refused }: ConditionFormProps): Markup {
  const { resource, context, wording } = browse;
  const { texts } = wording;
  const sent = refused?.sent;
  const isRefused = isOfConditionForm(refused?.parameter);
  return (
    <>
      <form class="condition" method="get" action={formAddress(context)}>
        <HiddenInputs context={context} changes={{ ...FIRST_PAGE, [FORM_PARAMETER]: CONDITION_FORM }} />
        <label>
          {texts.field}{' '}
          <select name={FIELD}>
            {leavesOf(resource.fields).flatMap(({ node, group }) => {
              if (node.kind !== 'field' || queryNameOf(node) === undefined) return [];
              const name = queryNameOf(node);
              return [
                <option value={name} selected={name === sent?.field}>
                  {nameOf(node, group?.heading, wording)}
                </option>,
              ];
            })}
          </select>
        </label>
        <select name={OPERATOR} aria-label={texts.comparison}>
          {Object.entries(OPERATORS).map(([name, { word }]) => (
            <option value={name} selected={name === sent?.operator}>
              {texts[word]}
            </option>
          ))}
        </select>
        <input
          type="text"
          name={VALUE}
          list="domain-values"
          aria-label={texts.value}
          value={isRefused ? refused?.text : undefined}
          aria-invalid={isRefused ? 'true' : undefined}
          aria-describedby={isRefused ? 'refused' : undefined}
        />
        <datalist id="domain-values">
          {describedValues(browse).map((described) => (
            <option value={described} />
          ))}
        </datalist>
        <button type="submit">{texts.addCondition}</button>
      </form>
      {isRefused && refused !== undefined && <RefusedNote refused={refused} wording={wording} />}
    </>
  );
}

const queryNameOf = ({ queryName, filterName }: Field): string | undefined => queryName ?? filterName;

/** The descriptions of all values of domains, which a person may enter in place of the keys. */
function describedValues({ resource, wording: { language } }: Browse): readonly string[] {
  const fields = leavesOf(resource.fields).flatMap(({ node }) =>
    node.kind === 'field' && queryNameOf(node) !== undefined ? [node] : [],
  );
  const values = fields.flatMap(({ domain }) => Object.values(domain?.values ?? {}));
  return [...new Set(values.map((words) => words[language]))];
}

const AMBIGUOUS_NAMES = ['Name', 'Status'];

/** The name of a field. A field called Name is named by its group too: the name of the product. */
function nameOf(field: Field, group: Field['heading'] | undefined, { language }: Wording): string {
  const around = AMBIGUOUS_NAMES.includes(field.name) && group !== undefined ? `${group[language]}: ` : '';
  const unit = field.unit === undefined ? '' : ` (${field.unit})`;
  return around + field.heading[language] + unit;
}
