import type { ApiAnswer, ApiRequest } from '@takt/http';
import { writeIndex } from '../representations/write-answer.js';
import type { ApiDependencies } from './answer-resource.js';
import { checkIndexParameters, readRequest } from './read-request.js';
import { findCaller } from './visitor.js';
import { writingContextOf } from './writing-context.js';

/** What there is, to anybody: a token is not looked at, but a page says who is signed in. */
export async function answerIndex(
  request: ApiRequest,
  { baseUrl, findToken }: Pick<ApiDependencies, 'baseUrl' | 'findToken'>,
): Promise<ApiAnswer> {
  const read = readRequest(request, baseUrl);
  checkIndexParameters(read.query);
  const caller = read.format === 'html' ? await findCaller(read, findToken) : {};
  return writeIndex(read.format, writingContextOf(read, baseUrl, caller));
}
