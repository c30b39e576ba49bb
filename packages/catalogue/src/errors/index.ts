export {
  catalogueRows,
  type ErrorCode,
  type ErrorParameters,
  errorCatalogue,
} from './error-catalogue.js';
export type { ErrorValue, ErrorWord, Phrase } from './error-definition.js';
export {
  type ErrorEntry,
  type HttpStatus,
  statusDescriptions,
} from './error-definition.js';
export {
  describeError,
  type ErrorDescription,
  renderMessage,
  ServiceError,
} from './service-error.js';
