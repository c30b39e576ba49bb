const MICROHOUR_DIGITS = 6;

/** Largest time of the event contract: 1,000,000 hours. */
export const MAX_MICROHOURS = 10n ** 12n;

/** 1500000n microhours become '1.500000' hours. */
export const hoursOf = (microhours: bigint): string => withPoint(microhours, MICROHOUR_DIGITS);

/** 1n square microhour becomes '0.000000000001' square hours. */
export const squareHoursOf = (squareMicrohours: bigint): string =>
  withPoint(squareMicrohours, 2 * MICROHOUR_DIGITS);

function withPoint(value: bigint, decimals: number): string {
  const digits = String(value).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
