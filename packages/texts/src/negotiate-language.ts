import { type Language, languageSettings, languages } from './languages.js';

/** By lower-case tag or three-letter code. */
const languageOfTag: ReadonlyMap<string, Language> = new Map(
  languages.flatMap((language) =>
    [language, ...languageSettings[language].tags].map((tag) => [tag, language] as const),
  ),
);

/** Real headers have fewer. Further ones are ignored, so that a hostile header costs nothing. */
const MAX_RANGES = 20;

/** A range with its weight needs about 20 characters. Longer ones are ignored. */
const MAX_RANGE_LENGTH = 64;

/** A language range with an optional weight (RFC 9110, 12.4.2 and 12.5.4). */
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

/** The weight of each language in the header's order; the greater one if it occurs twice. */
function weighLanguages(ranges: readonly WeightedTag[]): Map<Language, number> {
  const weights = new Map<Language, number>();
  for (const { tag, weight } of ranges) {
    const language = languageOfTag.get(tag);
    if (language !== undefined) weights.set(language, Math.max(weight, weights.get(language) ?? 0));
  }
  return weights;
}

/**
 * The language that an Accept-Language header (RFC 9110) prefers. Regions are ignored (`de-AT` is German); the order of
 * the header decides between equal weights; `*` matches all other languages, English first. Invalid ranges and those
 * after the twentieth are skipped. English if nothing matches.
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
