import { describeError, type ErrorCode } from '@takt/catalogue/errors';
import { toServiceError } from '@takt/http';

export interface Fault {
  readonly code: ErrorCode;
  /** The values in the order in which the catalogue lists the parameters of the error, in English. */
  readonly parameters: readonly string[];
}

/** Returns the error that a client gets for a rejected promise. Throws if the promise does not reject. */
export async function faultOf(answer: Promise<unknown>): Promise<Fault> {
  try {
    await answer;
  } catch (error) {
    const fault = toServiceError(error);
    const { parameters } = describeError(fault, 'eng');
    return { code: fault.code, parameters: parameters.map(({ value }) => value) };
  }
  throw new Error('this is answered without an error');
}
