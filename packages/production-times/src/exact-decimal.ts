import { Decimal } from 'decimal.js';

/**
 * Decimals for the audit. 80 digits hold every sum, product and square in it without rounding; only square root
 * and quotient round, far below the last decimal served (see describeTimes). A constructor of its own, because
 * decimal.js keeps precision and rounding in the constructor that all of a process share.
 */
export const ExactDecimal = Decimal.clone({ precision: 80, rounding: Decimal.ROUND_HALF_UP });
