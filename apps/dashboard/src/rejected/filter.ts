import type { RejectionFacts } from '@takt/database/rejected-events';

const FIELDS = ['rule', 'queue', 'source', 'type', 'company'] as const;
export type FilterField = (typeof FIELDS)[number];

/**
 * A filter that selects rejected events. A field that is absent does not restrict the events. A field with empty text
 * selects the events that lack this field.
 */
export interface RejectionFilter {
  readonly fields: ReadonlyMap<FilterField, string>;
  /** The text to search for, in lower case. */
  readonly text: string;
}

/** The value that stands for a missing field in an address. */
export const NONE = '(none)';

/** Reads a filter from the parameters of an address or a form. */
export function readFilter(parameters: URLSearchParams): RejectionFilter {
  const fields = FIELDS.flatMap((field) => {
    const value = parameters.get(field);
    return value === null || value === '' ? [] : [[field, value] as const];
  });
  return { fields: new Map(fields), text: (parameters.get('text') ?? '').trim().toLowerCase() };
}

/** Returns the query parameters of a filter with some of them changed. The value undefined removes a parameter. */
export function writeFilter(
  { fields, text }: RejectionFilter,
  changes: Readonly<Partial<Record<FilterField | 'text' | 'page', string | undefined>>> = {},
): URLSearchParams {
  const values = { ...Object.fromEntries(fields), text, ...changes };
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== '') parameters.set(name, value);
  }
  return parameters;
}

export function isEmpty({ fields, text }: RejectionFilter): boolean {
  return fields.size === 0 && text === '';
}

export function meets(event: RejectionFacts, { fields, text }: RejectionFilter): boolean {
  for (const [field, value] of fields) {
    if (filterValueOf(event, field) !== value) return false;
  }
  return text === '' || event.searched.includes(text);
}

export function filterValueOf(event: RejectionFacts, field: FilterField): string {
  const value = event[field];
  return value === null || value === '' ? NONE : value;
}

export interface RuleGroup {
  readonly rule: string;
  readonly count: number;
  readonly lastAtMs: number;
}

/**
 * Groups events by the rule that they broke. The rule with the most events comes first.
 * @param events the events, newest first
 */
export function groupByRule(events: readonly RejectionFacts[]): readonly RuleGroup[] {
  const groups = new Map<string, { count: number; readonly lastAtMs: number }>();
  for (const { rule, rejectedAtMs } of events) {
    const group = groups.get(rule);
    if (group === undefined) {
      groups.set(rule, { count: 1, lastAtMs: rejectedAtMs });
    } else {
      group.count += 1;
    }
  }
  return [...groups]
    .map(([rule, group]) => ({ rule: rule || NONE, ...group }))
    .sort((one, other) => other.count - one.count || (one.rule < other.rule ? -1 : 1));
}
