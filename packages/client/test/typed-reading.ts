import { type Failure, filter, listOf, objectOf, openClient } from '@takt/client';

const MONTHS = '/product/structure-versions/{productStructureVersionId}/aggregated-production-times/months';

/**
 * Contains code that must compile and code that must not. The code never runs. The compiler checks it in the build of
 * this repository, and with the packed package in an empty project.
 */
export async function reading(): Promise<unknown> {
  const takt = openClient({ baseUrl: 'http://127.0.0.1:3000', token: async () => 'token' });

  const page = await takt.list('/product/structure-versions/aggregated-production-times', {
    filter: filter`ProductName eq ${'Pump'} and RunTime gt ${0.5}`,
    orderBy: ['HoursOverPlan desc', 'ProductName'],
    expand: ['PlanComparison'],
    top: 5,
    search: 'pump',
  });
  // @ts-expect-error: a page has rows only where the call succeeded
  page.items;
  if (!page.ok) return page.error.kind === 'api' ? page.error.errorMessageId : page.error.message;
  const [row] = page.items;
  row?.productStructureVersion.productStructure.product.name satisfies string | undefined;
  row?.planComparison?.hoursOverPlan satisfies number | null | undefined;
  row?.aggregatedProductionTimes.processing.averageRunTime satisfies number | null | undefined;
  // @ts-expect-error: what not everybody may see can be missing
  row?.plannedProductionTimes.processing;
  // @ts-expect-error: there is no such field
  row?.productStructureVersion.colour;
  // @ts-expect-error: it may be missing
  row?.aggregatedProductionTimes.processing.averageRunTime satisfies number | undefined;

  const selected = await takt.list('/product/structure-versions/aggregated-production-times', {
    select: ['productStructureVersion.name', 'aggregatedProductionTimes.processing'],
  });
  if (!selected.ok) return selected.error satisfies Failure;
  selected.items[0]?.productStructureVersion.name satisfies string | undefined;
  selected.items[0]?.aggregatedProductionTimes.processing.longestRunTime satisfies number | null | undefined;
  // @ts-expect-error: it was not selected
  selected.items[0]?.productStructureVersion.revision;
  // @ts-expect-error: neither was this
  selected.items[0]?.aggregatedProductionTimes.changeover;

  for await (const { message } of takt.each('/system/error-messages', { select: ['message'] })) {
    message satisfies string;
  }
  const product = await takt.get('/product/products/{productId}', { productId: 10_001 });
  if (product.ok) product.value.structureVersions[0]?.revision satisfies string | undefined;
  await takt.list(MONTHS, { productStructureVersionId: 100_001, orderBy: 'Month desc' });
  await takt.list('/product/products');
  const described = await takt.get('/metadata', { uri: '/product/products', expand: ['URIParameters'] });
  if (described.ok) described.value.uriParameters?.[0]?.datatype satisfies string | undefined;

  const batch = await takt.batch([
    listOf('/product/products', { top: 1, select: ['name'] }),
    objectOf('/product/products/{productId}', { productId: 10_001 }),
  ]);
  if (!batch.ok) return batch.error;
  const [listed, one] = batch.answers;
  if (listed.ok) listed.items[0]?.name satisfies string | undefined;
  if (one.ok) one.value.productId satisfies number;
  // @ts-expect-error: it was not selected
  if (listed.ok) listed.items[0]?.productId;
  // @ts-expect-error: an object has no items
  if (one.ok) one.items;
  // @ts-expect-error: there were two requests
  batch.answers[2];
  // @ts-expect-error: the path has an identifier
  objectOf('/product/products/{productId}');
  // @ts-expect-error: of what?
  await takt.get('/metadata');
  // @ts-expect-error: of which field?
  await takt.list('/system/domain-values/applicable-values', { object: 'Product' });

  // @ts-expect-error: there is no such path
  await takt.list('/product/product');
  // @ts-expect-error: an object is no list
  await takt.list('/product/products/{productId}', { productId: 10_001 });
  // @ts-expect-error: the path has an identifier
  await takt.get('/product/products/{productId}');
  // @ts-expect-error: of another name
  await takt.get('/product/products/{productId}', { id: 10_001 });
  // @ts-expect-error: which is a number
  await takt.get('/product/products/{productId}', { productId: '10001' });
  // @ts-expect-error: there is no such option
  await takt.list('/product/products', { flter: 'true' });
  // @ts-expect-error: there is no such field
  await takt.list('/product/products', { orderBy: 'Colour' });
  // @ts-expect-error: there is no such direction
  await takt.list('/product/products', { orderBy: 'Name downwards' });
  // @ts-expect-error: there is no such field
  await takt.list('/product/products', { select: ['colour'] });
  // @ts-expect-error: products have none
  await takt.list('/product/products', { expand: ['PlanComparison'] });
  // @ts-expect-error: months take no search
  await takt.list(MONTHS, { productStructureVersionId: 1, search: 'a' });
  // @ts-expect-error: undefined is no value: null asks for what is missing
  filter`Name eq ${undefined}`;
  return undefined;
}
