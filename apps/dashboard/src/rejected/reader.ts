import { ruleOf } from '@takt/events/internal';
import type { Rejection, RejectionProblem, RejectionReader } from '@takt/rejections';
import { translatedTexts } from '@takt/texts';
import { concealText, concealWords, HIDDEN_PATTERN, readableTypes, readsAllOf } from '../concealed.js';
import type { Person } from '../visit.js';
import type { Words } from '../words.js';

/** Returns what a person may see of rejected events: those of the person's companies, without hidden values. */
export function readerOf({ companies, hasAllCompanies, duties }: Person): RejectionReader {
  return {
    ...(!hasAllCompanies && { companies: [...companies] }),
    ...(!readsAllOf(undefined, duties) && {
      hidden: { readableTypes: readableTypes(duties), pattern: HIDDEN_PATTERN },
    }),
  };
}

/** Returns a rejected event with what the person may read of it, and with its reason in the language of the person. */
export function readable(person: Person, rejection: Rejection, words: Words): Rejection {
  const { type, source, eventId, company, data } = rejection;
  const name = (text: string | null) => (text === null ? null : concealWords(text, person.duties));
  return {
    ...rejection,
    type: name(type),
    source: name(source),
    eventId: name(eventId),
    company: name(company),
    reason: readableReason(person, rejection, words),
    data: data === '' ? '' : concealText(data, person.duties),
  };
}

/** Returns the reason of a rejection, without values of the event if the person may not read all of them. */
export function readableReason(
  person: Person,
  { type, data, reason, problems }: Pick<Rejection, 'type' | 'data' | 'reason' | 'problems'>,
  words: Words,
): string {
  const isWhole = readsWhole(person, type, data);
  if (problems === null) return isWhole ? reason : ruleOf(reason);
  return describeProblems(problems, words, isWhole);
}

/** Returns true if nothing of an event is hidden. An event without its text counts as one with hidden values. */
function readsWhole({ duties }: Person, type: string | null, data: string): boolean {
  if (readsAllOf(undefined, duties)) return true;
  return readsAllOf(type, duties) && data !== '' && concealWords(data, duties) === data;
}

/** Returns the broken rules in the language of the reader, with or without the values of the event. */
export function describeProblems(
  problems: readonly RejectionProblem[],
  words: Words,
  withValues: boolean,
): string {
  return problems
    .map(({ field, rule, got }) => {
      const found = typeof got === 'string' ? got : translatePhrase(got, words);
      const value = withValues ? ` ${words.say('gotValue', found)}` : '';
      return `${nameOfField(field, words)} ${translatePhrase(rule, words)}${value}`;
    })
    .join('; ');
}

/** Returns the path of a field, or the word for the event as a whole. */
export function nameOfField(field: string, words: Words): string {
  return field || translatePhrase({ phrase: 'event', values: [] }, words);
}

type Phrase = keyof (typeof translatedTexts)['nob']['phrases'];

export function translatePhrase(
  { phrase, values }: { readonly phrase: Phrase; readonly values: readonly string[] },
  { language }: Words,
): string {
  const text = language === 'eng' ? phrase : (translatedTexts[language].phrases[phrase] ?? phrase);
  return text.replaceAll(/\{(\d)\}/g, (place, index: string) => values[Number(index)] ?? place);
}
