import { QueryOptionError } from '../../src/index.js';

export interface Fault {
  readonly code: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The code and parameters of the QueryOptionError that an action throws; anything else it throws fails the test. */
export function faultOf(action: () => unknown): Fault {
  try {
    action();
  } catch (error) {
    if (error instanceof QueryOptionError) {
      return { code: error.code, parameters: { ...error.parameters } };
    }
    throw error;
  }
  throw new Error('nothing was thrown');
}
