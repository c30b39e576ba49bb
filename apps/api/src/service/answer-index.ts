import type { ApiAnswer } from '@takt/http';
import { writeIndex } from '../representations/write-answer.js';
import type { ApiDependencies } from './answer-resource.js';
import { checkIndexParameters, type ReadRequest } from './read-request.js';
import { findCaller } from './visitor.js';
import { writingContextOf } from './writing-context.js';

/** What there is, to anybody: a token is not looked at, but a page says who is signed in. */
export async function answerIndex(
  read: ReadRequest,
  { baseUrl, findToken }: Pick<ApiDependencies, 'baseUrl' | 'findToken'>,
): Promise<ApiAnswer> {
  checkIndexParameters(read.query);
  const caller = read.format === 'html' ? await findCaller(read, findToken) : {};
  return writeIndex(read.format, writingContextOf(read, baseUrl, caller));
}
