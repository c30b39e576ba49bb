import {
  type DetailResource,
  type ListResource,
  type Node,
  newestOf,
  resourceFamilies,
} from '@takt/resources';
import { parseXml } from '@takt/test-support';
import { expect } from 'chai';
import { insertApplicationVersion, insertStructureVersions } from '../harness/insert-rows.js';
import { type ServedApi, serveApi } from '../harness/serve-api.js';

interface Selectable {
  /** As `$select` takes it. */
  readonly path: readonly string[];
  readonly isCollection: boolean;
}

/** What is served on request only and can be selected: fields and collections outside of collections. */
function expandablesIn(
  nodes: readonly Node[],
  around: readonly string[] = [],
  isInside = false,
): Selectable[] {
  return nodes.flatMap((node) => {
    const path = [...around, node.name];
    const isExpandable = isInside || node.expandedBy !== undefined;
    if (node.kind === 'group') return expandablesIn(node.children, path, isExpandable);
    return isExpandable ? [{ path, isCollection: node.kind === 'collection' }] : [];
  });
}

const QUERIES: Readonly<Record<string, string>> = { '/metadata': 'uri=/product/products' };

const jsonName = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

function valueAt(item: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((found, name) => {
    expect(found, `around ${name}`).to.be.an('object').that.has.all.keys(jsonName(name));
    return (found as Record<string, unknown>)[jsonName(name)];
  }, item);
}

describe('$select of what only $expand adds', () => {
  let api: ServedApi;
  let headers: { readonly authorization: string };

  before(async () => {
    api = await serveApi();
    await insertStructureVersions(api.owner, [
      { id: 7, planned: { run: '1', setup: '2', cleanup: '1' }, actual: { run: ['1.5', '2.5'] } },
    ]);
    await insertApplicationVersion(api.owner, { application_version_id: 100, application_id: 10_000 });
    headers = { authorization: `Bearer ${await api.createToken('TEM-NO')}` };
  });
  after(() => api?.close());

  const get = async (resource: ListResource | DetailResource, query: string) => {
    const path = resource.path.replace(/\{\w+\}/g, '7');
    const own = QUERIES[resource.path];
    const answer = await api.client.get(`${path}?${own === undefined ? '' : `${own}&`}${query}`, headers);
    expect(answer.status, answer.text.slice(0, 400)).to.equal(200);
    return answer;
  };

  const resources = resourceFamilies.map(newestOf).flatMap((resource) => {
    const selectable = expandablesIn(resource.fields);
    return selectable.length === 0 ? [] : [{ resource, selectable }];
  });

  it('is there to be selected', () => {
    expect(resources.map(({ resource }) => resource.path)).to.include.members([
      ...['/product/structure-versions/aggregated-production-times', '/metadata'],
    ]);
  });

  for (const { resource, selectable } of resources) {
    it(`serves it alone: ${resource.path}`, async () => {
      for (const { path, isCollection } of selectable) {
        const query = `$select=${path.join('.')}`;
        const document = JSON.parse((await get(resource, query)).text);
        const [content] = Object.values<unknown>(document);
        const item = resource.kind === 'list' ? (content as readonly unknown[])[0] : content;
        const value = valueAt(item, path);
        expect(Array.isArray(value), query).to.equal(isCollection);

        const { text: xml } = await get(resource, `${query}&$format=xml`);
        parseXml(xml);
        expect(xml, query).to.match(new RegExp(`<${path.at(-1)}[ />]`));
        const { text: html } = await get(resource, `${query}&$format=html`);
        expect(html, query).to.include('</main>');
      }
    });
  }

  it('serves a column with its values in CSV and XLSX', async () => {
    const list = '/product/structure-versions/aggregated-production-times';
    const csv = await api.client.get(`${list}?$format=csv&$select=ProductId,RunTimeDifference`, headers);
    expect(csv.text).to.equal('ProductId,RunTimeDifference\r\n7,1\r\n');
    const named = await api.client.get(`${list}?$format=csv&$select=PlanComparison.HoursOverPlan`, headers);
    expect(named.text).to.equal('HoursOverPlan\r\n2\r\n');
    const xlsx = await api.client.get(`${list}?$format=xlsx&$select=RunTimeDifference`, headers);
    expect(xlsx.status).to.equal(200);
  });

  it('gives what it gave where a name also fits what is served without', async () => {
    const { text } = await api.client.get(
      '/product/structure-versions/7/aggregated-production-times?$select=Changeover',
      headers,
    );
    const [item] = Object.values(JSON.parse(text));
    expect(item).to.have.all.keys('plannedProductionTimes', 'aggregatedProductionTimes');
  });
});
