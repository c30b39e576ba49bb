import { parseQueryString } from '@takt/query-options';

/** Parameters of a form or a query. */
export interface Parameters {
  /** The value of what was sent once; one without a value counts as absent (RFC 6749, 3.1 and 3.2). */
  get(name: string): string | undefined;
  /** What is wrong with them, as a sentence for whoever wrote the client; it holds no value. */
  readonly problem: string | undefined;
}

/** Reads application/x-www-form-urlencoded text. Names are taken as they are, in this case. */
export function readParameters(text: string): Parameters {
  const { parameters, problem } = parseQueryString(text);
  const values = new Map<string, string | undefined>();
  const repeated = parameters.filter(({ name, value }) => {
    const isKnown = values.has(name);
    values.set(name, isKnown || value === '' ? undefined : value);
    return isKnown;
  });
  return {
    get: (name) => values.get(name),
    problem:
      problem === undefined
        ? repeated.map(({ name }) => `The parameter ${printable(name)} may be sent once only.`)[0]
        : 'The parameters hold a control character or a faulty percent encoding, or are too many.',
  };
}

/** A name as error_description may hold it; what a client wrote in place of one is not shown. */
function printable(name: string): string {
  return /^[a-z_$]{1,40}$/i.test(name) ? name : 'that was sent twice';
}
