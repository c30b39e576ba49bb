import type { IncomingHttpHeaders } from 'node:http';
import {
  findLanguage,
  type Language,
  languages,
  negotiateLanguage,
  type TimeUnit,
  timeUnits,
} from '@takt/texts';

const YEAR_S = 31_536_000;

/** A choice of a person that the browser keeps for all pages. */
interface Choice<Value extends string> {
  /** Returns the text if it is a value. */
  read(text: string | undefined): Value | undefined;
  /** Returns the value that was chosen in this browser; undefined if none was. */
  chosenIn(headers: IncomingHttpHeaders): Value | undefined;
  /**
   * Returns the Set-Cookie header that keeps a value.
   * @param baseUrl base URL of the session
   */
  keep(value: Value, baseUrl: string): string;
}

/** @param pattern regular expression for the possible values, which other texts are not */
function choiceOf<Value extends string>(cookie: string, pattern: string): Choice<Value> {
  const chosen = new RegExp(`(?:^|; *)${cookie}=(${pattern})(?:;|$)`);
  const whole = new RegExp(`^(?:${pattern})$`);
  return {
    read: (text) => (text !== undefined && whole.test(text) ? (text as Value) : undefined),
    chosenIn: (headers) => chosen.exec(headers.cookie ?? '')?.[1] as Value | undefined,
    keep: (value, baseUrl) =>
      `${cookie}=${value}; Path=${new URL(baseUrl).pathname}; Max-Age=${YEAR_S}; HttpOnly; SameSite=Lax`,
  };
}

export const languageChoice = choiceOf<Language>('takt_language', languages.join('|'));

export const timeUnitChoice = choiceOf<TimeUnit>('takt_unit', timeUnits.join('|'));

/** The company of the page that was shown last, by its code. */
export const companyChoice = choiceOf<string>('takt_company', '[A-Z0-9-]{1,20}');

/** Returns the language that was chosen in this browser, otherwise the language that the browser prefers. */
export function chosenLanguage(headers: IncomingHttpHeaders): Language {
  const chosen = languageChoice.chosenIn(headers);
  return chosen === undefined ? negotiateLanguage(headers['accept-language']) : findLanguage(chosen);
}
