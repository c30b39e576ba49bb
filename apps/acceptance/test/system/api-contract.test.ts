import { expect } from 'chai';
import { type Json, leavesOfJson, leavesOfXml } from '../support/document.js';
import { type DocumentChecks, openDocumentChecks } from '../support/document-checks.js';
import {
  applicationVersion,
  storeMasterData,
  storeSamples,
  structureVersion,
} from '../support/master-data.js';
import {
  APPLICATION_VERSION_ID,
  asking,
  contentTypes,
  type Format,
  formats,
  servedResources,
} from '../support/served-resources.js';
import { openTestApi, type TestApi } from '../support/test-api.js';

const ACCEPTED: readonly (readonly [string, Format])[] = [
  ['application/json', 'json'],
  ['application/xml', 'xml'],
  ['text/xml', 'xml'],
  ['application/xml;charset=utf-8', 'xml'],
  ['text/html,application/xhtml+xml,*/*;q=0.8', 'html'],
];

/**
 * Matches documents without the name of a structure version and without the name of the first application version. New
 * names must not change the ETags of these documents.
 */
const UNCHANGED =
  /error message|^\/product\/products |^\/product\/products\/aggregated|\/(?:months|work-order-operations) \$format=(?:json|xml)|distribution|applications |\{applicationId\} |users|sessions|saved-views|metadata|domain/;

interface ServiceIndex {
  readonly resources: readonly {
    readonly path: string;
    readonly resourceId: number;
    readonly version: number;
    readonly resourceLink: string | null;
  }[];
  readonly documents: readonly { readonly documentLink: string }[];
}

/** Every way to request a format: the $format parameter, or an Accept header. */
const ways: readonly { readonly format: Format; readonly parameters: string; readonly accept: string }[] = [
  ...formats.map((format) => ({ format, parameters: `$format=${format}`, accept: 'image/png' })),
  ...ACCEPTED.map(([accept, format]) => ({ format, parameters: '', accept })),
];

describe('the API', function () {
  this.timeout(180_000);
  let service: TestApi;
  let checks: DocumentChecks;

  before(async () => {
    service = await openTestApi({ companies: ['TEM-NO'], baseUrlOf: () => 'https://takt.example/erp' });
    await storeSamples(service, ['TEM-NO']);
    checks = await openDocumentChecks(service.client);
  });
  after(async () => {
    checks?.close();
    await service?.close();
  });

  for (const resource of servedResources) {
    for (const { format, parameters, accept } of ways) {
      const what = `${resource.name} as ${format} by ${parameters === '' ? `Accept: ${accept}` : '$format'}`;
      const target = parameters === '' ? resource.path : asking(resource.path) + parameters;

      it(`serves ${what} with all its headers`, async () => {
        const { status, headers } = await service.client.get(target, { accept, 'x-request-id': 'r-1' });
        expect(status).to.equal(200);
        expect(headers).to.include({
          'content-type': contentTypes[format],
          'x-request-id': 'r-1',
          'resource-id': resource.identifier,
          'resource-version': String(resource.version),
          'content-language': 'en',
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'DENY',
          'referrer-policy': 'no-referrer',
        });
        expect(headers.vary)
          .to.match(/\bAccept\b/)
          .and.to.include('Accept-Language');
        expect(headers.vary).to.include('Authorization').and.to.include('Accept-Encoding');
        const html = 'private, no-store';
        expect(headers['cache-control']).to.equal(format === 'html' ? html : 'private, no-cache');
        expect(headers['content-security-policy']).to.include("default-src 'none'");
        expect(headers['transfer-encoding'] === 'chunked').to.equal(format === 'jsonstream');
      });

      it(`serves a valid document: ${what}`, async () => {
        const { text } = await service.client.get(target, { accept });
        await checks.expectValid(text, format, resource.template, '200');
      });

      it(`answers 304 to a client that already has the document: ${what}`, async () => {
        const { headers, text } = await service.client.get(target, { accept });
        const etag = String(headers.etag);
        expect(etag).to.match(/^W\/"[^"]{20,}"$/);
        const again = await service.client.get(target, { accept, 'if-none-match': etag });
        expect(again).to.include({ status: 304, text: '' });
        expect(again.headers.etag).to.equal(etag);
        const other = await service.client.get(target, { accept, 'if-none-match': '"other"' });
        expect(other.status).to.equal(200);
        expect(other.text.length).to.equal(text.length);
      });

      it(`answers HEAD with the headers of GET and without a body: ${what}`, async () => {
        const ask = { accept, authorization: `Bearer ${service.token}`, 'x-request-id': 'r-2' };
        const got = await service.client.send('GET', `/erp${target}`, ask);
        const head = await service.client.send('HEAD', `/erp${target}`, ask);
        expect(head).to.include({ status: 200, text: '' });
        // The answer to HEAD has no body, so it need not state a transfer encoding.
        const differing = ['date', 'transfer-encoding'];
        const comparable = (headers: object) =>
          Object.entries(headers).filter(([name]) => !differing.includes(name));
        expect(comparable(head.headers)).to.deep.equal(comparable(got.headers));
      });
    }

    it(`returns the same data of a resource in JSON, jsonstream and XML: ${resource.name}`, async () => {
      const parameters = '$showDomainDescriptions=true&$expand=PagingDetails';
      const texts = await Promise.all(
        ['json', 'jsonstream', 'xml'].map(async (format) => {
          const answer = await service.client.get(`${asking(resource.path)}$format=${format}&${parameters}`);
          return answer.text.replaceAll(`$format=${format}`, '$format=any');
        }),
      );
      const [json = '', stream = '', xml = ''] = texts;
      expect(stream).to.equal(json);
      const document: Json = JSON.parse(json);
      // XML writes & as &amp; in the addresses of pages. leavesOfXml decodes &amp;, so the addresses are comparable.
      const xmlLeaves = leavesOfXml(xml.replaceAll('$format=xml', '$format=any'));
      expect([...xmlLeaves]).to.deep.equal([...leavesOfJson(document)]);
      // Ensures that the compared documents are not empty. They must contain the selected field and the requested
      // description. A list must also contain the page key.
      const present = [...xmlLeaves].flatMap(([leaf, value]) => (value === null ? [] : leaf));
      expect(present).to.include.members([resource.selected.leaf, resource.description ?? []].flat());
      if (resource.kind === 'list') expect(present).to.include('/paging/firstPageKey');
    });
  }

  for (const target of ['/erp', '/erp/']) {
    it(`lists the resources at ${target} without a token, in every format`, async () => {
      for (const { format, parameters, accept } of ways) {
        const answer = await service.client.send('GET', `${target}?${parameters}`, { accept });
        expect(answer.status, answer.text).to.equal(200);
        expect(answer.headers['content-type']).to.equal(contentTypes[format]);
        expect(answer.headers).to.include({ 'content-language': 'en' }).and.to.have.property('etag');
        await checks.expectValid(answer.text, format, '/', '200');
        const etag = String(answer.headers.etag);
        const again = await service.client.send('GET', `${target}?${parameters}`, {
          accept,
          'if-none-match': etag,
        });
        expect(again.status).to.equal(304);
      }
      const { text } = await service.client.send('GET', `${target}?$lang=nob&$db=TEM-NO`);
      const index: ServiceIndex = JSON.parse(text);
      const served = servedResources.map(({ template, path, identifier, version }) => ({
        path: template,
        resourceId: Number(identifier),
        version,
        // The index links to a resource if the path has no placeholder and the resource needs no parameter.
        hasLink: path === template,
      }));
      const listed = index.resources.map(({ path, resourceId, version, resourceLink }) => ({
        ...{ path, resourceId, version },
        hasLink: resourceLink !== null,
      }));
      expect(listed).to.deep.equal(served);
      for (const { resourceLink } of index.resources) {
        if (resourceLink === null) continue;
        expect(resourceLink).to.match(/\?\$db=TEM-NO$/);
        expect((await service.client.follow(resourceLink)).status).to.equal(200);
      }
      for (const { documentLink } of index.documents) {
        const { origin, pathname } = new URL(documentLink);
        expect(origin).to.equal('https://takt.example');
        expect((await service.client.send('GET', pathname)).status, pathname).to.equal(200);
      }
      expect((await service.client.send('GET', `${target}?$topp=1`)).status).to.equal(400);
      expect((await service.client.send('POST', target)).status).to.equal(404);
    });
  }

  it('gives every document its own ETag, and a new ETag when the document changes', async () => {
    const readTags = async () => {
      const tags = new Map<string, string>();
      for (const { path, name, description } of servedResources) {
        for (const parameters of [
          ...['$format=json', '$format=xml'],
          // Without parameters this page shows only items over plan. The test data has no such items. With an order,
          // the page shows all items.
          name === 'production times' ? '$format=html&$orderby=ProductName' : '$format=html',
          ...(description === undefined ? [] : ['$showDomainDescriptions=true']),
        ]) {
          const { headers } = await service.client.get(`${asking(path)}${parameters}`);
          tags.set(`${name} ${parameters}`, String(headers.etag));
        }
      }
      return tags;
    };
    const before = await readTags();
    expect(new Set(before.values()).size).to.equal(before.size);
    const changed = { changedAt: '2026-03-03T12:00:00Z', name: 'Renamed' };
    await storeMasterData(service, [
      structureVersion('TEM-NO', 1, changed),
      applicationVersion('TEM-NO', APPLICATION_VERSION_ID, changed),
    ]);
    for (const [what, etag] of await readTags()) {
      expect(etag !== before.get(what), what).to.equal(!UNCHANGED.test(what));
    }
  });
});
