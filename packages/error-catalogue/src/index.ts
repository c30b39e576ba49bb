export { type CatalogueRow, catalogueRows } from './catalogue-rows.js';
export { type Phrase, phrases } from './definitions/phrases.js';
export { type ErrorCode, type ErrorParameters, errorCatalogue } from './error-catalogue.js';
export {
  type ErrorDefinition,
  type ErrorNamespace,
  type HttpStatus,
  statusDescriptions,
} from './error-definition.js';
export type { ErrorValue, ErrorWord, ErrorWords } from './error-words.js';
export { findLanguage, type Language, languages, languageTags, type Translations } from './languages.js';
export { negotiateLanguage } from './negotiate-language.js';
export {
  describeError,
  type ErrorDescription,
  renderMessage,
  ServiceError,
  type ServiceErrorOptions,
} from './service-error.js';
