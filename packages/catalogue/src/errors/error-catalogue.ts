import { inEveryLanguage, languages, type Translations } from '@takt/texts';
import { accessErrors } from './definitions/access.js';
import { intakeBodyErrors, intakeErrors } from './definitions/intake.js';
import { queryErrors } from './definitions/query.js';
import { resourceErrors } from './definitions/resource.js';
import { systemErrors } from './definitions/system.js';
import type { ErrorDefinition, ErrorNamespace, ErrorWords, HttpStatus } from './error-definition.js';

const definitions = {
  ...systemErrors,
  ...accessErrors,
  ...queryErrors,
  ...resourceErrors,
  ...intakeErrors,
  ...intakeBodyErrors,
} satisfies Readonly<Record<string, ErrorDefinition>>;

export type ErrorCode = keyof typeof definitions;

const codes = Object.keys(definitions) as readonly ErrorCode[];
const texts = inEveryLanguage(
  'errors',
  Object.fromEntries(codes.map((code) => [code, definitions[code].text])) as Record<ErrorCode, string>,
);

/** Every error that the service can answer with, by the code that raises it, with its text in every language. */
export const errorCatalogue = Object.fromEntries(
  codes.map((code) => [code, { ...definitions[code], texts: texts[code] }]),
) as { readonly [Code in ErrorCode]: (typeof definitions)[Code] & { readonly texts: Translations } };

/** The names of the parameters of an error; of several errors the names of all. */
type ParameterName<C extends ErrorCode> = (typeof errorCatalogue)[C]['parameters'][number];

/**
 * What an error expected, or measured, is told in words that every language has, never in a text; what it found, and
 * where, is what a client wrote, or words where that is nothing. So there is no place for prose of one language.
 */
type ParameterValue<Name> = Name extends 'expected' | 'measure' | 'rule'
  ? ErrorWords
  : Name extends 'found' | 'field' | 'got'
    ? string | ErrorWords
    : string;

/** The parameters of an error by name. Where an error has none, nothing but `{}` fits. */
export type ErrorParameters<C extends ErrorCode> = [ParameterName<C>] extends [never]
  ? Readonly<Record<string, never>>
  : { readonly [Name in ParameterName<C>]: ParameterValue<Name> };

/** Key of the domain value "active": what is in the catalogue is in use. */
const STATUS_ACTIVE = '4';

/** The person that entries are ascribed to: they come with the service, nobody wrote them in it. */
const CREATED_BY_PERSON_ID = 1;

/** An entry as a row of the error message resource. */
interface CatalogueRow {
  readonly errorMessageId: number;
  /** Key of the domain value ErrorMessage.Status. */
  readonly status: typeof STATUS_ACTIVE;
  readonly namespace: ErrorNamespace;
  readonly httpStatusCode: HttpStatus;
  /** The English text with its placeholders. */
  readonly message: string;
  /** Language codes in alphabetical order between commas, without spaces. */
  readonly availableTranslations: string;
  readonly createdBy: typeof CREATED_BY_PERSON_ID;
  readonly technicalDescription: string;
  readonly translations: Translations;
}

/** All entries as rows, in ascending order of their identifier. */
export function catalogueRows(): readonly CatalogueRow[] {
  const definitions = Object.values(errorCatalogue);
  const availableTranslations = languages.toSorted().join(',');
  return definitions
    .map(
      (definition): CatalogueRow => ({
        errorMessageId: definition.errorMessageId,
        status: STATUS_ACTIVE,
        namespace: definition.namespace,
        httpStatusCode: definition.status,
        message: definition.text,
        availableTranslations,
        createdBy: CREATED_BY_PERSON_ID,
        technicalDescription: definition.technicalDescription,
        translations: definition.texts,
      }),
    )
    .sort((one, other) => one.errorMessageId - other.errorMessageId);
}
