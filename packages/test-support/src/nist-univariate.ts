/**
 * A data set of the NIST Statistical Reference Datasets (StRD), univariate summary statistics, made from its published
 * definition. All values are multiplied by `scale`, so that they are in the accepted range of 0 to 1,000,000 hours.
 */
export interface NistUnivariateSet {
  readonly name: string;
  readonly scale: string;
  /** The values of the data set, in hours as decimal text. */
  readonly values: readonly string[];
  /** The certified mean multiplied by the scale, rounded half up to 6 decimals. */
  readonly average: string;
  /**
   * The deviation, which is scale * s * sqrt((n - 1) / n) rounded half up to 6 decimals. The formula is needed because
   * NIST certifies the sample deviation s.
   */
  readonly deviation: string;
}

/**
 * Returns the 1001 values of NumAcc2 to NumAcc4: one value, and then 500 times the value below and the value above it.
 */
function alternating(first: string, below: string, above: string): readonly string[] {
  return [first, ...Array.from({ length: 500 }, () => [below, above]).flat()];
}

/** NumAcc1 has 3 values: 10000001, 10000003, 10000002. The mean is 10000002, and s = 1. */
const numAcc1: NistUnivariateSet = {
  name: 'NumAcc1',
  scale: '0.08',
  values: ['800000.08', '800000.24', '800000.16'],
  average: '800000.160000',
  // 0.08 * sqrt(2 / 3) = 0.0653197...
  deviation: '0.065320',
};

/** NumAcc2 has 1.2, then 1.1 and 1.3 in turn. The mean is 1.2, and s = 0.1. */
const numAcc2: NistUnivariateSet = {
  name: 'NumAcc2',
  scale: '1',
  values: alternating('1.2', '1.1', '1.3'),
  average: '1.200000',
  // 0.1 * sqrt(1000 / 1001) = 0.0999500...
  deviation: '0.099950',
};

/** NumAcc3 has 1000000.2, then 1000000.1 and 1000000.3 in turn. The mean is 1000000.2, and s = 0.1. */
const numAcc3: NistUnivariateSet = {
  name: 'NumAcc3',
  scale: '0.8',
  values: alternating('800000.16', '800000.08', '800000.24'),
  average: '800000.160000',
  // 0.08 * sqrt(1000 / 1001) = 0.0799600...
  deviation: '0.079960',
};

/** NumAcc4 has 10000000.2, then 10000000.1 and 10000000.3 in turn. The mean is 10000000.2, and s = 0.1. */
const numAcc4: NistUnivariateSet = {
  name: 'NumAcc4',
  scale: '0.08',
  values: alternating('800000.016', '800000.008', '800000.024'),
  average: '800000.016000',
  // 0.008 * sqrt(1000 / 1001) = 0.0079960...
  deviation: '0.007996',
};

export const nistUnivariateSets: readonly NistUnivariateSet[] = [numAcc1, numAcc2, numAcc3, numAcc4];
