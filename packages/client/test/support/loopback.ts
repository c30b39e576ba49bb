import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that gives prepared answers, and records the times at which requests arrive. */
export interface Loopback {
  readonly baseUrl: string;
  readonly askedAt: readonly number[];
  close(): Promise<void>;
}

/** Starts the server. `answers` has one listener per request; the last one answers all further requests. */
export async function startLoopback(...answers: readonly RequestListener[]): Promise<Loopback> {
  const askedAt: number[] = [];
  const server = createServer((request, response) => {
    const answer = answers[Math.min(askedAt.length, answers.length - 1)];
    askedAt.push(performance.now());
    answer?.(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { baseUrl: `http://127.0.0.1:${portOf(server)}`, askedAt, close: () => close(server) };
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}

/** Returns a listener that answers with this status, these headers and this text. */
export function answering(
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string,
): RequestListener {
  return (_, response) => response.writeHead(status, headers).end(text);
}

/** Returns a listener that answers with an error, and with Retry-After if a retry could help. */
export function failing(status: number, retryAfter?: string): RequestListener {
  const text = JSON.stringify({
    hTTPStatusCode: String(status),
    hTTPStatusDescription: 'InternalServerError',
    message: 'Too much',
    translatedMessage: 'Zu viel',
    errorMessage: {
      errorMessageId: 100_900,
      errorMessageLink: 'http://127.0.0.1/system/error-messages/100900',
    },
    parameters: [],
    innerErrors: [],
  });
  const headers = { 'content-type': 'application/json', 'x-request-id': 'r-1' };
  return answering(
    status,
    retryAfter === undefined ? headers : { ...headers, 'retry-after': retryAfter },
    text,
  );
}

/** Answers with an empty list. */
export const empty: RequestListener = answering(
  200,
  { 'content-type': 'application/json' },
  '{"products":[],"paging":{"pageSize":10,"position":0,"page":1,"nextPage":null}}',
);
