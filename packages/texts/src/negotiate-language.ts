import { type Language, languageSettings, languages } from './languages.js';

/** The languages by their tags and their three-letter codes, both in lower case. */
const languageOfTag: ReadonlyMap<string, Language> = new Map(
  languages.flatMap((language) =>
    [language, ...languageSettings[language].tags].map((tag) => [tag, language] as const),
  ),
);

/**
 * The maximum number of language ranges that are read. Real headers have fewer. Further ranges are ignored, so that a
 * hostile header costs no time.
 */
const MAX_RANGES = 20;

/**
 * The maximum number of characters of a language range. A range with its weight needs about 20 characters. Longer
 * ranges are ignored.
 */
const MAX_RANGE_LENGTH = 64;

/** Matches a language range with an optional weight (RFC 9110, 12.4.2 and 12.5.4). */
const rangePattern =
  /^(?<tag>[a-z]{1,8}|\*)(?:-[a-z0-9]{1,8})*(?:[ \t]*;[ \t]*q=(?<weight>0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

interface WeightedTag {
  readonly tag: string;
  readonly weight: number;
}

function readRange(text: string): WeightedTag | undefined {
  if (text.length > MAX_RANGE_LENGTH) return undefined;
  const groups = rangePattern.exec(text.trim())?.groups;
  const tag = groups?.['tag'];
  if (tag === undefined) return undefined;
  return { tag: tag.toLowerCase(), weight: Number(groups?.['weight'] ?? 1) };
}

/** The weight of each language, in the order of the header. If a language occurs twice, its greater weight counts. */
function weighLanguages(ranges: readonly WeightedTag[]): Map<Language, number> {
  const weights = new Map<Language, number>();
  for (const { tag, weight } of ranges) {
    const language = languageOfTag.get(tag);
    if (language !== undefined) weights.set(language, Math.max(weight, weights.get(language) ?? 0));
  }
  return weights;
}

/**
 * Finds the language that an Accept-Language header (RFC 9110) prefers. Regions are ignored, so `de-AT` is German. If
 * two languages have the same weight, the order of the header decides. `*` stands for all languages that the header
 * does not name, English first. Invalid ranges, and ranges after the twentieth, are skipped. If nothing matches, the
 * result is English.
 */
export function negotiateLanguage(acceptLanguage: string | undefined): Language {
  const ranges = (acceptLanguage ?? '')
    .split(',', MAX_RANGES)
    .map(readRange)
    .filter((range) => range !== undefined);
  const weights = weighLanguages(ranges);
  const weightOfOthers = ranges.find(({ tag }) => tag === '*')?.weight ?? 0;
  for (const language of languages) {
    if (!weights.has(language)) weights.set(language, weightOfOthers);
  }

  let best: Language = 'eng';
  let bestWeight = 0;
  for (const [language, weight] of weights) {
    if (weight > bestWeight) {
      best = language;
      bestWeight = weight;
    }
  }
  return best;
}
