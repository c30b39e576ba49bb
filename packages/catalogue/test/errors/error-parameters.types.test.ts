import { expect } from 'chai';
import { type ErrorCode, type ErrorParameters, ServiceError } from '../../src/errors/index.js';

/**
 * This function is never called. The compiler checks that the marked lines do not compile and that all other lines do.
 */
export function mistakesThatDoNotCompile(either: 'overloaded' | 'repeatedParameter', text: string): void {
  new ServiceError('resourceNotFound', { verb: 'GET', path: '/x' });
  new ServiceError('internalError');
  new ServiceError('internalError', {}, { cause: text });
  new ServiceError(either, { parameter: '$top' });

  // @ts-expect-error: the parameter path is missing
  new ServiceError('resourceNotFound', { verb: 'GET' });
  // @ts-expect-error: all parameters are missing
  new ServiceError('resourceNotFound');
  // @ts-expect-error: the parameters are empty
  new ServiceError('repeatedParameter', {});
  // @ts-expect-error: misspelt parameter
  new ServiceError('resourceNotFound', { verb: 'GET', pfad: '/x' });
  // @ts-expect-error: a parameter too many
  new ServiceError('resourceNotFound', { verb: 'GET', path: '/x', status: '404' });
  // @ts-expect-error: a parameter where there is none
  new ServiceError('internalError', { reason: 'x' });
  // @ts-expect-error: values are texts
  new ServiceError('queryTooLong', { limit: 8000 });
  // @ts-expect-error: no such parameter value
  new ServiceError('queryTooLong', { limit: undefined });
  // @ts-expect-error: no such code
  new ServiceError('resourceNotFond', { verb: 'GET', path: '/x' });
  // @ts-expect-error: prose instead of a code
  new ServiceError('The resource does not exist.');
  // @ts-expect-error: a code only known as text
  new ServiceError(text, {});
  // @ts-expect-error: one of the two codes needs a parameter
  new ServiceError(either);
  // @ts-expect-error: inner errors are service errors
  new ServiceError('internalError', {}, { innerErrors: [new Error(text)] });
}

/** After `instanceof`, the type of the code is ErrorCode, not `any`. */
export function readCaught(caught: unknown): ErrorCode | undefined {
  if (!(caught instanceof ServiceError)) return undefined;
  // @ts-expect-error: a code is no number
  const code: number = caught.code;
  return typeof code === 'string' ? code : undefined;
}

describe('the types of ServiceError', () => {
  it('accept parameters only by their names in the catalogue', () => {
    const parameters: ErrorParameters<'resourceNotFound'> = { verb: 'GET', path: '/x' };
    const every: ServiceError = new ServiceError('resourceNotFound', parameters);
    expect(readCaught(every)).to.equal('resourceNotFound');
  });
});
