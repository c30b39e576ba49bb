import type { IncomingHttpHeaders } from 'node:http';
import { findLanguage, type Language, languages, negotiateLanguage } from '@takt/texts';

const YEAR_S = 31_536_000;

/** A choice of a person that the browser keeps for all pages. */
interface Choice<Value extends string> {
  readonly values: readonly Value[];
  /** Returns the value that was chosen in this browser; undefined if none was. */
  chosenIn(headers: IncomingHttpHeaders): Value | undefined;
  /**
   * Returns the Set-Cookie header that keeps a value.
   * @param baseUrl base URL of the session
   */
  keep(value: Value, baseUrl: string): string;
}

function choiceOf<Value extends string>(cookie: string, values: readonly Value[]): Choice<Value> {
  const chosen = new RegExp(`(?:^|; *)${cookie}=(${values.join('|')})(?:;|$)`);
  return {
    values,
    chosenIn: (headers) => {
      const [, value] = chosen.exec(headers.cookie ?? '') ?? [];
      return values.find((one) => one === value);
    },
    keep: (value, baseUrl) =>
      `${cookie}=${value}; Path=${new URL(baseUrl).pathname}; Max-Age=${YEAR_S}; HttpOnly; SameSite=Lax`,
  };
}

export const languageChoice = choiceOf('takt_language', languages);

/** The units in which pages show the time of an operation. Sums of many operations are always in hours. */
export const timeUnits = ['h', 'min', 'h:mm'] as const;
export type TimeUnit = (typeof timeUnits)[number];

export const timeUnitChoice = choiceOf('takt_unit', timeUnits);

/** Returns the language that was chosen in this browser, otherwise the language that the browser prefers. */
export function chosenLanguage(headers: IncomingHttpHeaders): Language {
  const chosen = languageChoice.chosenIn(headers);
  return chosen === undefined ? negotiateLanguage(headers['accept-language']) : findLanguage(chosen);
}
