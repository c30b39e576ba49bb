import { describeError, type ErrorEntry, errorCatalogue, type ServiceError } from '@takt/error-catalogue';
import type { QueryParameter } from '@takt/query-options';
import type { RefusedText } from '../representations/html/refused-text.js';
import type { WritingContext } from '../representations/page.js';

/** What people write on the page of a list. */
const WRITTEN = ['$filter', '$orderby', 'search'];

/**
 * What is wrong with a text that somebody wrote on the page of a list, or that it took too long; undefined: something else
 * is wrong.
 * @param faulty the field of the form that the error is about
 */
export function refusedText(
  error: ServiceError,
  { parameters, language }: Pick<WritingContext, 'parameters' | 'language'>,
  faulty?: QueryParameter,
): RefusedText | undefined {
  const message = describeError(error, language).translatedMessage;
  if (faulty !== undefined) {
    return { parameter: faulty.name, text: faulty.value, position: undefined, message };
  }
  const { status, parameters: names }: ErrorEntry = errorCatalogue[error.code];
  const textOf = (name: string) => {
    const value = error.parameters[names.indexOf(name)];
    return typeof value === 'string' ? value : undefined;
  };
  const writtenIn = (wanted: string) =>
    parameters.find(({ name }) => name.toLowerCase() === wanted)?.value ?? '';
  // What is too slow is so by all that was written together: it is said beside the first.
  const parameter =
    error.code === 'queryTooSlow'
      ? WRITTEN.find((name) => writtenIn(name) !== '')
      : WRITTEN.find((name) => status === 400 && name === textOf('parameter'));
  if (parameter === undefined) return undefined;
  const position = Number(textOf('position'));
  return {
    parameter,
    text: writtenIn(parameter),
    position: Number.isSafeInteger(position) ? position : undefined,
    message,
  };
}
