import { excerpt, type ParsedQueryString, QueryOptionError, readBoolean } from '@takt/query';
import { findLanguage, type Language } from '@takt/texts';

export interface Parameters {
  /** Take the valid events although others are not. */
  readonly skipInvalid: boolean;
}

/** In lower case, with the names that errors call them by. */
const KNOWN: ReadonlyMap<string, string> = new Map([
  ['$access_token', '$access_token'],
  ['$accesstoken', '$access_token'],
  ['$lang', '$lang'],
  ['skipinvalid', 'skipInvalid'],
]);

/**
 * What POST /events is asked with: each parameter once, names in any case; an unknown one is ignored unless it begins with
 * `$`. Throws a QueryOptionError.
 */
export function readParameters({ parameters, problem }: ParsedQueryString): Parameters {
  if (problem !== undefined) throw problem;
  const given = new Map<string, string>();
  for (const { name, value } of parameters) {
    const parameter = KNOWN.get(name.toLowerCase());
    if (parameter === undefined) {
      if (!name.startsWith('$')) continue;
      const known = [...new Set(KNOWN.values())].join(', ');
      throw new QueryOptionError('unknownParameter', { parameter: excerpt(name), known });
    }
    if (given.has(parameter)) throw new QueryOptionError('repeatedParameter', { parameter });
    given.set(parameter, value);
  }
  const skipInvalid = given.get('skipInvalid');
  return { skipInvalid: skipInvalid !== undefined && readBoolean('skipInvalid', skipInvalid) };
}

/** Of `$lang`, whatever else is wrong; English where there is none. */
export function languageOf({ parameters }: ParsedQueryString): Language {
  return findLanguage(parameters.find(({ name }) => name.toLowerCase() === '$lang')?.value);
}

/** The first $access_token; undefined: there is none, or it is blank. */
export function accessTokenOf({ parameters }: ParsedQueryString): string | undefined {
  const given = parameters.find(({ name }) => KNOWN.get(name.toLowerCase()) === '$access_token')?.value;
  return given === undefined || given.trim() === '' ? undefined : given;
}
