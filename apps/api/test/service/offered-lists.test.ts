import { type AccessGrant, writeSession } from '@takt/access';
import { newestOf, resourceFamilies } from '@takt/catalogue/resources';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { createService } from '../../src/service/create-service.js';
import { BASE_URL, openTestApi } from '../support/open-test-api.js';
import { companyOf, grantFor, requestOf, routeAt, wholeOf } from '../support/requests.js';
import { planSuggestions, productionTimes, productProductionTimes, products } from '../support/resources.js';

type Limits = Partial<Pick<AccessGrant, 'permissions' | 'duties' | 'pid' | 'personName'>>;

const found = resourceFamilies
  .map(newestOf)
  .filter(
    ({ kind, path, parameters = [] }) =>
      kind === 'list' && !path.includes('{') && !parameters.some(({ isRequired }) => isRequired),
  );
/** True for the list of the start page. It is the first list in the navigation. */
const isFirst = ({ identifier }: (typeof found)[number]) => identifier === productProductionTimes.identifier;
const lists = [...found.filter(isFirst), ...found.filter((list) => !isFirst(list))].filter(
  (list) => list.kind === 'list' && list.browsing !== undefined,
);
const everything = lists.map(({ path }) => path);
const readable = (isReadable: (list: (typeof lists)[number]) => boolean) =>
  lists.filter(isReadable).map(({ path }) => path);

describe('The navigation of an HTML page', () => {
  const api = opened(openTestApi);

  /**
   * Returns the page at a path. The request has a browser session with a token of these rights. It has no token if
   * `limits` is undefined.
   */
  const pageAt = async (path: string, limits: Limits | undefined, query = ''): Promise<string> => {
    const session = { token: 'known', isGiven: false };
    const service = createService({ ...api, findToken: async () => grantFor([companyOf(api)], limits) });
    const route = routeAt(service.routes, path);
    const cookie =
      limits === undefined ? {} : { cookie: writeSession(session, BASE_URL).split(';')[0] ?? '' };
    const queryText = `$format=html&$db=TEM-NO${query}`;
    return wholeOf(await route.answer(requestOf({ path, queryText, headers: cookie }))).toString();
  };
  const pathsIn = (html: string, start: string, end: string): readonly string[] => {
    const part = html.slice(html.indexOf(start), html.indexOf(end, html.indexOf(start)));
    return [...part.matchAll(/href="([^"?]*)/g)].map(([, href = '']) => href.slice(BASE_URL.length));
  };
  const offered = (html: string) => pathsIn(html, '<ul>', '</ul>');

  it('links to all lists for readers with all rights, and to nothing for readers who are not signed in', async () => {
    expect(offered(await pageAt(products.path, {}))).to.deep.equal(everything);
    for (const path of ['/', products.path]) {
      const page = await pageAt(path, undefined);
      expect(page, path).to.include('name="login"').and.not.to.include('aria-label="Places"');
    }
  });

  it('links to the pages of operators that the duties of a person allow', async () => {
    const operations = async (limits: Limits) =>
      offered(await pageAt(products.path, { pid: 7, personName: 'Kari', ...limits })).filter((path) =>
        path.startsWith('/operations'),
      );
    const all = ['read-production-times', 'operate-queues', 'manage-access'] as const;
    expect(await operations({ duties: all })).to.deep.equal([
      '/operations/',
      '/operations/rejected',
      '/operations/import',
      '/operations/access',
    ]);
    expect(await operations({ duties: ['read-production-times'] })).to.deep.equal([
      '/operations/',
      '/operations/rejected',
    ]);
  });

  it('links only to the lists that the permissions of the client allow', async () => {
    const html = await pageAt(products.path, { permissions: ['production-times'] });
    expect(offered(html)).to.deep.equal(
      readable(({ clientPermission }) => clientPermission === 'production-times'),
    );
  });

  it('links only to lists for which the reader has all duties, even on the index and on an error page', async () => {
    const limits: Limits = { duties: ['read-production-times'] };
    const expected = readable(
      ({ duty, furtherDuty }) => duty === 'read-production-times' && furtherDuty === undefined,
    );
    expect(expected).to.include(productionTimes.path).and.not.to.include(planSuggestions.path);
    for (const [path, query] of [
      [products.path, ''],
      [products.path, '&$filter=Colour+eq+1'],
      ['/', '&view=resources'],
    ] as const) {
      expect(offered(await pageAt(path, limits, query)), path + query).to.deep.equal(expected);
    }
  });

  it('links to plan suggestions only for readers who may see plans', async () => {
    const trusted = await pageAt(productionTimes.path, {});
    expect(offered(trusted)).to.include(planSuggestions.path);
    expect(trusted).to.include(`>${planSuggestions.title.eng}</a>`);
    const limited = await pageAt(productionTimes.path, { duties: ['read-production-times'] });
    expect(limited).not.to.include(planSuggestions.title.eng).and.not.to.include(planSuggestions.path);
  });
});
