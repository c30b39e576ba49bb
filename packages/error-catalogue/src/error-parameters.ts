import type { ErrorCode, errorCatalogue } from './error-catalogue.js';

/** The names of the parameters of an error; of several errors the names of all. */
type ParameterName<C extends ErrorCode> = (typeof errorCatalogue)[C]['parameters'][number];

/** The parameters of an error by name. Where an error has none, nothing but `{}` fits. */
export type ErrorParameters<C extends ErrorCode> = [ParameterName<C>] extends [never]
  ? Readonly<Record<string, never>>
  : { readonly [Name in ParameterName<C>]: string };
