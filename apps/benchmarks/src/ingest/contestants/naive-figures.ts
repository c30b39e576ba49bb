import type { WorkOrderOperationCompleted } from '@takt/events';

/** A row of product_structure_versions by column, numbers as decimal text. */
export type FiguresRow = Readonly<Record<string, string | null>>;

const COUNTS = {
  run: 'number_of_completed_operations',
  setup: 'setup_time_count',
  cleanup: 'cleanup_time_count',
};

/** The columns that a first completion changes, with their new values, computed in the application. */
export function addToFigures(figures: FiguresRow, completed: WorkOrderOperationCompleted): FiguresRow {
  return {
    ...addTime(figures, 'run', completed.runTime),
    ...addTime(figures, 'setup', completed.setupTime),
    ...addTime(figures, 'cleanup', completed.cleanupTime),
  };
}

function addTime(figures: FiguresRow, time: keyof typeof COUNTS, hours: string | null): FiguresRow {
  if (hours === null) return {};
  const name = `${time}_time`;
  const value = toUnits(hours, 6);
  const sum = toUnits(figures[`${name}_sum`] ?? '0', 6) + value;
  const squares = toUnits(figures[`${name}_sum_of_squares`] ?? '0', 12) + value * value;
  const shortest = figures[`shortest_${name}`] ?? hours;
  const longest = figures[`longest_${name}`] ?? hours;
  return {
    [COUNTS[time]]: String(Number(figures[COUNTS[time]]) + 1),
    [`${name}_sum`]: toDecimal(sum, 6),
    [`${name}_sum_of_squares`]: toDecimal(squares, 12),
    [`shortest_${name}`]: value < toUnits(shortest, 6) ? hours : shortest,
    [`longest_${name}`]: value > toUnits(longest, 6) ? hours : longest,
  };
}

/** Decimal text as a whole number of units of its last of `digits` decimals. */
function toUnits(decimal: string, digits: number): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(digits, '0').slice(0, digits));
}

function toDecimal(units: bigint, digits: number): string {
  const text = units.toString().padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
