import { describeError, type ErrorEntry, errorCatalogue, ServiceError } from '@takt/catalogue/errors';
import {
  browsedField,
  isOfComparison,
  type ListResource,
  newestOf,
  type QuickFilter,
  quickFiltersOf,
  type ResourceFamily,
  SUMMARY,
  viewsOf,
} from '@takt/catalogue/resources';
import {
  canonicalName,
  excerpt,
  FORM_PARAMETER,
  type QueryOptions,
  type QueryParameter,
  withPlainNumbers,
} from '@takt/query';
import { type Language, languageSettings } from '@takt/texts';
import type { WritingContext } from '../representations/writer.js';
import {
  browseOf,
  conditionOf,
  conditionsBesides,
  joinConditions,
  orderTextOf,
  readConditions,
  tickOf,
} from './browse.js';
import { readColumnsForm } from './column-choice.js';
import { readConditionForm, readNumber, type SentCondition, VALUE } from './condition-operators.js';
import type { RefusedText } from './filter-forms.js';
import { changedParameters, FIRST_PAGE, writtenIn } from './own-links.js';
import { withoutComparison } from './period.js';

interface FaultyField {
  readonly parameter: QueryParameter;
  readonly error: ServiceError;
  /** The whole form, if it is the one that adds a condition. */
  readonly sent?: SentCondition;
}

interface PageForm {
  readonly parameters: readonly QueryParameter[];
  /** The first field for a number whose entry is not a number, and why. This entry does not become a parameter. */
  readonly faulty: FaultyField | undefined;
}

/**
 * Turns a form that was sent into parameters of the API. The fields of the form become conditions of `$filter`, and
 * numbers are read in the way of the language. The address with these parameters can be kept and shared. Returns
 * undefined if the request contains no form.
 */
export function readPageForm(
  family: ResourceFamily,
  parameters: readonly QueryParameter[],
  language: Language,
): PageForm | undefined {
  const resource = newestOf(family);
  const isForm = parameters.some(({ name }) => name === FORM_PARAMETER);
  if (!isForm) return undefined;
  const isFilled = ({ name, value }: QueryParameter) => name !== FORM_PARAMETER && value.trim() !== '';
  if (resource.kind !== 'list') return { parameters: parameters.filter(isFilled), faulty: undefined };
  const columns = readColumnsForm(resource, parameters);
  if (columns !== undefined) return { parameters: columns.filter(isFilled), faulty: undefined };
  const filters = quickFiltersOf(resource);
  const built = readConditionForm(resource, parameters, language);
  let faulty =
    built?.condition instanceof ServiceError
      ? { parameter: { name: VALUE, value: built.sent.value }, error: built.condition, sent: built.sent }
      : (undefined as FaultyField | undefined);
  const sent = built?.others ?? parameters;
  const chosen = sent.flatMap(({ name, value }) => {
    const filter = filters.find(({ field }) => field === name);
    if (filter === undefined || value.trim() === '') return [];
    const condition = chosenCondition(resource, filter, value, language);
    if (typeof condition === 'string') return [condition];
    faulty ??= { parameter: { name, value }, error: condition };
    return [];
  });
  const written = withPlainNumbers(parameters.find(isFilter)?.value ?? '', languageSettings[language]);
  // A filter that was typed is kept even if it is invalid, so that the error page can show it.
  const conditions = readConditions(resource, written).map(({ text }) => text);
  const added = typeof built?.condition === 'string' ? [...chosen, built.condition] : chosen;
  const value = added.length === 0 ? written : joinConditions([...new Set([...conditions, ...added])]);
  const others = sent.filter(
    (parameter) =>
      !isFilter(parameter) && !filters.some(({ field }) => field === parameter.name) && isFilled(parameter),
  );
  const requested = [...(value === '' ? [] : [{ name: '$filter', value }]), ...others];
  return { parameters: withoutUnknown(resource, requested), faulty };
}

/**
 * If the form sets no second period, removes the filters and orders that use fields of the second period, because the
 * list then does not have these fields.
 */
function withoutUnknown(
  resource: ListResource,
  parameters: readonly QueryParameter[],
): readonly QueryParameter[] {
  if (parameters.some(({ name }) => isOfComparison(name))) return parameters;
  const changes = withoutComparison(resource, parameters);
  return parameters.flatMap((parameter) => {
    const name = canonicalName(parameter.name);
    if (!Object.hasOwn(changes, name)) return [parameter];
    const value = changes[name];
    return value === undefined ? [] : [{ ...parameter, value }];
  });
}

const isFilter = ({ name }: QueryParameter) => canonicalName(name) === '$filter';

/**
 * The condition of a quick filter for the entered value. Returns an error if the filter needs a number, and the entry is
 * not one or can mean two.
 */
function chosenCondition(
  resource: ListResource,
  filter: QuickFilter,
  written: string,
  language: Language,
): string | ServiceError {
  const field = browsedField(resource, filter.field);
  const isNumber = field?.type === 'integer' || field?.type === 'decimal';
  const value = isNumber ? readNumber(written, language) : written;
  if (field === undefined) return new ServiceError('noNumber', { value: excerpt(written) });
  return typeof value === 'string' ? conditionOf({ filter, field, value }) : value;
}

/** The number of rows on a page for people, unless the request sets another. */
const ROWS = 20;

/**
 * The options with which a page for people is read. Unless the request says otherwise, it has more rows than an answer
 * for programs, and it includes the number of rows and the totals.
 */
export function optionsForPeople(
  options: QueryOptions,
  { maximumPageSize, totals }: ListResource,
  parameters: readonly QueryParameter[],
): QueryOptions {
  const names = parameters.map(({ name }) => canonicalName(name));
  const countAll = names.includes('$inlinecount') ? options.countAll : true;
  return {
    ...options,
    top: names.includes('$top') ? options.top : Math.min(ROWS, maximumPageSize),
    countAll,
    expand:
      countAll && totals !== undefined ? [...options.expand, { name: SUMMARY, position: 0 }] : options.expand,
  };
}

/**
 * The parameters that request all rows matching a filter, with their number and totals, in the order of the list's
 * first view.
 */
export function openedParameters(resource: ListResource, filter: string): readonly QueryParameter[] {
  const [view] = viewsOf(resource);
  return [
    { name: '$filter', value: filter },
    ...(view === undefined ? [] : [{ name: '$orderby', value: orderTextOf(view) }]),
    { name: '$top', value: '$max' },
    { name: '$inlinecount', value: 'allpages' },
    ...(resource.totals === undefined ? [] : [{ name: '$expand', value: SUMMARY }]),
  ];
}

/** The parameters that count the rows without the ticked filter. Returns undefined if no filter is ticked. */
export function parametersWithoutTick(
  resource: ListResource,
  context: WritingContext,
): readonly QueryParameter[] | undefined {
  const browse = browseOf(resource, context);
  const tick = tickOf(browse);
  if (tick === undefined) return undefined;
  return countedBy(
    context,
    browse.conditions.filter((other) => other !== tick).map(({ text }) => text),
  );
}

/**
 * The parameters that count the rows in the other part of the view. Returns undefined if the view has no other part.
 */
export function parametersBesides(
  resource: ListResource,
  context: WritingContext,
): readonly QueryParameter[] | undefined {
  const conditions = conditionsBesides(browseOf(resource, context));
  return conditions && countedBy(context, conditions);
}

function countedBy(context: WritingContext, conditions: readonly string[]): readonly QueryParameter[] {
  const $filter = joinConditions(conditions) || undefined;
  return changedParameters(context, { ...FIRST_PAGE, $filter, $top: '1', $inlinecount: 'allpages' });
}

/** The parameters whose text people type themselves. */
const WRITTEN = ['$filter', '$orderby', 'search'];

/**
 * Describes a problem with a text that was entered on the page of a list. A timeout is described in the same way.
 * Returns undefined for any other error.
 * @param faulty the field of the form to which the error refers
 */
export function refusedText(
  error: ServiceError,
  context: WritingContext,
  faulty?: Pick<FaultyField, 'parameter' | 'sent'>,
): RefusedText | undefined {
  const message = describeError(error, context.language).translatedMessage;
  if (faulty !== undefined) {
    const { parameter, sent } = faulty;
    return { parameter: parameter.name, text: parameter.value, sent, position: undefined, message };
  }
  const { status, parameters: names }: ErrorEntry = errorCatalogue[error.code];
  const textOf = (name: string) => {
    const value = error.parameters[names.indexOf(name)];
    return typeof value === 'string' ? value : undefined;
  };
  // All entries together cause a timeout. It is shown at the first entry.
  const parameter =
    error.code === 'queryTooSlow'
      ? WRITTEN.find((name) => writtenIn(context, name) !== '')
      : WRITTEN.find((name) => status === 400 && name === textOf('parameter'));
  if (parameter === undefined) return undefined;
  const position = Number(textOf('position'));
  return {
    parameter,
    text: writtenIn(context, parameter),
    position: Number.isSafeInteger(position) ? position : undefined,
    message,
  };
}
