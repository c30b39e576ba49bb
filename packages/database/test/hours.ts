const MICROHOUR_DIGITS = 6;

/** The largest time that the event contract allows: 1,000,000 hours. */
export const MAX_MICROHOURS = 10n ** 12n;

/** Writes microhours as hours: 1500000n becomes '1.500000'. */
export const hoursOf = (microhours: bigint): string => withPoint(microhours, MICROHOUR_DIGITS);

/** Writes square microhours as square hours: 1n becomes '0.000000000001'. */
export const squareHoursOf = (squareMicrohours: bigint): string =>
  withPoint(squareMicrohours, 2 * MICROHOUR_DIGITS);

function withPoint(value: bigint, decimals: number): string {
  const digits = String(value).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
