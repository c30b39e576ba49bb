import { aggregatedProductionTimes } from '@takt/catalogue/resources';
import { canonicalName, excerpt, phrase, QueryOptionError, type QueryParameter } from '@takt/query';
import { COMPARE_VIEW } from '../pages/index.js';
import { type ReadRequest, readRequest } from './read-request.js';
import { queryTextOf } from './writing-context.js';

/** As many as stand side by side on a page. */
const MOST_COMPARED = 4;

const IDS = 'ids';
/** What chooses, orders and pages the rows of a list. */
const SHAPING = [
  IDS,
  '$filter',
  '$orderby',
  '$top',
  '$skip',
  '$pageKey',
  '$inlinecount',
  '$count',
  'search',
  'view',
];
const IDENTIFIER = /^[1-9]\d{0,14}$/;

/**
 * A request for structure versions by `ids` as one for the list of production times: the same rows, filtered by their
 * identifiers. `ids` may come several times, as a form sends it. Unless 1 to 4 are
 * named, that is the problem of the request: it is told to those who may read the list.
 */
export function readComparison(read: ReadRequest, baseUrl: string): ReadRequest {
  const { parameters, problem } = read.query;
  if (problem !== undefined) return read;
  const isOfIds = ({ name }: QueryParameter) => name.toLowerCase() === IDS;
  const written = parameters.filter(isOfIds).map(({ value }) => value);
  const ids = [...new Set(written.flatMap((value) => value.split(',')).map((id) => id.trim()))];
  if (ids.length > MOST_COMPARED || !ids.every((id) => IDENTIFIER.test(id)) || ids.length === 0) {
    const wrong = new QueryOptionError('invalidParameterValue', {
      parameter: IDS,
      found: written.length === 0 ? [phrase('nothing')] : excerpt(written.join()),
      expected: [phrase('{0} to {1} identifiers with commas between them', 1, MOST_COMPARED)],
    });
    return { ...read, query: { parameters: [], problem: wrong } };
  }
  const others = parameters.filter(({ name }) => !SHAPING.includes(canonicalName(name)));
  const queryText = queryTextOf([
    ...others,
    { name: '$filter', value: `ProductStructureVersionId in (${ids.join(',')})` },
    { name: 'view', value: COMPARE_VIEW },
  ]).slice(1);
  return readRequest({ ...read.request, path: aggregatedProductionTimes.path, queryText }, baseUrl, 'list');
}
