import type { IncomingMessage } from 'node:http';

const FORM = /^application\/x-www-form-urlencoded\b/i;

/** What was posted is no form, or larger than its page sends. */
export class UnreadableFormError extends Error {
  override readonly name = 'UnreadableFormError';
}

/** The fields of a form that is posted. Throws an UnreadableFormError; how long it may take is the server's to limit. */
export async function readForm(request: IncomingMessage, maxBytes: number): Promise<URLSearchParams> {
  if (!FORM.test(request.headers['content-type'] ?? '')) {
    throw new UnreadableFormError('the form is not application/x-www-form-urlencoded');
  }
  const tooLarge = () => new UnreadableFormError(`the form is larger than ${maxBytes} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const piece: Buffer = chunk;
    bytes += piece.length;
    if (bytes > maxBytes) throw tooLarge();
    chunks.push(piece);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}
