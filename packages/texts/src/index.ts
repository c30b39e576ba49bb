export { type CsvCell, csvLine } from './csv.js';
export { fillText, formatNumber, formatSpan, unitOfSpan } from './format.js';
export {
  inEveryLanguage,
  type Texts,
  type Translations,
  translatedTexts,
} from './in-every-language.js';
export { findLanguage, type Language, languageSettings, languages, languageTag } from './languages.js';
export { negotiateLanguage } from './negotiate-language.js';
export { type TimeUnit, timeUnits } from './time-units.js';
