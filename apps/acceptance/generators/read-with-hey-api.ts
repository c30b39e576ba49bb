import {
  getErrorMessage,
  listErrorMessages,
  listProductStructureVersionAggregatedProductionTimes as listProductionTimes,
} from './generated/hey-api';
import { client } from './generated/hey-api/client.gen';
import { baseUrl, report, token } from './reader';

client.setConfig({ baseUrl, auth: token });

async function main(): Promise<void> {
  const { data, error } = await listProductionTimes({
    query: { $top: 3, $orderby: 'ProductName desc', $lang: 'nob', $showDomainDescriptions: true },
  });
  if (data === undefined) throw new Error(error.message);
  const all = await listErrorMessages({ query: { $top: '$max' } });
  // @ts-expect-error: rows are counted, or as many as there can be
  void (() => listErrorMessages({ query: { $top: 'many' } }));
  // @ts-expect-error: no text exists in this language
  void (() => listErrorMessages({ query: { $lang: 'ita' } }));
  const missing = await getErrorMessage({ path: { errorMessageId: 999_999 } });
  report({
    rows: data.productStructureVersionAggregatedProductionTimes,
    nextPage: data.paging.nextPage,
    messages: all.data?.errorMessages ?? [],
    error: missing.error,
  });
}

void main();
