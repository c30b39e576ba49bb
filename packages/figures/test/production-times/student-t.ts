import { Decimal } from 'decimal.js';

const Exact = Decimal.clone({ precision: 60 });
const PI = Exact.acos(-1);
const DIGITS = 30;
/**
 * The 0.975 quantile of the normal distribution, rounded down. With many degrees of freedom, the quantiles of the t
 * distribution approach it.
 */
const LIMIT = new Exact('1.95996398454005423552');

/**
 * Returns the probability that a value of Student's t distribution is between -t and t. If the number of degrees of
 * freedom is whole, the probability is a finite sum of powers of the cosine of atan(t / sqrt(degrees)). Source:
 * Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4.
 */
export function probabilityWithin(t: Decimal.Value, degrees: number): Decimal {
  const tangent = new Exact(t).div(new Exact(degrees).sqrt());
  const squaredCosine = new Exact(1).div(tangent.times(tangent).plus(1));
  const cosine = squaredCosine.sqrt();
  const sine = tangent.times(cosine);
  const isEven = degrees % 2 === 0;
  let term = isEven ? new Exact(1) : cosine;
  let sum = degrees === 1 ? new Exact(0) : term;
  for (let power = isEven ? 2 : 3; power <= degrees - 2; power += 2) {
    term = term
      .times(squaredCosine)
      .times(power - 1)
      .div(power);
    sum = sum.plus(term);
  }
  if (isEven) return sine.times(sum);
  return tangent.atan().plus(sine.times(sum)).times(2).div(PI);
}

const quantiles = new Map<number, Decimal>();

/** Finds the 0.975 quantile to 30 decimals by bisection: the t for which 95 % of the values are between -t and t. */
export function tQuantile(degrees: number): Decimal {
  const known = quantiles.get(degrees);
  if (known !== undefined) return known;
  let [low, high] = [LIMIT, new Exact(13)];
  while (high.minus(low).gt('1e-33')) {
    const middle = low.plus(high).div(2);
    if (probabilityWithin(middle, degrees).lt('0.95')) {
      low = middle;
    } else {
      high = middle;
    }
  }
  const quantile = high.toDecimalPlaces(DIGITS, Decimal.ROUND_HALF_UP);
  quantiles.set(degrees, quantile);
  return quantile;
}

/**
 * Returns the 95 % confidence interval of a mean in hours, rounded half up to 6 decimals; undefined for fewer than two
 * times.
 */
export function intervalOf(times: readonly string[]): readonly [low: Decimal, high: Decimal] | undefined {
  const n = times.length;
  if (n < 2) return undefined;
  const values = times.map((time) => new Exact(time));
  const mean = values.reduce((sum, value) => sum.plus(value), new Exact(0)).div(n);
  const squares = values
    .map((value) => value.minus(mean))
    .reduce((sum, apart) => sum.plus(apart.times(apart)), new Exact(0));
  const half = squares
    .div(n - 1)
    .div(n)
    .sqrt()
    .times(tQuantile(n - 1));
  const rounded = (value: Decimal) => value.toDecimalPlaces(6, Decimal.ROUND_HALF_CEIL);
  return [rounded(mean.minus(half)), rounded(mean.plus(half))];
}

const FEWEST = 5;

/**
 * Returns the verdict by its definition: over or under if there are at least five times and their interval is above or
 * below the plan.
 */
export function verdictOf(times: readonly string[], planned: string | null): string | null {
  const interval = intervalOf(times);
  if (planned === null || times.length === 0) return null;
  if (interval === undefined || times.length < FEWEST) return 'unsure';
  const [low, high] = interval;
  if (low.gt(planned)) return 'over';
  return high.lt(planned) ? 'under' : 'unsure';
}
