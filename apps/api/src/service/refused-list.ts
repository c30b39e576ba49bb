import {
  describeError,
  type ErrorDefinition,
  errorCatalogue,
  type Language,
  type ServiceError,
} from '@takt/error-catalogue';
import type { QueryParameter } from '@takt/query-options';
import type { RefusedText } from '../representations/html/refused-text.js';

/** What people write on the page of a list. */
const WRITTEN = ['$filter', '$orderby', 'search'];

/** What is wrong with a text that somebody wrote on the page of a list; undefined: something else is wrong. */
export function refusedText(
  error: ServiceError,
  parameters: readonly QueryParameter[],
  language: Language,
): RefusedText | undefined {
  const { status, parameters: names }: ErrorDefinition = errorCatalogue[error.code];
  const textOf = (name: string) => {
    const value = error.parameters[names.indexOf(name)];
    return typeof value === 'string' ? value : undefined;
  };
  const parameter = WRITTEN.find((name) => name === textOf('parameter'));
  if (status !== 400 || parameter === undefined) return undefined;
  const position = Number(textOf('position'));
  return {
    parameter,
    text: parameters.find(({ name }) => name.toLowerCase() === parameter)?.value ?? '',
    position: Number.isSafeInteger(position) ? position : undefined,
    message: describeError(error, language).translatedMessage,
  };
}
