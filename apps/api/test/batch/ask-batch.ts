import type { HttpAnswer, HttpClient, HttpHeaders } from '../support/http-client.js';
import { jsonAt } from '../support/json-at.js';

/** Returns the address of a batch with these addresses, numbered from 0. Appends further parameters. */
export function batchOf(uris: readonly string[], beside = ''): string {
  const addresses = uris.map((uri, index) => `resource${index}=${encodeURIComponent(uri)}`);
  return `/batch?${[...addresses, ...(beside === '' ? [] : [beside])].join('&')}`;
}

/** Returns the expected answer to the batch of `batchOf`. It is composed of the answers to single requests. */
export function documentOf(
  parts: readonly { readonly uri: string; readonly text: string; readonly batchId?: string }[],
  format: 'json' | 'xml',
): string {
  const named = parts.map((part, index) => ({ batchId: `resource${index}`, ...part }));
  if (format === 'json') {
    return `{"resources":[${named
      .map(
        ({ uri, batchId, text }) =>
          `{"uri":${JSON.stringify(uri)},"batchId":"${batchId}","response":${text}}`,
      )
      .join(',')}]}`;
  }
  const escaped = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Resources>${named
    .map(
      ({ uri, batchId, text }) =>
        `<Resource><Uri>${escaped(uri)}</Uri><BatchId>${batchId}</BatchId><Response>${text.replace(/^<\?xml.*\?>\n/, '')}</Response></Resource>`,
    )
    .join('')}</Resources>`;
}

/** Returns the parsed response to each address of a batch. */
export function responsesIn(answer: HttpAnswer): readonly unknown[] {
  const resources = jsonAt(JSON.parse(answer.text), 'resources');
  return Array.isArray(resources) ? resources.map((one) => jsonAt(one, 'response')) : [];
}

/** Returns the HTTP status for each address of a batch. A response that is not an error counts as 200. */
export function statusesIn(answer: HttpAnswer): readonly number[] {
  return responsesIn(answer).map((response) => Number(jsonAt(response, 'hTTPStatusCode') ?? 200));
}

/** Returns the error message id for each address of a batch. It is undefined if the response is not an error. */
export function errorsIn(answer: HttpAnswer): readonly (number | undefined)[] {
  return responsesIn(answer).map((response) => {
    const identifier = jsonAt(response, 'errorMessage.errorMessageId');
    return jsonAt(response, 'hTTPStatusCode') === undefined ? undefined : Number(identifier);
  });
}

/** Returns a function that sends requests with a token in the header. */
export function askingWith(client: HttpClient, token: string) {
  return (target: string, headers: HttpHeaders = {}): Promise<HttpAnswer> =>
    client.get(target, { authorization: `Bearer ${token}`, ...headers });
}
