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

/**
 * Returns the tested function. By default, its writer writes only the code of the error. A test can give a writer that
 * throws half-way.
 */
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

describe('an error that a route throws', () => {
  it('is answered with its code, but not logged, if it is a ServiceError or a QueryOptionError', () => {
    const { log, answer } = start();
    expect(String(answer(new ServiceError('overloaded')).body)).to.equal('overloaded');
    const option = new QueryOptionError('tooManyParameters', { limit: '50' });
    expect(String(answer(option).body)).to.equal('tooManyParameters');
    expect(log).to.deep.equal([]);
  });

  it('is answered as internalError and logged once if it is any other error', () => {
    for (const thrown of [new TypeError('secret'), 'secret', null, { code: 'overloaded' }]) {
      const { log, answer } = start();
      expect(String(answer(thrown).body)).to.equal('internalError');
      expect(log).to.have.lengthOf(1);
      expect(log[0]).to.include({ requestId: 'r-1' });
    }
  });

  it('is answered with its code and logged once if it has a cause', () => {
    const { log, answer } = start();
    const error = new ServiceError('databaseUnavailable', {}, { cause: new Error('no route') });
    expect(String(answer(error).body)).to.equal('databaseUnavailable');
    expect(log.map((line) => line.error?.message)).to.deep.equal(['no route']);
  });

  it('is answered as plain JSON and logged if it cannot be written in the requested format', () => {
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
