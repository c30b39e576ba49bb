import { createRequire } from 'node:module';
import { type Language, languages } from './languages.js';

export type Translations = Readonly<Record<Language, string>>;

/**
 * All texts of a language other than English, by group and key. The file of the Norwegian texts determines which groups
 * and keys exist.
 */
export type Texts = Readonly<typeof import('../nob.json')>;

type TextGroup = keyof Texts;

const load = createRequire(import.meta.url);

/** The texts of the languages other than English. They come from the JSON files of the translators. */
export const translatedTexts = Object.fromEntries(
  languages
    .filter((language) => language !== 'eng')
    .map((language) => [language, load(`../../${language}.json`)]),
) as Readonly<Record<Exclude<Language, 'eng'>, Texts>>;

/**
 * The English texts of a group. The compiler reports a key that is missing, and a key that does not exist in the group.
 */
type English<Group extends TextGroup, Given> = Readonly<Record<keyof Texts[Group], string>> &
  Readonly<Record<Exclude<keyof Given, keyof Texts[Group]>, never>>;

/**
 * Combines the English texts of a group with their translations. The English texts are defined in code.
 * @example inEveryLanguage('lifecycle', { new: 'new', active: 'active', obsolete: 'obsolete' }).new.deu // 'neu'
 */
export function inEveryLanguage<Group extends TextGroup, Given extends Readonly<Record<string, string>>>(
  group: Group,
  english: Given & English<Group, Given>,
): { readonly [Key in keyof Given]: Translations } {
  const translate = (key: string, eng: string) => [
    key,
    {
      eng,
      ...Object.fromEntries(
        Object.entries(translatedTexts).map(([language, texts]) => [
          language,
          (texts[group] as Readonly<Record<string, string>>)[key],
        ]),
      ),
    },
  ];
  const entries: readonly (readonly [string, string])[] = Object.entries(english);
  return Object.fromEntries(entries.map(([key, eng]) => translate(key, eng)));
}
