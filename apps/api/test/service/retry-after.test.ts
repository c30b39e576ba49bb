import { type ErrorCode, type ErrorEntry, errorCatalogue, ServiceError } from '@takt/catalogue/errors';
import { createAnswerError } from '@takt/http';
import { expect } from 'chai';
import { pino } from 'pino';
import { readRequest } from '../../src/parse/read-request.js';
import { writeError } from '../../src/respond/write-answer.js';
import { writingContextOf } from '../../src/respond/writing-context.js';
import { requestOf } from '../support/requests.js';

/** The expected value of Retry-After in seconds. Errors that are not listed must not have this header. */
const EXPECTED: Readonly<Partial<Record<ErrorCode, number>>> = {
  overloaded: 1,
  databaseUnavailable: 2,
  shuttingDown: 1,
  queueUnavailable: 2,
  requestBudgetSpent: 1,
  tokenBudgetSpent: 3,
};

describe('The Retry-After header', () => {
  const answerError = createAnswerError({
    write: (error, request) => {
      const read = readRequest(request);
      return writeError(error, read.format, writingContextOf(read, 'http://a.test'));
    },
    logger: pino({ level: 'silent' }),
  });
  const definitions: Readonly<Record<string, ErrorEntry>> = errorCatalogue;

  it('is defined only for temporary errors', () => {
    const said = Object.entries(definitions)
      .filter(([, { retryAfterSeconds }]) => retryAfterSeconds !== undefined)
      .map(([code, { retryAfterSeconds }]) => [code, retryAfterSeconds]);
    expect(Object.fromEntries(said)).to.deep.equal(EXPECTED);
  });

  for (const code of ['overloaded', 'databaseUnavailable', 'shuttingDown', 'requestBudgetSpent'] as const) {
    for (const format of ['json', 'xml', 'html', 'jsonstream']) {
      it(`is sent with the error ${code} as ${format}`, () => {
        const request = requestOf({ queryText: `$format=${format}` });
        const { status, headers } = answerError(new ServiceError(code), request);
        expect([status, headers['Retry-After']]).to.deep.equal([500, String(EXPECTED[code])]);
      });
    }
  }

  it('is not sent with an internal error or for an invalid token', () => {
    const request = requestOf();
    for (const thrown of [new Error('x'), new ServiceError('invalidAccessToken')]) {
      expect(answerError(thrown, request).headers).to.not.have.property('Retry-After');
    }
  });
});
