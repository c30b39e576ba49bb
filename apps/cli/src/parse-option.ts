import { InvalidArgumentError } from 'commander';

export function integerFrom(minimum: number, maximum = Number.MAX_SAFE_INTEGER) {
  return (text: string): number => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    const range =
      maximum === Number.MAX_SAFE_INTEGER ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
    throw new InvalidArgumentError(`It must be an integer ${range}.`);
  };
}

export function positiveNumber(text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value > 0) return value;
  throw new InvalidArgumentError('It must be a number above 0.');
}

/** Reads a percentage of at least 0. There is no upper limit. */
export function percentage(text: string): number {
  if (/^\d{1,9}(\.\d{1,6})?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a percentage of at least 0, as in 12.5.');
}

export function share(text: string): number {
  const value = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value <= 1) return value;
  throw new InvalidArgumentError('It must be a share from 0 to 1, as in 0.05.');
}

/** Reads company codes that are separated by commas. */
export function companyCodes(text: string): readonly string[] {
  const codes = text.split(',').map((code) => code.trim());
  if (codes.every((code) => /^[A-Z0-9][A-Z0-9-]{0,19}$/.test(code)) && new Set(codes).size === codes.length) {
    return codes;
  }
  throw new InvalidArgumentError(
    'It must be different company codes, separated by commas, as in TEM-NO,TEM-SE.',
  );
}

/** Reads a day, which must exist in the calendar. */
export function calendarDay(text: string): string {
  const day = new Date(`${text}T00:00:00Z`);
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && day.toJSON()?.startsWith(text)) return text;
  throw new InvalidArgumentError('It must be a day, as in 2025-12-31.');
}

export const identifier = integerFrom(1, 2 ** 31 - 1);

/** Collects the values of an option that may be repeated. */
export function several(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
