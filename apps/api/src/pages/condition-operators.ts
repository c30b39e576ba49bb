import { ServiceError } from '@takt/catalogue/errors';
import { type Field, filterFieldsOf, type ListResource } from '@takt/catalogue/resources';
import { excerpt, FORM_PARAMETER, type QueryParameter, readTypedNumber } from '@takt/query';
import { type Language, languageSettings } from '@takt/texts';
import type { Condition } from './browse.js';
import type { Wording } from './words.js';

/** The value of the form parameter by which this form is known. */
export const CONDITION_FORM = 'condition';
/** The names of the form's fields. No resource has a parameter of such a name. */
export const [FIELD, OPERATOR, VALUE] = ['conditionField', 'conditionOperator', 'conditionValue'] as const;

interface ConditionOperator {
  readonly word:
    | 'is'
    | 'isNot'
    | 'isMoreThan'
    | 'atLeast'
    | 'lessThan'
    | 'atMost'
    | 'contains'
    | 'beginsWith'
    | 'missing'
    | 'present';
  readonly takesNoValue?: boolean;
  /** Writes the condition. A condition without a value gets an empty literal. */
  readonly write: (name: string, literal: string) => string;
}

const infix = (operator: string) => (name: string, literal: string) => `${name} ${operator} ${literal}`;

/** The operators of the form, by their names in its addresses. */
export const OPERATORS: Readonly<Record<string, ConditionOperator>> = {
  eq: { word: 'is', write: infix('eq') },
  ne: { word: 'isNot', write: infix('ne') },
  gt: { word: 'isMoreThan', write: infix('gt') },
  ge: { word: 'atLeast', write: infix('ge') },
  lt: { word: 'lessThan', write: infix('lt') },
  le: { word: 'atMost', write: infix('le') },
  contains: { word: 'contains', write: (name, literal) => `contains(${name}, ${literal})` },
  startswith: { word: 'beginsWith', write: (name, literal) => `startswith(${name}, ${literal})` },
  missing: { word: 'missing', takesNoValue: true, write: (name) => `${name} eq null` },
  present: { word: 'present', takesNoValue: true, write: (name) => `${name} ne null` },
};

/** True if a refused parameter is the value of this form. */
export const isOfConditionForm = (parameter: string | undefined): boolean => parameter === VALUE;

/** A form that adds a condition, as it was sent. */
export interface SentCondition {
  readonly field: string;
  readonly operator: string;
  readonly value: string;
}

interface ReadCondition {
  readonly sent: SentCondition;
  /** The expression of `$filter`, or why it cannot be made. undefined if no field or no value was chosen. */
  readonly condition: string | ServiceError | undefined;
  /** The parameters that are not fields of the form. */
  readonly others: readonly QueryParameter[];
}

/** Reads the form that adds a condition. Returns undefined if the parameters are of another form. */
export function readConditionForm(
  resource: ListResource,
  parameters: readonly QueryParameter[],
  language: Language,
): ReadCondition | undefined {
  const isOfForm = ({ name, value }: QueryParameter) => name === FORM_PARAMETER && value === CONDITION_FORM;
  if (!parameters.some(isOfForm)) return undefined;
  const given = (wanted: string) => parameters.find(({ name }) => name === wanted)?.value.trim() ?? '';
  const others = parameters.filter(({ name }) => name !== FIELD && name !== OPERATOR && name !== VALUE);
  const sent = { field: given(FIELD), operator: given(OPERATOR), value: given(VALUE) };
  return { sent, condition: conditionOfForm(resource, sent, language), others };
}

function conditionOfForm(
  resource: ListResource,
  { field: name, operator, value }: SentCondition,
  language: Language,
): string | ServiceError | undefined {
  const field = filterFieldsOf(resource).get(name.toLowerCase());
  const known = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
  if (field === undefined || known === undefined) return undefined;
  if (known.takesNoValue === true) return known.write(name, '');
  if (value === '') return undefined;
  const literal = literalOf(field, value, operator, language);
  return typeof literal === 'string' ? known.write(name, literal) : literal;
}

/** The operators that compare with a whole value of a domain. */
const TAKES_WHOLE = ['eq', 'ne'];

/** Writes a value as a literal of its field. A key of a domain may be given by its description. */
function literalOf(field: Field, value: string, operator: string, language: Language): string | ServiceError {
  const known = Object.entries(field.domain?.values ?? {});
  const isMeant = (text: string) => text.toLowerCase() === value.toLowerCase();
  const [meant] = known.filter(([key, words]) => isMeant(words[language]) || isMeant(key));
  if (meant === undefined && field.domain?.isComputed === true && TAKES_WHOLE.includes(operator)) {
    const values = known.map(([, words]) => words[language]).join(', ');
    return new ServiceError('unknownValue', { value: excerpt(value), known: values });
  }
  const written = meant?.[0] ?? value;
  if (field.type === 'boolean') return written;
  if (field.type !== 'integer' && field.type !== 'decimal') return `'${written.replaceAll("'", "''")}'`;
  const [, sign = '', digits = ''] = /^([-\u2212]?)(.*)$/su.exec(written) ?? [];
  const number = readNumber(digits, language);
  return typeof number === 'string' && sign !== '' ? `-${number}` : number;
}

/** Reads a number that a person typed. Returns an error if it is none, or can mean two. */
export function readNumber(written: string, language: Language): string | ServiceError {
  const style = languageSettings[language];
  const number = readTypedNumber(written, style);
  if (number === undefined) return new ServiceError('noNumber', { value: excerpt(written) });
  if ('value' in number) return number.value;
  const [one, other] = number.readings.map((text) => text.replace('.', style.decimalSeparator));
  return new ServiceError('ambiguousNumber', { value: excerpt(written), one: one ?? '', other: other ?? '' });
}

/** Describes a condition that compares a field with a value. Returns undefined if the form has no such operator. */
export function describeComparison(
  { field, operator, value }: NonNullable<Condition['compared']>,
  wording: Wording,
): string | undefined {
  const known = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
  if (known === undefined) return undefined;
  const isNumber = field.domain === undefined && (field.type === 'integer' || field.type === 'decimal');
  const shown =
    field.domain?.values[value]?.[wording.language] ??
    (isNumber && value !== '' ? value.replace('.', wording.decimalSeparator) : value);
  const unit = field.unit === undefined || value === '' ? '' : ` ${field.unit}`;
  return `${field.heading[wording.language]} ${wording.texts[known.word]} ${shown}${unit}`.trim();
}
