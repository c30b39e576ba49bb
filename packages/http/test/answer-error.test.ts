import { ServiceError } from '@takt/catalogue/errors';
import { QueryOptionError } from '@takt/query';
import { expect } from 'chai';
import { pino, stdSerializers } from 'pino';
import type { ApiRequest, WholeAnswer } from '../src/answer.js';
import { createAnswerError } from '../src/answer-error.js';

const REQUEST: ApiRequest = {
  path: '/',
  queryText: '',
  headers: {},
  id: 'r-1',
  address: '127.0.0.1',
  pathParameters: {},
};

/** The function around a writer that gives the code alone, or throws in the middle. */
function start(write: (error: ServiceError) => Iterable<string> = ({ code }) => [code]) {
  const log: { readonly requestId: string; readonly msg: string; readonly error?: { message: string } }[] =
    [];
  const logger = pino(
    { serializers: { error: stdSerializers.err } },
    { write: (line: string) => void log.push(JSON.parse(line)) },
  );
  const answerError = createAnswerError({
    write: (error): WholeAnswer => ({ status: 400, headers: {}, body: write(error), isStreamed: true }),
    logger,
  });
  return { log, answer: (thrown: unknown) => answerError(thrown, REQUEST) };
}

describe('whatever is thrown becomes an answer in one place', () => {
  it('an error of the catalogue and one of the query options by their codes, without a word to the log', () => {
    const { log, answer } = start();
    expect(String(answer(new ServiceError('overloaded')).body)).to.equal('overloaded');
    const option = new QueryOptionError('tooManyParameters', { limit: '50' });
    expect(String(answer(option).body)).to.equal('tooManyParameters');
    expect(log).to.deep.equal([]);
  });

  it('anything else as internalError, with what was thrown in the log once', () => {
    for (const thrown of [new TypeError('secret'), 'secret', null, { code: 'overloaded' }]) {
      const { log, answer } = start();
      expect(String(answer(thrown).body)).to.equal('internalError');
      expect(log).to.have.lengthOf(1);
      expect(log[0]).to.include({ requestId: 'r-1' });
    }
  });

  it('a foreseen error with a cause as itself, with the cause in the log once', () => {
    const { log, answer } = start();
    const error = new ServiceError('databaseUnavailable', {}, { cause: new Error('no route') });
    expect(String(answer(error).body)).to.equal('databaseUnavailable');
    expect(log.map((line) => line.error?.message)).to.deep.equal(['no route']);
  });

  it('one that cannot be written as plain JSON with its status, and says so to the log', () => {
    const { log, answer } = start(function* () {
      yield '<half';
      throw new Error('no writer');
    });
    const { status, headers, body, isStreamed } = answer(new ServiceError('shuttingDown'));
    expect(status).to.equal(500);
    expect(headers['Content-Type']).to.match(/^application\/json/);
    expect(JSON.parse(String(body)).hTTPStatusCode).to.equal('500');
    expect(isStreamed).to.equal(false);
    expect(log.map(({ msg }) => msg)).to.deep.equal(['an error could not be written']);
  });
});
