import { fillPath, newestOf, type Resource, resourceFamilies } from '@takt/catalogue/resources';
import { opened, shareOf, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import fc from 'fast-check';
import { insertApplicationVersion, insertMonths, insertStructureVersions } from '../support/insert-rows.js';
import { neededParameters } from '../support/resources.js';
import { serveApi } from '../support/serve-api.js';
import { askingWith, batchOf, documentOf } from './ask-batch.js';

const IDENTIFIERS: Readonly<Record<string, number>> = {
  ...{ productStructureVersionId: 1, productId: 1, applicationId: 10_001, applicationVersionId: 101 },
  ...{ userId: 7, companyId: 3, permissionId: 12, errorMessageId: 101_015 },
};

const EVERYWHERE = [
  ...['', '$select=*', '$select=Nope', '$expand=Nope', '$showDomainDescriptions=true', '$lang=pol', '$top=0'],
  ...['$useMinimumVersion=999', '$nope=1', 'nope=1', '&&$lang=deu&&', '$lang=deu&$lang=fra', '$db=OTHER'],
  ...['$select=%FF', 'a%00b=1', '$filter=(', '$select=a%2Bb+c', '$db=', '$lang=', '#fragment', 'ø=ø 😀'],
];
const OF_LISTS = [
  '$top=$max&$inlinecount=allpages',
  '$skip=2&$top=1',
  '$pageKey=x',
  '$filter=true',
  '$orderby=Nope',
];
const BROKEN_PATHS = ['/', '/x', '/%2F', '%', '//', '/%E0%A4%A', '?', '/..', ' ', '#x', '/{x}', '/1e3', '+1'];

/** Formats of a batch with the parameters that its address states for all requests in it. */
const WAYS = {
  json: { format: 'json', beside: '' },
  xml: { format: 'xml', beside: '$format=xml' },
  deu: { format: 'json', beside: '$format=json&$lang=deu&$db=tem-no' },
} as const;

/** Returns many addresses of a resource, with valid and invalid queries and paths. */
function addressesOf(resource: Resource): readonly string[] {
  const path = fillPath(resource.path, IDENTIFIERS);
  const needed = Object.entries(neededParameters(resource)).map(([name, value]) => `${name}=${value}`);
  const queries = resource.kind === 'list' ? [...EVERYWHERE, ...OF_LISTS] : EVERYWHERE;
  const with_ = (query: string) => `${path}?${[...needed, query].join('&')}`;
  const identified = resource.path.includes('{')
    ? ['0', 'x', '%E0%A4%A', '1%2F2', '99999999', '9'.repeat(40), '%31', '{x}', '$&'].map((identifier) =>
        resource.path.replace(/\{\w+\}/g, identifier),
      )
    : [];
  return [path, ...queries.map(with_), ...BROKEN_PATHS.map((end) => path + end), ...identified];
}

/**
 * Repeats a batch while its answer contains more timeout errors than expected. On a busy machine parts of a batch may
 * time out.
 */
async function inTime<Answer extends { readonly text: string }>(
  ask: () => Promise<Answer>,
  expected: string,
): Promise<Answer> {
  const errorsOfDeadlines = (text: string) => text.match(/\b10000[38]\b/g)?.length ?? 0;
  for (;;) {
    const answer = await ask();
    if (errorsOfDeadlines(answer.text) <= errorsOfDeadlines(expected)) return answer;
  }
}

describe('a batch gives the same answers as single requests', function () {
  this.timeout(240_000);
  const seed = testSeed();
  const api = opened(serveApi);
  let token: string;
  let limited: string;

  before(async () => {
    await insertStructureVersions(
      api.owner,
      [1, 2, 3].map((id) => ({ id, actual: { run: ['1.5'] } })),
    );
    await insertMonths(api.owner, [{ structureVersionId: 1, month: '2026-01', completed: 3 }]);
    await insertApplicationVersion(api.owner, {
      ...{ application_id: 10_001, application_version_id: 101 },
      ...{ created_by_user_id: 7, restricted_to_company_id: 3, permission_id: 12 },
    });
    token = await api.createToken('TEM-NO');
    limited = await api.createToken('TEM-NO', { duties: ['read-error-messages'] });
  });

  /**
   * Encodes the characters of an address that HTTP cannot carry, as a client library does. Does not change encoded
   * characters.
   */
  const sent = (uri: string) => uri.replace(/[^\x21-\x7E]/gu, (character) => encodeURIComponent(character));
  const joined = (uri: string, beside: string) =>
    beside === '' ? uri : `${uri}${uri.includes('?') ? '&' : '?'}${beside}`;

  for (const [index, resource] of resourceFamilies.map(newestOf).entries()) {
    // The format and the parameters of a batch do not depend on the resources in it, so one list and one detail suffice.
    const others = index < 2 ? (['xml', 'deu'] as const) : [];
    for (const way of ['json', ...others] as const) {
      const { format, beside } = WAYS[way];
      it(`to all requests of ${resource.path}, ${beside === '' ? format : beside}`, async () => {
        // A batch asks for each resource in the same way, so one list and one detail try a token with fewer rights.
        for (const shown of index < 2 ? [token, limited] : [token]) {
          const ask = askingWith(api.client, shown);
          const uris = addressesOf(resource).map(sent);
          const overruled = uris.filter((uri) => !(beside.includes('$lang') && /\$(lang|db)=/.test(uri)));
          for (let index = 0; index < overruled.length; index += 20) {
            const asked = overruled.slice(index, index + 20);
            const singles = [];
            for (const uri of asked) singles.push({ uri, text: (await ask(joined(uri, beside))).text });
            const expected = documentOf(singles, format);
            const answer = await inTime(() => ask(batchOf(asked, beside)), expected);
            expect(answer.status, answer.text).to.equal(200);
            expect(answer.text).to.equal(expected);
          }
        }
      });
    }
  }

  it(`to any mix of requests (seed ${seed})`, async () => {
    const ask = askingWith(api.client, token);
    const all = resourceFamilies.flatMap((family) => addressesOf(newestOf(family))).map(sent);
    const single = new Map<string, string>();
    const textOf = async (uri: string) => {
      const known = single.get(uri) ?? (await ask(uri)).text;
      single.set(uri, known);
      return known;
    };
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(fc.nat(), fc.constantFrom(...all)), {
          ...{ minLength: 1, maxLength: 20, selector: ([number]) => number },
        }),
        async (asked) => {
          const query = asked
            .map(([number, uri]) => `resource${number}=${encodeURIComponent(uri)}`)
            .join('&');
          const parts = [];
          for (const [number, uri] of asked) {
            parts.push({ uri, batchId: `resource${number}`, text: await textOf(uri) });
          }
          const expected = documentOf(parts, 'json');
          expect((await inTime(() => ask(`/batch?${query}`), expected)).text).to.equal(expected);
        },
      ),
      { seed, numRuns: shareOf(25) },
    );
  });
});
