export { type CatalogueRow, catalogueRows } from './catalogue-rows.js';
export { type ErrorCode, errorCatalogue } from './error-catalogue.js';
export type { ErrorDefinition, ErrorNamespace } from './error-definition.js';
export type { ErrorParameters } from './error-parameters.js';
export { findLanguage, type Language, languages, languageTags, type Translations } from './languages.js';
export { negotiateLanguage } from './negotiate-language.js';
export {
  describeError,
  type ErrorDescription,
  renderMessage,
  ServiceError,
  type ServiceErrorOptions,
} from './service-error.js';
export { type HttpStatus, statusDescriptions } from './status-descriptions.js';
