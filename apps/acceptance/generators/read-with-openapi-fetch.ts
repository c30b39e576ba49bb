import createClient from 'openapi-fetch';
import type { paths } from './generated/openapi-typescript';
import { baseUrl, report, token } from './reader';

const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });

async function main(): Promise<void> {
  const { data, error } = await client.GET('/product/structure-versions/aggregated-production-times', {
    params: { query: { $top: 3, $orderby: 'ProductName desc', $lang: 'nob', $showDomainDescriptions: true } },
  });
  if (data === undefined) throw new Error(error.message);
  const all = await client.GET('/system/error-messages', { params: { query: { $top: '$max' } } });
  // @ts-expect-error: rows are counted, or as many as there can be
  void (() => client.GET('/system/error-messages', { params: { query: { $top: 'many' } } }));
  // @ts-expect-error: no text exists in this language
  void (() => client.GET('/system/error-messages', { params: { query: { $lang: 'ita' } } }));
  const missing = await client.GET('/system/error-messages/{errorMessageId}', {
    params: { path: { errorMessageId: 999_999 } },
  });
  report({
    rows: data.productStructureVersionAggregatedProductionTimes,
    nextPage: data.paging.nextPage,
    messages: all.data?.errorMessages ?? [],
    error: missing.error,
  });
}

void main();
