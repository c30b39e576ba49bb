export { type BatchAnswers, type BatchRequest, listOf, objectOf } from './batch.js';
export {
  type AbortedFailure,
  type ApiFailure,
  type Failure,
  type NetworkFailure,
  type NotJsonFailure,
  orThrow,
  type Result,
  TaktError,
  type TimeoutFailure,
  type TokenFailure,
} from './failure.js';
export { Filter, type FilterValue, filter } from './filter.js';
export { type ClientOptions, openClient, type TaktClient } from './open-client.js';
export type {
  DetailOptions,
  DetailPath,
  DownloadOptions,
  ListOptions,
  ListPath,
  PathParameters,
  Selected,
  SelectName,
} from './options.js';
export type { DetailResult, Download, ListResult, Page } from './read-documents.js';
export type * from './resources.js';
export type { RetryPolicy } from './retry.js';
