import { inEveryLanguage, languages, type Translations } from '@takt/texts';
import { accessErrors } from './definitions/access.js';
import { intakeBodyErrors, intakeErrors } from './definitions/intake.js';
import { queryErrors } from './definitions/query.js';
import { resourceErrors } from './definitions/resource.js';
import { systemErrors } from './definitions/system.js';
import type {
  ErrorDefinition,
  ErrorEntry,
  ErrorNamespace,
  ErrorWords,
  HttpStatus,
} from './error-definition.js';

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

export const errorCatalogue = Object.fromEntries(
  codes.map((code) => [code, { ...definitions[code], texts: texts[code] }]),
) as { readonly [Code in ErrorCode]: (typeof definitions)[Code] & { readonly texts: Translations } };

type ParameterName<C extends ErrorCode> = (typeof errorCatalogue)[C]['parameters'][number];

/**
 * The type of an error's parameter. A parameter that states expected values, measures or rules contains phrases, which
 * exist in every language, and never plain text. A parameter that states what was found contains text from a client, or
 * a phrase if there is no such text. So a text that exists in only one language cannot get into an error.
 */
type ParameterValue<Name> = Name extends 'expected' | 'measure' | 'rule'
  ? ErrorWords
  : Name extends 'found' | 'field' | 'got'
    ? string | ErrorWords
    : string;

/** The parameters of an error, by name. The type is `{}` for an error without parameters. */
export type ErrorParameters<C extends ErrorCode> = [ParameterName<C>] extends [never]
  ? Readonly<Record<string, never>>
  : { readonly [Name in ParameterName<C>]: ParameterValue<Name> };

/** Keys of the domain ErrorMessage.Status. */
const STATUS = { active: '4', obsolete: '9' } as const;

/** The person who counts as the creator of all entries, because the entries come with the service. */
const CREATED_BY_PERSON_ID = 1;

interface CatalogueRow {
  readonly errorMessageId: number;
  readonly status: (typeof STATUS)[keyof typeof STATUS];
  readonly namespace: ErrorNamespace;
  readonly httpStatusCode: HttpStatus;
  /** The English text. Placeholders stand for the parameters. */
  readonly message: string;
  /** The codes of the languages, sorted and separated by commas without spaces. */
  readonly availableTranslations: string;
  readonly createdBy: typeof CREATED_BY_PERSON_ID;
  readonly technicalDescription: string;
  readonly translations: Translations;
}

/** All entries of the catalogue as rows, sorted by their identifiers. */
export function catalogueRows(): readonly CatalogueRow[] {
  const definitions = Object.values(errorCatalogue);
  const availableTranslations = languages.toSorted().join(',');
  return definitions
    .map(
      (definition: ErrorEntry): CatalogueRow => ({
        errorMessageId: definition.errorMessageId,
        status: definition.isObsolete ? STATUS.obsolete : STATUS.active,
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
