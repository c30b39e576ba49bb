import { type Language, languageSettings, languages } from './languages.js';

/** By tag in lower case; the three-letter codes work as well. */
const languageOfTag: ReadonlyMap<string, Language> = new Map(
  languages.flatMap((language) =>
    [language, ...languageSettings[language].tags].map((tag) => [tag, language] as const),
  ),
);

/** Real headers hold fewer; what follows is not read, so that a hostile header costs nothing. */
const MAX_RANGES = 20;

/** A language range with its weight needs about 20 characters; longer ones are not matched at all. */
const MAX_RANGE_LENGTH = 64;

/** A language range with an optional weight from 0 to 1 of at most three decimals (RFC 9110, 12.4.2 and 12.5.4). */
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

/** The weight of each language the header names, in the order of the header; of two weights the greater. */
function weighLanguages(ranges: readonly WeightedTag[]): Map<Language, number> {
  const weights = new Map<Language, number>();
  for (const { tag, weight } of ranges) {
    const language = languageOfTag.get(tag);
    if (language !== undefined) weights.set(language, Math.max(weight, weights.get(language) ?? 0));
  }
  return weights;
}

/**
 * The language that an Accept-Language header (RFC 9110) prefers. Regions are ignored (`de-AT` is German), equal
 * weights are settled by the order of the header, `*` stands for every language not named, English first. Ranges
 * that cannot be read and those after the twentieth are skipped. English where nothing matches.
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
