import type { Wording } from './languages/wording.js';

const SMALLEST_SHOWN = 0.005;

/** From here on digits stand in groups of three. */
const GROUPED_FROM = 10_000;
const NARROW_SPACE = '&#8239;';

export type FormatNumber = (value: number) => string;

/** As many decimals as the number has; Intl.NumberFormat would do it too, at some ten times the cost. */
export function exactFormat({ decimalSeparator }: Wording): FormatNumber {
  return decimalSeparator === '.' ? String : (value) => String(value).replace('.', decimalSeparator);
}

/**
 * Hours with two decimals (36 seconds), so that figures above each other can be compared; what is not zero never looks
 * like it. Put together from whole hundredths, which costs a third of what toFixed does.
 */
export function tableFormat({ decimalSeparator }: Wording): FormatNumber {
  const tiny = `&lt;0${decimalSeparator}01`;
  const decimals = Array.from(
    { length: 100 },
    (_, index) => decimalSeparator + String(index).padStart(2, '0'),
  );
  return (value) => {
    if (value > 0 && value < SMALLEST_SHOWN) return tiny;
    const hundredths = Math.round(Math.abs(value) * 100);
    const whole = Math.floor(hundredths / 100);
    const sign = value < 0 ? '&minus;' : '';
    return sign + (whole < GROUPED_FROM ? whole : grouped(whole)) + decimals[hundredths % 100];
  };
}

function grouped(whole: number): string {
  return String(whole).replace(/\B(?=(?:\d{3})+$)/g, NARROW_SPACE);
}
