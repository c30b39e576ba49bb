import { languages, type Translations } from '@takt/texts';
import { errorCatalogue } from './error-catalogue.js';
import type { ErrorNamespace, HttpStatus } from './error-definition.js';

/** Key of the domain value "active": what is in the catalogue is in use. */
const STATUS_ACTIVE = '4';

/** The person that entries are ascribed to: they come with the service, nobody wrote them in it. */
const CREATED_BY_PERSON_ID = 1;

/** An entry as a row of the error message resource. */
export interface CatalogueRow {
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
