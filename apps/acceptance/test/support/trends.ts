/** A measured value, and the time of the measurement in ms. Any clock is suitable. */
export interface Sample {
  readonly atMs: number;
  readonly value: number;
}

const MS_PER_MINUTE = 60_000;

/** Returns the smallest value in each window of time, so that temporary peaks have no effect. */
export function floors(samples: readonly Sample[], windowMs: number): readonly Sample[] {
  const lowest = new Map<number, Sample>();
  for (const sample of samples) {
    const window = Math.floor(sample.atMs / windowMs);
    const known = lowest.get(window);
    if (known === undefined || sample.value < known.value) lowest.set(window, sample);
  }
  return [...lowest.values()];
}

/**
 * Returns the trend of the values per minute. It is the median of the slopes between any two samples (Theil and Sen),
 * so a few outliers have no effect.
 */
export function slopePerMinute(samples: readonly Sample[]): number {
  const slopes = samples.flatMap((one, index) =>
    samples
      .slice(index + 1)
      .map((other) => (MS_PER_MINUTE * (other.value - one.value)) / (other.atMs - one.atMs)),
  );
  return median(slopes);
}

/** Returns the median, or NaN if there are no values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}
