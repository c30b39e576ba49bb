export {
  type CatalogueRow,
  catalogueRows,
  type ErrorCode,
  type ErrorParameters,
  errorCatalogue,
} from './error-catalogue.js';
export type { ErrorValue, ErrorWord, ErrorWords, Phrase } from './error-definition.js';
export {
  type ErrorEntry,
  type ErrorNamespace,
  type HttpStatus,
  statusDescriptions,
} from './error-definition.js';
export {
  describeError,
  type ErrorDescription,
  renderMessage,
  ServiceError,
  type ServiceErrorOptions,
} from './service-error.js';
