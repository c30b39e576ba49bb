import { describeError, type ErrorCode } from '@takt/catalogue/errors';
import { toServiceError } from '@takt/http';

export interface Fault {
  readonly code: ErrorCode;
  /** The values of the parameters in English, in the order of the parameters in the catalogue. */
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
