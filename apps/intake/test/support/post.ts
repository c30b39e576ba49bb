import type { ErrorObject } from '@takt/http';
import { expect } from 'chai';
import type { TestIntake } from './open-test-intake.js';

export interface Rejected {
  readonly index: number;
  readonly id: string | null;
  readonly error: ErrorObject;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: ErrorObject & { readonly accepted: number; readonly rejected: readonly Rejected[] };
}

export interface Posting {
  readonly type?: string | undefined;
  readonly query?: string;
  /** The token, or undefined for a request without a token. */
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Posts a body to /events with the token of the intake. Text and bytes are sent unchanged, and any other value is sent
 * as JSON.
 */
export async function post(intake: TestIntake, body: unknown, posting: Posting = {}): Promise<Answer> {
  const { type = 'application/json', query = '', headers = {} } = posting;
  const token = 'token' in posting ? posting.token : intake.token;
  const answer = await fetch(`${intake.origin}/events${query}`, {
    method: 'POST',
    headers: {
      'Content-Type': type,
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
  });
  return { status: answer.status, headers: answer.headers, json: JSON.parse(await answer.text()) };
}

/** Expects exactly this number of accepted events, and no rejected event. */
export function expectAccepted({ status, json }: Answer, accepted: number): void {
  expect(json).to.deep.equal({ accepted, rejected: [] });
  expect(status).to.equal(202);
}

/** Expects the complete error of the catalogue with this identifier. */
export function expectError({ status, json }: Answer, expected: number, errorMessageId: number): ErrorObject {
  expect(json.errorMessage?.errorMessageId, JSON.stringify(json).slice(0, 300)).to.equal(errorMessageId);
  expect(status).to.equal(expected);
  expect(Object.keys(json)).to.deep.equal([
    ...['hTTPStatusCode', 'hTTPStatusDescription', 'message', 'translatedMessage', 'errorMessage'],
    ...['parameters', 'innerErrors'],
  ]);
  expect(json.hTTPStatusCode).to.equal(String(expected));
  return json;
}
