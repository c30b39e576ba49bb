import { expect } from 'chai';
import type { ApiAnswer } from '../../src/api-client.js';

export interface ErrorDocument {
  readonly hTTPStatusCode: string;
  readonly hTTPStatusDescription: string;
  readonly message: string;
  readonly translatedMessage: string;
  readonly errorMessage: { readonly errorMessageId: number; readonly errorMessageLink: string };
  readonly parameters: readonly { readonly index: number; readonly value: string }[];
  readonly innerErrors: readonly unknown[];
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  '400': 'BadRequest',
  '403': 'Forbidden',
  '404': 'NotFound',
  '500': 'InternalServerError',
};

/** The error of an answer in JSON, of which the shape, the status and the first property are checked. */
export function readError({ status, text }: ApiAnswer): ErrorDocument {
  expect(text).to.match(/^\{"hTTPStatusCode":"\d{3}","hTTPStatusDescription":"/);
  const error: ErrorDocument = JSON.parse(text);
  expect(error.hTTPStatusCode).to.equal(String(status));
  expect(error.hTTPStatusDescription).to.equal(DESCRIPTIONS[String(status)]);
  expect(error.parameters.map(({ index }) => index)).to.deep.equal(error.parameters.map((_, index) => index));
  expect(error.message).not.to.match(/\{\d\}|undefined|select .* from|\bat \/|node_modules/i);
  return error;
}

export function errorIdOf(answer: ApiAnswer): number {
  return readError(answer).errorMessage.errorMessageId;
}
