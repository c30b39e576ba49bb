import { type ApiAnswer, bodyOf, isPieces } from '@takt/http';

/** The body of an answer that is no export. */
export function wholeOf(answer: ApiAnswer): Buffer {
  const { body } = answer;
  if (isPieces(body)) throw new Error('this answer is an export');
  return bodyOf({ ...answer, body });
}
