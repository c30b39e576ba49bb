import { type Field, isMissingWith, isNothingWith, queryFieldsOf } from '@takt/resources';
import { expect } from 'chai';
import { insertStructureVersions } from '../harness/insert-rows.js';
import { openTestApi, type TestApi } from '../harness/open-test-api.js';
import { productionTimeFields } from '../harness/queried-fields.js';
import { productionTimes } from '../harness/resources.js';

const KINDS = ['run', 'setup', 'cleanup'] as const;
const PLANS = [null, '0', '1.25'];

/** Each kind planned, not planned or planned with nothing, and reported or not, beside each other. */
const versions = Array.from({ length: (2 * PLANS.length) ** KINDS.length }, (_, index) => {
  const choices = KINDS.map((kind, place) => [kind, Math.floor(index / 6 ** place) % 6] as const);
  return {
    id: 1 + index,
    planned: Object.fromEntries(choices.map(([kind, choice]) => [kind, PLANS[choice % 3] ?? null])),
    actual: Object.fromEntries(choices.map(([kind, choice]) => [kind, choice < 3 ? [] : ['1', '2']])),
  };
}).filter(({ planned }) => Object.values(planned).some((hours) => hours !== null));

const columns: Readonly<Record<string, string>> = productionTimeFields;
const decimals = [...queryFieldsOf(productionTimes).values()].filter(({ type }) => type === 'decimal');

describe('decimals of which the definitions say', () => {
  let api: TestApi;
  before(async () => {
    api = await openTestApi();
    await insertStructureVersions(api.owner, versions);
  });
  after(() => api.close());

  /** The identifiers of the rows in which a field is one of the values. */
  const rowsWhere = async ({ name }: Field, values: readonly (0 | null)[]): Promise<ReadonlySet<string>> => {
    const { rows } = await api.owner.query<{ readonly id: string }>(
      `SELECT product_structure_version_id AS id FROM takt.product_structure_versions
       WHERE (${columns[name]} IS NULL AND $1) OR ${columns[name]} = ANY ($2::bigint[])`,
      [values.includes(null), values.filter((value) => value !== null)],
    );
    return new Set(rows.map(({ id }) => id));
  };

  for (const [what, values, isDefined, one] of [
    ['missing together', [null], isMissingWith, 'CleanupTimeOverPlanPercent, CleanupTimeDifference'],
    ['0 or missing', [null, 0], isNothingWith, 'RunTimeHoursOverPlan, AverageRunTime'],
  ] as const) {
    it(`that they are ${what} with others are so in every row, and no more of them`, async () => {
      const missing = await Promise.all(decimals.map((field) => rowsWhere(field, [null])));
      const bounded = await Promise.all(decimals.map((field) => rowsWhere(field, values)));
      const pairsOf = (holds: (at: number, of: number) => boolean) =>
        decimals.flatMap(({ name }, at) =>
          decimals.flatMap((other, of) => (holds(at, of) ? [`${name}, ${other.name}`] : [])),
        );
      const met = pairsOf((at, of) => {
        const without = [...(missing[of] ?? [])];
        return without.length > 0 && without.every((id) => bounded[at]?.has(id));
      });
      const defined = pairsOf((at, of) => isDefined(decimals[at] as Field, decimals[of] as Field));
      expect(defined).to.deep.equal(met).and.to.include(one);
    });
  }
});
