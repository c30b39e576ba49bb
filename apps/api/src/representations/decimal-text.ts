/** The largest number of millionths that a JavaScript number holds in 15 digits, which it gives back unchanged. */
const MOST_MILLIONTHS = 1e15;

const THREE_DIGITS = Array.from({ length: 1_000 }, (_, number) => String(number).padStart(3, '0'));
/** Those digits behind a point, and at the end of a number, where zeros have no meaning. */
const BEHIND_POINT = THREE_DIGITS.map((digits) => `.${digits}`);
const WITHOUT_ZEROS = THREE_DIGITS.map((digits) => digits.replace(/0+$/, ''));
const BEHIND_POINT_WITHOUT_ZEROS = WITHOUT_ZEROS.map((digits) => `.${digits}`);

/**
 * What String(value) gives, for a quarter of its cost where the number has up to six decimals: JavaScript looks for the
 * shortest decimal that reads back as the number, and a page holds a thousand of them. Here one is put together from
 * whole millionths, and taken where it does read back as the number.
 */
export function decimalText(value: number): string {
  const millionths = Math.round(value * 1e6);
  const whole = Math.floor(millionths / 1e6);
  const decimals = millionths - whole * 1e6;
  const isExact = value > 0 && millionths < MOST_MILLIONTHS && millionths / 1e6 === value;
  if (!isExact || decimals === 0) return String(value);
  const thousandths = Math.floor(decimals / 1_000);
  const rest = decimals % 1_000;
  return rest === 0
    ? `${whole}${BEHIND_POINT_WITHOUT_ZEROS[thousandths]}`
    : `${whole}${BEHIND_POINT[thousandths]}${WITHOUT_ZEROS[rest]}`;
}
