import { changeClientPermissions, createAccessToken, createApiClient } from '@takt/access';
import { newestOf, type Resource, resourceFamilies } from '@takt/catalogue/resources';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { storeDemoData } from '../support/demo-data.js';
import { linksOf } from '../support/links-of.js';
import type { Format } from '../support/served-resources.js';
import { type ApiAnswer, openTestApi, TOKEN_LIFETIME_MS, untilServed } from '../support/test-api.js';

const BASE = 'https://takt.example/erp';
const DEMO = { events: 3_000, structureVersions: 120, corrections: 0.03, companies: ['TEM-NO', 'TEM-SE'] };

/**
 * Maximum number of addresses that the crawl follows for each shape. Addresses of one shape have the same format, the
 * same purpose, and the same path except for identifiers. If one link is broken, all links of its shape are broken.
 */
const OF_ONE_SHAPE = 2;
const WIDTH = 8;

const formats: readonly Format[] = ['json', 'xml', 'html'];

/**
 * Start addresses of the crawl. ERRORS return errors of several statuses. ALONE are pages without a link from any other
 * page.
 */
const ERRORS = [
  ...['/nothing?', '/product/products/999999999?', '/product/structure-versions/x?', '/system/users/999?'],
  ...['/system/companies/999?', '/system/permissions/999?', '/system/applications/99999?'],
  ...['/product/structure-versions/999/aggregated-production-times/months?', '/product/products?$top=0&'],
];
const ALONE = [
  '/product/structure-versions/aggregated-production-times?$orderby=AverageRunTime%20desc&$inlinecount=allpages&',
  '/product/structure-versions/aggregated-production-times?$filter=RunTime%20eq%20null%20and%20false&',
  '/product/structure-versions/100001/aggregated-production-times?$expand=Months&',
  '/product/products?search=a&$top=3&$expand=PagingDetails&',
  '/metadata?uri=/product/products&$expand=ApplicableDomainValues&',
];

interface Crawl {
  /** Status of each visited address. */
  readonly visited: ReadonlyMap<string, number>;
  readonly faults: readonly string[];
}

/** An address that the crawl has yet to visit. `status` is the expected status, or undefined for a start address. */
interface Waiting {
  readonly href: string;
  readonly status: number | undefined;
  readonly from: string;
}

/** Returns true if the crawl shall follow the link. */
type Follows = (link: {
  readonly href: string;
  readonly where: string;
  readonly from: string;
  /** Status of the document that contains the link. */
  readonly status: number;
}) => boolean;

const identified = (path: string) => path.replace(/\d+/g, '{}');
const everything: Follows = () => true;

/**
 * Returns the path and query of an address on the server, or undefined for an address elsewhere. Only health checks are
 * outside the base URL, at the root of the server.
 */
const targetOf = (href: string) =>
  href.startsWith('https://takt.example/') ? href.slice(20).replace(/#.*/, '') : undefined;

/** Addresses of standards that the documentation links to. The crawl does not follow them. */
const OUTSIDE = ['https://cloudevents.io/'];

/**
 * Parameters that define the purpose of a link. The first parameter in this order counts if a link has several of them.
 */
const PURPOSES = ['$pageKey', '$orderby', '$filter', '$top', '$lang'];

function shapeOf(href: string): string {
  const { pathname, searchParams } = new URL(href);
  const purpose = PURPOSES.find((name) => searchParams.has(name)) ?? '';
  return [identified(pathname), searchParams.get('$format'), purpose].join(' ');
}

describe('every link that is served', function () {
  this.timeout(180_000);
  const service = opened(() => openTestApi({ companies: ['TEM-NO', 'TEM-SE'], baseUrlOf: () => BASE }));

  before(async () => {
    await storeDemoData(service.database, DEMO);
  });

  const ask = (target: string, token: string): Promise<ApiAnswer> =>
    untilServed(() => service.client.send('GET', target, { authorization: `Bearer ${token}` }));

  const createLimitedToken = async () => {
    const { database } = service;
    const { clientId } = await createApiClient(database, { name: 'Planning', isPublic: true });
    await changeClientPermissions(database, clientId, { add: ['production-times'] });
    const { token } = await createAccessToken(database, {
      ...{ companyCodes: ['TEM-NO'], expiresInMs: TOKEN_LIFETIME_MS },
      ...{ clientId, duties: ['read-production-times'] },
    });
    return token;
  };

  async function crawl(token: string, starts: readonly string[], follows: Follows): Promise<Crawl> {
    const visited = new Map<string, number>();
    const faults: string[] = [];
    const shapes = new Map<string, number>();
    const waiting: Waiting[] = starts.map((start) => ({ href: BASE + start, status: undefined, from: '' }));
    const known = new Set(waiting.map(({ href }) => href));
    const visit = async ({ href, status, from }: Waiting) => {
      const target = targetOf(href);
      if (target === undefined) {
        faults.push(`${href} leads elsewhere, from ${from}`);
        return;
      }
      const answer = await ask(target, token);
      visited.set(href, answer.status);
      if (status !== undefined && answer.status !== status) {
        faults.push(`${answer.status} at ${href}, from ${from}`);
      }
      const format = formatOf(answer);
      // Ignores the links in the OpenAPI document: its examples are not from the demo data.
      if (format === undefined || target.includes('/openapi.json')) return;
      for (const { href: found, where } of await linksOf(answer.text, format, href)) {
        if (OUTSIDE.includes(found)) continue;
        if (known.has(found) || !follows({ href: found, where, from: href, status: answer.status })) continue;
        known.add(found);
        const shape = shapeOf(found);
        const count = (shapes.get(shape) ?? 0) + 1;
        shapes.set(shape, count);
        // The page of an error links to itself in other languages and formats, which return the same status.
        const isSame = new URL(found).pathname === new URL(href).pathname;
        const expected = isSame ? answer.status : 200;
        if (count <= OF_ONE_SHAPE) {
          waiting.push({ href: found, status: expected, from: `${where} of ${href}` });
        }
      }
    };
    while (waiting.length > 0) await Promise.all(waiting.splice(0, WIDTH).map(visit));
    return { visited, faults };
  }

  /** Returns the resources that the crawl has read successfully in a format. */
  const servedIn = ({ visited }: Crawl, format: Format): readonly string[] => {
    const paths = [...visited].flatMap(([href, status]) =>
      status === 200 && href.includes(`$format=${format}`) ? [identified(new URL(href).pathname)] : [],
    );
    const known = new Set(paths);
    return resourceFamilies.flatMap(({ path }) =>
      known.has(new URL(BASE).pathname + path.replace(/\{\w+\}/g, '{}')) ? [path] : [],
    );
  };

  const pathsOf = (isMeant: (resource: Resource) => boolean) =>
    resourceFamilies.filter((family) => isMeant(newestOf(family))).map(({ path }) => path);

  for (const format of formats) {
    it(`works for a token with all permissions: ${format}`, async () => {
      const starts = ['/?', ...ERRORS, ...ALONE].map((start) => `${start}$format=${format}`);
      const other = format === 'html' ? [`/?$format=html&$lang=pol`] : [];
      const crawled = await crawl(service.token, [...starts, ...other], everything);
      expect(crawled.faults).to.deep.equal([]);
      expect(servedIn(crawled, format)).to.deep.equal(pathsOf(() => true));
    });

    it(`works for a token with production times only: ${format}`, async () => {
      const token = await createLimitedToken();
      const list = '/product/structure-versions/aggregated-production-times?';
      const starts = [list, ...ALONE.slice(2), ...ERRORS].map((start) => `${start}$format=${format}`);
      // Skips lists and messages in errors, the index and the documentation, because their links do not depend on the
      // token.
      const crawled = await crawl(
        token,
        starts,
        ({ href, where, from, status }) =>
          !(where.startsWith('header ') && (status !== 200 || from.includes('/docs'))) &&
          !/\/$|^[^?]*\/\?/.test(href) &&
          !(href.includes('error-messages') && status !== 200),
      );
      expect(crawled.faults).to.deep.equal([]);
      expect(servedIn(crawled, format)).to.include.members(
        pathsOf(
          ({ kind, clientPermission, path }) =>
            clientPermission === 'production-times' && (kind === 'detail' || path.includes('{')),
        ),
      );
    });
  }

  it('is correct in the OpenAPI document and in the metadata of the authorization server', async () => {
    const openApi = JSON.parse((await ask('/erp/openapi.json', '')).text);
    const servers: readonly { readonly url: string }[] = openApi.servers;
    expect(servers).to.deep.equal([{ url: BASE }]);
    for (const url of [`${servers[0]?.url}/`, openApi.info.contact.url]) {
      expect((await ask(targetOf(url) ?? '', '')).status, url).to.equal(200);
    }
    const metadata = JSON.parse((await ask('/.well-known/oauth-authorization-server/erp', '')).text);
    for (const [name, url] of Object.entries(metadata)) {
      if (!name.endsWith('_endpoint')) continue;
      const method = name === 'authorization_endpoint' ? 'GET' : 'POST';
      const { status } = await service.client.send(method, targetOf(String(url)) ?? '', {});
      expect(status, name).not.to.be.oneOf([404, 500]);
    }
  });
});

function formatOf({ headers }: ApiAnswer): Format | undefined {
  const type = String(headers['content-type']).split(';', 1)[0] ?? '';
  return ({ 'application/json': 'json', 'application/xml': 'xml', 'text/html': 'html' } as const)[type];
}
