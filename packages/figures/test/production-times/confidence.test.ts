import { createTestDatabase } from '@takt/database/testing';
import { opened, randomFrom, shareOf, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import { Decimal } from 'decimal.js';
import { intervalOf, probabilityWithin, verdictOf } from './student-t.js';

const Exact = Decimal.clone({ precision: 60 });

/** The 0.975 quantiles from printed tables, by degrees of freedom. */
const PUBLISHED: Readonly<Record<number, string>> = {
  ...{ 1: '12.706205', 2: '4.302653', 3: '3.182446', 4: '2.776445', 5: '2.570582', 6: '2.446912' },
  ...{ 7: '2.364624', 8: '2.306004', 9: '2.262157', 10: '2.228139', 11: '2.200985', 12: '2.178813' },
  ...{ 13: '2.160369', 14: '2.144787', 15: '2.131450', 16: '2.119905', 17: '2.109816', 18: '2.100922' },
  ...{ 19: '2.093024', 20: '2.085963', 21: '2.079614', 22: '2.073873', 23: '2.068658', 24: '2.063899' },
  ...{ 25: '2.059539', 26: '2.055529', 27: '2.051831', 28: '2.048407', 29: '2.045230', 30: '2.042272' },
  ...{ 40: '2.021075', 50: '2.008559', 60: '2.000298', 80: '1.990063', 100: '1.983972' },
  ...{ 120: '1.979930', 200: '1.971896', 1000000000000: '1.959964' },
};

const CASES = shareOf(2_000);
const seed = testSeed();
const random = randomFrom(seed);

interface Case {
  readonly times: readonly string[];
  readonly planned: string | null;
}

const hoursOf = (microhours: number) => (microhours / 1e6).toFixed(6);

/**
 * Generates times and a plan. The times scatter little, much or not at all. The plan is often at a bound of the
 * confidence interval, or a microhour away from the bound.
 */
function anyCase(): Case {
  const [middle, spread] = [random.pick([3, 500, 2_500_000]), random.pick([1, 2, 700, 900_000])];
  const times = Array.from({ length: random.below(random.pick([6, 14, 130])) }, () =>
    hoursOf(middle + random.below(spread)),
  );
  const bound = intervalOf(times)?.[random.below(2)];
  if (random.below(8) === 0) return { times, planned: null };
  const isAnywhere = bound === undefined || random.below(3) === 0;
  if (isAnywhere) return { times, planned: hoursOf(middle + random.below(spread)) };
  const beside = bound.times(1e6).toNumber() + random.below(3) - 1;
  return { times, planned: hoursOf(Math.max(0, beside)) };
}

describe(`the confidence interval of a mean (seed ${seed})`, () => {
  const test = opened(createTestDatabase);

  const quantiles = async (degrees: readonly number[]) => {
    const { rows } = await test.database.pool.query<{ quantile: string }>(
      'SELECT takt.t_quantile(degrees)::text AS quantile FROM unnest($1::bigint[]) WITH ORDINALITY AS asked (degrees, place) ORDER BY place',
      [degrees],
    );
    return rows.map(({ quantile }) => quantile);
  };

  it('uses the quantiles that printed tables give for Student’s t distribution', async () => {
    const degrees = Object.keys(PUBLISHED).map(Number);
    const rounded = (await quantiles(degrees)).map((quantile) => Number(quantile).toFixed(6));
    expect(rounded).to.deep.equal(Object.values(PUBLISHED));
  });

  it('uses quantiles that are exact to 25 decimals', async () => {
    const degrees = [...Array.from({ length: 200 }, (_, index) => index + 1), 275, 500, 999, 1_000, 3_001];
    for (const [index, quantile] of (await quantiles(degrees)).entries()) {
      const own = degrees[index] ?? 0;
      const [below, above] = [-1, 1].map((side) =>
        probabilityWithin(new Exact(quantile).plus(new Exact('0.51e-25').times(side)), own),
      );
      expect(below?.lt('0.95') && above?.gt('0.95'), `${own}: ${quantile}`).to.equal(true);
    }
  });

  it(`equals its definition in decimal arithmetic, in ${CASES} random cases`, async () => {
    const cases = Array.from({ length: CASES }, anyCase);
    const { rows } = await test.database.pool.query(
      `SELECT takt.mean_bound(n, total, squares, -1)::text AS low, takt.mean_bound(n, total, squares, 1)::text AS high,
         takt.verdict_of_mean(n, total, squares, takt.population_deviation_microhours(n, total, squares),
           takt.microhours_over_plan(n, total, planned)::bigint, planned) AS verdict
       FROM json_array_elements($1) WITH ORDINALITY AS asked (one, place)
       CROSS JOIN LATERAL (
         SELECT count(*) AS n, coalesce(sum(time), 0) AS total, coalesce(sum(time * time), 0) AS squares,
           ((one ->> 'planned')::numeric * 1000000)::bigint AS planned
         FROM json_array_elements_text(one -> 'times') AS text, LATERAL (SELECT text::numeric(13,6) AS time) AS cast_once
       ) AS summed
       ORDER BY place`,
      [JSON.stringify(cases)],
    );
    const verdicts = new Map<string | null, number>();
    for (const [index, { times, planned }] of cases.entries()) {
      const [low, high] = intervalOf(times)?.map((bound) => bound.times(1e6).toFixed(0)) ?? [null, null];
      const verdict = verdictOf(times, planned);
      verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
      expect(rows[index], `${planned}: ${times.join()}`).to.deep.equal({ low, high, verdict });
    }
    for (const count of [null, 'over', 'under', 'unsure'].map((verdict) => verdicts.get(verdict) ?? 0)) {
      expect(count).to.be.above(CASES / 50);
    }
  });

  it('is right to the last decimal for few and for large times, also at many degrees of freedom', async () => {
    const bounds = async (n: number, ...times: readonly string[]) => {
      const { rows } = await test.database.pool.query(
        `SELECT takt.mean_bound($1, sum(time), sum(time * time), -1)::text AS low,
           takt.mean_bound($1, sum(time), sum(time * time), 1)::text AS high
         FROM unnest($2::numeric(13,6)[]) AS time, generate_series(1, $1::integer / cardinality($2::numeric(13,6)[]))`,
        [n, times],
      );
      return rows[0];
    };
    expect(await bounds(2, '0', '0.34796')).to.deep.equal({ low: '-2036645', high: '2384605' });
    expect(await bounds(2, '0', '1000000')).to.deep.equal({ low: '-5853102368087', high: '6853102368087' });
    for (const n of [2, 4, 64, 100, 102, 104, 110, 120, 200, 500, 1_000]) {
      const times = Array.from({ length: n }, (_, index) =>
        index % 2 === 0 ? '0.000000' : '1000000.000000',
      );
      const [low, high] = intervalOf(times)?.map((bound) => bound.times(1e6).toFixed(0)) ?? [];
      expect(await bounds(n, '0', '1000000'), String(n)).to.deep.equal({ low, high });
    }
  });

  it('is right for sums at the limits of the event contract', async () => {
    const { rows } = await test.database.pool.query(
      `SELECT takt.mean_bound(n, n * 1000000, n * 1e12, -1)::text AS same, takt.mean_bound(n, n * 500000, n * 5e11, 1)::text AS spread,
         takt.verdict_of_mean(n, n * 1000000, n * 1e12, 0, 9000000000000000000, 0) AS bounded
       FROM (VALUES (20000000::bigint)) AS one (n)`,
    );
    // Half of the times are 0 h and half are 1,000,000 h. So the bound is 500,000 h + t * 500,000 h / sqrt(n - 1).
    expect(rows[0]).to.deep.equal({ same: '1000000000000', spread: '500219130654', bounded: 'over' });
  });
});
