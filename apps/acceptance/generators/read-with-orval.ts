import {
  getErrorMessage,
  listErrorMessages,
  listProductStructureVersionAggregatedProductionTimes as listProductionTimes,
} from './generated/orval/client';
import { report, token } from './reader';

const options = { headers: { authorization: `Bearer ${token}` } };

async function main(): Promise<void> {
  const page = await listProductionTimes(
    { $top: 3, $orderby: 'ProductName desc', $lang: 'nob', $showDomainDescriptions: true },
    options,
  );
  if (page.status !== 200) throw new Error(`answered with ${page.status}`);
  const all = await listErrorMessages({ $top: '$max' }, options);
  // @ts-expect-error: rows are counted, or as many as there can be
  void (() => listErrorMessages({ $top: 'many' }));
  // @ts-expect-error: no text exists in this language
  void (() => listErrorMessages({ $lang: 'ita' }));
  const missing = await getErrorMessage(999_999, undefined, options);
  report({
    rows: page.data.productStructureVersionAggregatedProductionTimes,
    nextPage: page.data.paging.nextPage,
    messages: all.status === 200 ? all.data.errorMessages : [],
    error: missing.status === 404 ? missing.data : undefined,
  });
}

void main();
