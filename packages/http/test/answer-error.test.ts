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

/** The function with a writer that writes only the code, or throws midway. */
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

describe('a thrown error is answered in one place', () => {
  it('with its code, if it is of the catalogue or the query options, without logging', () => {
    const { log, answer } = start();
    expect(String(answer(new ServiceError('overloaded')).body)).to.equal('overloaded');
    const option = new QueryOptionError('tooManyParameters', { limit: '50' });
    expect(String(answer(option).body)).to.equal('tooManyParameters');
    expect(log).to.deep.equal([]);
  });

  it('as internalError for anything else, which is logged once', () => {
    for (const thrown of [new TypeError('secret'), 'secret', null, { code: 'overloaded' }]) {
      const { log, answer } = start();
      expect(String(answer(thrown).body)).to.equal('internalError');
      expect(log).to.have.lengthOf(1);
      expect(log[0]).to.include({ requestId: 'r-1' });
    }
  });

  it('as itself for an expected error with a cause, which is logged once', () => {
    const { log, answer } = start();
    const error = new ServiceError('databaseUnavailable', {}, { cause: new Error('no route') });
    expect(String(answer(error).body)).to.equal('databaseUnavailable');
    expect(log.map((line) => line.error?.message)).to.deep.equal(['no route']);
  });

  it('as plain JSON with its status if it cannot be written, which is logged', () => {
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
