import { FILTER_FIELDS, type FilterField, type RejectionFilter } from '@takt/rejections';

/** The value that stands for a missing field in an address. */
export const NONE = '(none)';

/** The parameter of a form that names events one by one. Without it, no name means every event. */
export const ONLY_SELECTED = 'selected';

/** Maximum number of events that a form names one by one: those of a page. */
const MAX_IDS = 100;

/** Reads a filter from the parameters of an address or a form. */
export function readFilter(parameters: URLSearchParams): RejectionFilter {
  const fields = new Map<FilterField, string | null>();
  for (const field of FILTER_FIELDS) {
    const value = parameters.get(field) ?? '';
    if (value !== '') fields.set(field, value === NONE ? null : value);
  }
  const ids = parameters.getAll('event').flatMap((text) => readId(text) ?? []);
  const text = (parameters.get('text') ?? '').trim();
  return { fields, ...(text !== '' && { text }), ...(ids.length > 0 && { ids: ids.slice(0, MAX_IDS) }) };
}

/** Returns the query parameters of a filter. A field of `without` is left out, one of `instead` has another value. */
export function writeFilter(
  { fields = new Map(), text = '', ids = [] }: RejectionFilter,
  instead: Readonly<Partial<Record<FilterField | 'text', string | null>>> = {},
): URLSearchParams {
  const parameters = new URLSearchParams();
  const values: Readonly<Record<string, string | null>> = { ...Object.fromEntries(fields), text, ...instead };
  for (const [name, value] of Object.entries(values)) {
    if (value !== '') parameters.set(name, value ?? NONE);
  }
  for (const id of ids) parameters.append('event', String(id));
  return parameters;
}

export function isEmpty(filter: RejectionFilter): boolean {
  return writeFilter(filter).size === 0;
}

export function readId(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
