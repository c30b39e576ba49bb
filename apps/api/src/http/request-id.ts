import { randomUUID } from 'node:crypto';

const WELL_FORMED = /^[A-Za-z0-9._-]{1,64}$/;
/** An access token in the wrong header would otherwise be written to the log. */
const TOKEN = /^takt_/;

/** The client's own identifier where it is harmless in logs and headers, else a new one. */
export function chooseRequestId(fromClient: unknown): string {
  return typeof fromClient === 'string' && WELL_FORMED.test(fromClient) && !TOKEN.test(fromClient)
    ? fromClient
    : randomUUID();
}
