import type { Translations } from '@takt/texts';

/** The only HTTP statuses that the service answers a failed request with. */
export type HttpStatus = 400 | 403 | 404 | 500;

/** The one-word description of each status, served as `hTTPStatusDescription`. */
export const statusDescriptions: Readonly<Record<HttpStatus, string>> = {
  400: 'BadRequest',
  403: 'Forbidden',
  404: 'NotFound',
  500: 'InternalServerError',
};

/** Groups errors by what they are about; served, and used for nothing but grouping. */
export type ErrorNamespace = 'system' | 'access' | 'query' | 'resource' | 'intake';

/** Everything there is to know about one error. */
export interface ErrorDefinition {
  /** Unique and never reused: clients compare it, and it addresses the error message resource. */
  readonly errorMessageId: number;
  readonly status: HttpStatus;
  readonly namespace: ErrorNamespace;
  /** The names of the parameters, in the order of the placeholders {0}, {1}, ... */
  readonly parameters: readonly string[];
  /** For integrators, in English: when the error is raised, and what to do about it. */
  readonly technicalDescription: string;
  /** What a person reads, in English: the parameter, field or value at fault and what to do next. */
  readonly text: string;
  /** Value of the Retry-After header, where waiting helps. */
  readonly retryAfterSeconds?: number;
  /** Value of the WWW-Authenticate header, where another token helps. */
  readonly wwwAuthenticate?: string;
}

/** A definition with its text in every language. */
export interface ErrorEntry extends ErrorDefinition {
  readonly texts: Translations;
}

/** The definitions of one namespace, by code. */
export type ErrorDefinitions<N extends ErrorNamespace> = Readonly<
  Record<string, ErrorDefinition & { readonly namespace: N }>
>;
