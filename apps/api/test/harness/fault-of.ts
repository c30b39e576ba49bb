import type { ErrorCode } from '@takt/error-catalogue';
import { toServiceError } from '../../src/service/answer-failure.js';

export interface Fault {
  readonly code: ErrorCode;
  /** In the order of the catalogue's entry. */
  readonly parameters: readonly string[];
}

/** What a client is told of what goes wrong; throws where nothing does. */
export async function faultOf(answer: Promise<unknown>): Promise<Fault> {
  try {
    await answer;
  } catch (error) {
    const { code, parameters } = toServiceError(error);
    return { code, parameters };
  }
  throw new Error('this is answered without an error');
}
