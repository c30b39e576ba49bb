import { ServiceError } from '@takt/catalogue/errors';
import { excerpt, type ParsedQueryString, type QueryParameter, readChoice } from '@takt/query';
import { type BatchFormat, batchFormats, MOST_BATCHED } from '../computed/batch-description.js';
import { acceptedFormat, checkIndexParameters, type ReadRequest } from '../service/read-request.js';

/** One of the addresses that a batch asks for. */
export interface Batched {
  /** The name of its parameter, as it was written. */
  readonly batchId: string;
  /** As it was written, decoded once. */
  readonly uri: string;
}

/** The formats that an address of a batch may name: the format of the batch, streamed or whole. */
export function formatsWithin(batch: BatchFormat): readonly BatchFormat[] {
  return batchFormats.filter((format) => (format === 'xml') === (batch === 'xml'));
}

/** What is taken beside the addresses; it holds for all of them. */
export const outerNames = ['$access_token', '$db', '$format', '$lang'] as const;
const OUTER: readonly string[] = [...outerNames, '$accesstoken'];

const NUMBERED = /^resource0*(\d+)$/i;

/**
 * The addresses of a batch, in the order in which they are asked for. Throws a ServiceError or a QueryOptionError where the
 * batch itself cannot be read; what is wrong with an address is told in its place.
 */
export function readBatch({ parameters, problem }: ParsedQueryString): readonly Batched[] {
  if (problem !== undefined) throw problem;
  checkOuter(parameters.filter(({ name }) => !NUMBERED.test(name)));
  const batched = parameters.flatMap(({ name, value }) =>
    NUMBERED.test(name) ? [{ batchId: name, uri: value }] : [],
  );
  if (batched.length === 0) throw new ServiceError('emptyBatch');
  if (batched.length > MOST_BATCHED) {
    throw new ServiceError('tooManyInBatch', {
      count: String(batched.length),
      limit: String(MOST_BATCHED),
    });
  }
  const numbers = new Set<string>();
  for (const { batchId } of batched) {
    const number = batchId.replace(NUMBERED, '$1');
    if (numbers.has(number)) throw new ServiceError('repeatedParameter', { parameter: batchId });
    numbers.add(number);
  }
  return batched;
}

/** Half of an address whose & was not encoded would otherwise be obeyed by all of them, or by none. */
function checkOuter(parameters: readonly QueryParameter[]): void {
  const misplaced = parameters.find(
    ({ name }) => name.startsWith('$') && !OUTER.includes(name.toLowerCase()),
  );
  if (misplaced !== undefined) {
    throw new ServiceError('parameterBesideBatch', {
      parameter: excerpt(misplaced.name),
      known: outerNames.join(', '),
    });
  }
  // `$format` has values of its own here.
  checkIndexParameters({
    parameters: parameters.filter((parameter) => !isFormat(parameter)),
    problem: undefined,
  });
  if (parameters.filter(isFormat).length > 1) {
    throw new ServiceError('repeatedParameter', { parameter: '$format' });
  }
}

const isFormat = ({ name }: QueryParameter) => name.toLowerCase() === '$format';

/**
 * As for a resource, where JSON and XML are all that there is: whoever accepts neither gets JSON. Throws a QueryOptionError for
 * another `$format`.
 */
export function batchFormatOf({ request, query }: ReadRequest): BatchFormat {
  const named = query.parameters.find(isFormat);
  if (named !== undefined) return readChoice('$format', named.value, batchFormats);
  return acceptedFormat(request, ['json', 'xml']) === 'xml' ? 'xml' : 'json';
}
