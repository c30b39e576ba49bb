import type { Resource } from '@takt/catalogue/resources';
import { expect } from 'chai';
import type { ListPlan, Plan } from '../../src/plan/plan.js';
import { readPage } from '../../src/sql/read-page.js';
import { mayTakeLong } from '../../src/sql/statement-cache.js';
import { type Parameters, planOf } from '../support/ask.js';
import { errorMessage, planSuggestions, productionTimes, products } from '../support/resources.js';

/**
 * Returns for each statement of a page if it may take long. The statements are those of a page for which no walk finds
 * a row.
 */
async function statementsOf(plan: Plan): Promise<readonly boolean[]> {
  if (plan.kind === 'detail') return [mayTakeLong(plan)];
  const run: ListPlan[] = [];
  await readPage(plan, async (part) => {
    run.push(part);
    return { rows: [], ended: [] };
  });
  return run.map(mayTakeLong);
}

const asked = (parameters: Parameters, resource: Resource = productionTimes) =>
  statementsOf(planOf(resource, parameters));

describe('A statement', () => {
  it('is not expected to take long if an index provides the object or the page', async () => {
    expect(await asked({}, errorMessage)).to.deep.equal([false]);
    expect(await asked({}, products)).to.deep.equal([false]);
    for (const parameters of [{}, { $inlinecount: 'allpages' }, { $orderby: 'RunTime desc' }, { $top: 80 }]) {
      expect(await asked(parameters), JSON.stringify(parameters)).to.deep.equal([false]);
    }
  });

  it('may take long if it may have to read all rows for a search, an offset, a count or an order', async () => {
    for (const parameters of [{ search: 'gear' }, { $skip: 10_000 }, { $filter: 'ProductId eq 5' }]) {
      expect(await asked(parameters), JSON.stringify(parameters)).to.deep.equal([true]);
    }
    expect(await asked({ $inlinecount: 'allpages' }, products)).to.deep.equal([true]);
    expect(await asked({}, planSuggestions)).to.deep.equal([true]);
  });

  it('is not expected to take long if it reads a limited number of rows in the order of an index', async () => {
    expect(await asked({ $filter: 'RunTime add SetupTime gt 1' })).to.deep.equal([false, true]);
    const counted = { $filter: 'RunTime add SetupTime gt 1', $inlinecount: 'allpages' };
    expect(await asked(counted)).to.deep.equal([true, true]);
  });

  it('may take long if it evaluates a filter of 300 comparisons for each row that it reads', async () => {
    const $filter = Array.from({ length: 300 }, (_, index) => `RunTime add SetupTime eq ${index}`).join(
      ' or ',
    );
    expect(await asked({ $filter })).to.deep.equal([true, true]);
  });
});
