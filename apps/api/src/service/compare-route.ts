import type { ResourceFamily } from '@takt/catalogue/resources';
import type { ApiAnswer } from '@takt/http';
import {
  canonicalName,
  excerpt,
  invalidValue,
  phrase,
  QueryOptionError,
  type QueryParameter,
  readIdentifier,
} from '@takt/query';
import type { ConcurrencyLimiter } from '@takt/run';
import { COMPARE_VIEW, MOST_COMPARED } from '../pages/index.js';
import { type ReadRequest, readRequest } from '../parse/read-request.js';
import { leadTo } from '../respond/addressed-route.js';
import { type ApiDependencies, answerResource } from '../respond/answer-resource.js';
import { queryTextOf } from '../respond/writing-context.js';

const IDS = 'ids';
/** Parameters that select, order and page the rows of a list. A comparison determines its rows itself. */
const SHAPING = ['$filter', '$orderby', '$top', '$skip', '$pageKey', '$inlinecount', 'search'];

/**
 * Compares the structure versions whose identifiers are in `ids`. The answer is the list of production times, filtered
 * by these identifiers. `ids` may be repeated, as a form does. It is an error if there are fewer than 1 or more than 4
 * identifiers; this error is reported only to readers who may read the list. A person who has chosen no structure
 * version is redirected to the list.
 */
export async function answerComparison(
  family: ResourceFamily,
  read: ReadRequest,
  api: ApiDependencies,
  exports: ConcurrencyLimiter,
): Promise<ApiAnswer> {
  const { baseUrl } = api;
  const { parameters } = read.query;
  const shaping = parameters.find(({ name }) => SHAPING.includes(canonicalName(name)));
  const problem =
    read.query.problem ??
    (shaping && new QueryOptionError('parameterOfOthers', { parameter: excerpt(shaping.name) }));
  const written = parameters.filter(({ name }) => name.toLowerCase() === IDS).map(({ value }) => value);
  const others = parameters.filter(({ name }) => ![IDS, 'view'].includes(name.toLowerCase()));
  const asList = (added: readonly QueryParameter[]) => {
    const queryText = queryTextOf([...others, ...added]).slice(1);
    return readRequest({ ...read.request, path: family.path, queryText }, baseUrl, 'list');
  };
  if (problem === undefined && written.length === 0 && read.format === 'html') {
    return leadTo(asList([]), baseUrl);
  }
  const ids = [...new Set(written.flatMap((value) => value.split(',')).map((id) => id.trim()))];
  const areRight =
    ids.length > 0 && ids.length <= MOST_COMPARED && ids.every((id) => readIdentifier(id) !== undefined);
  const listRead = areRight
    ? asList([
        { name: '$filter', value: `ProductStructureVersionId in (${ids.join(',')})` },
        { name: 'view', value: COMPARE_VIEW },
      ])
    : { ...read, query: { parameters, problem: wrongIds(written) } };
  const checked = problem === undefined ? listRead : { ...read, query: { parameters, problem } };
  return answerResource(family, checked, api, exports);
}

function wrongIds(written: readonly string[]): QueryOptionError {
  const expected = phrase('{0} to {1} identifiers separated by commas', 1, MOST_COMPARED);
  return invalidValue(IDS, written.join(), expected);
}
