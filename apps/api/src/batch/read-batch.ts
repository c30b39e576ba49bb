import { ServiceError } from '@takt/catalogue/errors';
import { excerpt, type ParsedQueryString, type QueryParameter, readChoice } from '@takt/query';
import { type BatchFormat, batchFormats, MOST_BATCHED } from '../computed/batch-description.js';
import { acceptedFormat, checkIndexParameters, type ReadRequest } from '../parse/read-request.js';

export interface Batched {
  /** The name of the parameter that contains the address, as the client wrote it. */
  readonly batchId: string;
  /** The address as the client wrote it, after decoding the query of the batch. */
  readonly uri: string;
}

/** The formats that an address may request: the format of the batch, either as a whole or as a stream. */
export function formatsWithin(batch: BatchFormat): readonly BatchFormat[] {
  return batchFormats.filter((format) => (format === 'xml') === (batch === 'xml'));
}

/** Parameters of the batch itself. They apply to all its addresses. */
export const outerNames = ['$access_token', '$db', '$format', '$lang'] as const;
const OUTER: readonly string[] = [...outerNames, '$accesstoken'];

const NUMBERED = /^resource0*(\d+)$/i;

/**
 * Reads the addresses of a batch, in order. Throws a ServiceError or a QueryOptionError if the batch itself is invalid.
 * An invalid address does not throw: it gets its error as its answer.
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

/**
 * Throws if the batch has other options than those for a batch. Such an option is probably the rest of an address that
 * contains an unencoded &, and would otherwise apply to all addresses or be ignored.
 */
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
  // `$format` is left out, because a batch has other formats than the index. It is checked separately.
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
 * The format of a batch, JSON or XML. It is determined like the format of a resource; if the client accepts neither, it
 * is JSON. Throws a QueryOptionError for any other `$format`.
 */
export function batchFormatOf({ request, query }: ReadRequest): BatchFormat {
  const named = query.parameters.find(isFormat);
  if (named !== undefined) return readChoice('$format', named.value, batchFormats);
  return acceptedFormat(request, ['json', 'xml']) === 'xml' ? 'xml' : 'json';
}
