import { type ErrorCode, errorCatalogue } from './error-catalogue.js';
import type { Language } from './languages.js';

/**
 * The text of an error with its parameter values, given in the order of the placeholders. One pass: a value that
 * itself holds `{1}` stays as it is. A placeholder without a value stays as well.
 */
export function renderMessage(
  code: ErrorCode,
  parameterValues: readonly string[],
  language: Language,
): string {
  return errorCatalogue[code].texts[language].replaceAll(
    /\{(\d+)\}/g,
    (placeholder, index: string) => parameterValues[Number(index)] ?? placeholder,
  );
}
