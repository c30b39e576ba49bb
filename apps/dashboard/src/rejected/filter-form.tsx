import type { Markup } from '@takt/pages';
import type { RejectionFacts } from '@takt/rejected-events';
import { type FilterField, filterValueOf, isEmpty, type RejectionFilter } from './filter.js';

const LABELS = { company: 'Company', queue: 'Queue', type: 'Type', source: 'Source' } as const;
/** Sources are as many as producers like. */
const MAX_CHOICES = 200;

interface FilterFormProps {
  readonly visible: readonly RejectionFacts[];
  readonly filter: RejectionFilter;
  readonly base: string;
}

export function FilterForm({ visible, filter, base }: FilterFormProps): Markup {
  const rule = filter.fields.get('rule');
  return (
    <search aria-label="Rejected events">
      <form class="filter" method="get" action={`${base}/rejected`}>
        {(['company', 'queue', 'type', 'source'] as const).map((field) => (
          <Choice field={field} visible={visible} filter={filter} />
        ))}
        <label class="wide">
          Text{' '}
          <input
            type="search"
            name="text"
            value={filter.text}
            placeholder="in reason, ids and payload"
            maxlength={200}
            spellcheck={false}
          />
        </label>
        {rule !== undefined && <input type="hidden" name="rule" value={rule} />}
        <button type="submit">Apply</button>
        {!isEmpty(filter) && (
          <>
            {' '}
            <a href={`${base}/rejected`}>Clear</a>
          </>
        )}
      </form>
    </search>
  );
}

interface ChoiceProps extends Pick<FilterFormProps, 'visible' | 'filter'> {
  readonly field: keyof typeof LABELS;
}

function Choice({ field, visible, filter }: ChoiceProps): Markup {
  return (
    <label>
      {LABELS[field]}{' '}
      <select name={field}>
        <option value="">any</option>
        {choicesOf(field, visible, filter).map((value) => (
          <option value={value} selected={value === filter.fields.get(field)}>
            {value}
          </option>
        ))}
      </select>
    </label>
  );
}

/** What there is to choose among, and what is chosen. */
function choicesOf(
  field: FilterField,
  visible: readonly RejectionFacts[],
  filter: RejectionFilter,
): readonly string[] {
  const values = [...new Set(visible.map((event) => filterValueOf(event, field)))]
    .sort()
    .slice(0, MAX_CHOICES);
  const current = filter.fields.get(field);
  return current === undefined || values.includes(current) ? values : [...values, current];
}
