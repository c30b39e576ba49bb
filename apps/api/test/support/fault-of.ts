import { describeError, type ErrorCode } from '@takt/catalogue/errors';
import { toServiceError } from '@takt/http';

export interface Fault {
  readonly code: ErrorCode;
  /** In the order of the catalogue's entry, in English. */
  readonly parameters: readonly string[];
}

/** The error that a client is shown; throws if there is none. */
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
