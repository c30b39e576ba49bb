import type { ApiAnswer, ApiRequest } from '../http/answer.js';
import { writeIndex } from '../representations/write-answer.js';
import { checkIndexParameters, readRequest } from './read-request.js';
import { writingContextOf } from './writing-context.js';

/** What there is, to anybody: a token is not looked at, it only goes on into the links of the page. */
export function answerIndex(request: ApiRequest, baseUrl: string): ApiAnswer {
  const read = readRequest(request);
  checkIndexParameters(read.query);
  return writeIndex(read.format, writingContextOf(read, baseUrl));
}
