import { Decimal } from 'decimal.js';
import { dateReader, isFormat, isZone, recogniseFormats } from './dates.js';
import { type FieldKind, kindOfField, TIMES } from './fields.js';
import type { Layout } from './layout.js';
import {
  type Condition,
  ImportError,
  type InstantSource,
  type Mapping,
  PLACE,
  type Source,
} from './mapping.js';
import {
  type DecimalSign,
  isNumeric,
  needsSign,
  readDuration,
  readNumber,
  recogniseDecimal,
} from './numbers.js';
import { nameFieldsOf } from './stored-states.js';
import { MAX_CELL_CHARACTERS, type Row } from './table-file.js';

export interface Fault {
  readonly column: string;
  readonly rule: string;
  readonly value: string;
}

/** A duration of a row. A row of a start or an end alone has an instant in place of a duration. */
interface Duration {
  /** In seconds, as decimal text; null if nothing was reported. Of a start, minus its Unix time; of an end, its Unix time. */
  readonly seconds: string | null;
  /** Number of starts minus number of ends. */
  readonly open: number;
}

export interface ImportedRow {
  readonly line: number;
  /** The name or number of the operation or structure version; empty if it cannot be read. */
  readonly object: string;
  /** Values by the paths of their fields, without instants and times. */
  readonly fields: Readonly<Record<string, string | number | null>>;
  readonly completedAt: string | null;
  /** Run, setup and cleanup time. */
  readonly times: readonly Duration[];
  /** True if the row lies in the hour that occurs twice. */
  readonly isDoubled: boolean;
  readonly fault: Fault | undefined;
}

/** How the values of a file were understood, for people to check. */
export interface Understanding {
  readonly decimal: DecimalSign | undefined;
  /** The format of each column with instants. */
  readonly formats: Readonly<Record<string, string>>;
  readonly zone: string;
  readonly unusedColumns: readonly string[];
}

export interface RowReader {
  readonly understanding: Understanding;
  /** Returns what a row says; undefined if the conditions leave it out. */
  readonly read: (row: Row) => ImportedRow | undefined;
}

/** Thrown while a row is read. */
class FaultError extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.rule);
    this.fault = fault;
  }
}

const fail = (column: string, rule: string, value: string): never => {
  throw new FaultError({ column, rule, value });
};

type ReadText = (cells: readonly string[]) => string;
type ReadInstant = (
  cells: readonly string[],
) => { readonly ms: number; readonly isDoubled: boolean } | undefined;
type ReadTime = (cells: readonly string[]) => Duration;

/**
 * Prepares the reading of rows. Recognises the decimal sign and the formats of dates from the sample of the layout. Throws an
 * ImportError if they cannot be recognised for certain.
 * @param zone time zone of local times whose column has none
 */
export function prepareReader(
  mapping: Mapping,
  layout: Layout,
  { zone }: { readonly zone: string },
): RowReader {
  const formats: Record<string, string> = {};
  const used = new Set<number>();
  const cellOf = (column: string): ReadText => {
    const index = layout.indexOf(column);
    used.add(index);
    return (cells) => cells[index] ?? '';
  };
  const meets = conditionsOf(mapping.where, cellOf);
  const filled = mapping.file.fill.map((column) => layout.indexOf(column));
  const all = layout.sample.map(({ cells }) => cells);
  const sample = all.map(fillerOf(filled)).filter(meets);
  const fill = fillerOf(filled);
  // A sum at the end may be the only number that shows the decimal sign.
  const decimal = findDecimal(mapping, all, cellOf);
  const context: Context = { mapping, sample, cellOf, zone, decimal, formats };

  const entries = Object.entries(mapping.columns).map(([field, from]) => ({
    field,
    from,
    kind: kindOfField(mapping.what, field),
  }));
  const values = entries
    .filter(({ kind }) => kind !== 'instant' && kind !== 'duration')
    .map(({ field, from, kind }) => ({ field, read: valueReader(field, from, kind as FieldKind, context) }));
  const at = entries.find(({ kind }) => kind === 'instant');
  const readAt: ReadInstant =
    at === undefined ? () => undefined : instantReader(at.from as InstantSource, context);
  const readTimes = TIMES.map((name) => {
    const entry = entries.find(({ field, kind }) => kind === 'duration' && field.split('.').at(-1) === name);
    return entry === undefined ? () => NOTHING : timeReader(entry.from, context);
  });
  const objectField = nameFieldsOf(mapping.what);

  const objectColumn = columnNames(
    mapping.columns[`${objectField}Key`] ?? mapping.columns[`${objectField}Id`] ?? objectField,
  );

  const mustComplete =
    at !== undefined && !(typeof at.from === 'object' && 'where' in at.from && at.from.where);
  const faultOfRow = (cells: readonly string[], object: unknown, isCompleted: boolean): Fault | undefined => {
    const surplus = cells.slice(layout.headings.length).find((cell) => cell !== '');
    if (surplus !== undefined) return { column: '', rule: 'stands after the last heading', value: surplus };
    if (object === '') return { column: objectColumn, rule: 'is blank', value: '' };
    return isCompleted ? undefined : { column: columnNames(at?.from), rule: 'is blank', value: '' };
  };

  const read = ({ line, cells: written }: Row): ImportedRow | undefined => {
    const cells = fill(written);
    if (!meets(cells)) return undefined;
    const fields: Record<string, string | number | null> = {};
    let fault: Fault | undefined;
    const attempt = <Result>(work: () => Result): Result | undefined => {
      try {
        return work();
      } catch (error) {
        if (!(error instanceof FaultError)) throw error;
        fault ??= error.fault;
        return undefined;
      }
    };
    for (const { field, read: readValue } of values) fields[field] = attempt(() => readValue(cells)) ?? null;
    const completed = attempt(() => readAt(cells));
    const times = readTimes.map((readTime) => attempt(() => readTime(cells)) ?? NOTHING);
    const object = fields[`${objectField}Key`] ?? fields[`${objectField}Id`] ?? '';
    const isCompleted = !mustComplete || completed !== undefined || times.some(({ open }) => open !== 0);
    fault ??= faultOfRow(cells, object, isCompleted);
    return {
      line,
      object: String(object),
      fields,
      times,
      fault,
      isDoubled: completed?.isDoubled === true,
      completedAt: completed === undefined ? null : new Date(completed.ms).toISOString(),
    };
  };
  const unusedColumns = layout.headings.filter((heading, index) => heading !== '' && !used.has(index));
  return { understanding: { decimal, formats, zone, unusedColumns }, read };
}

const NOTHING: Duration = { seconds: null, open: 0 };

interface Context {
  readonly mapping: Mapping;
  readonly sample: readonly (readonly string[])[];
  readonly cellOf: (column: string) => ReadText;
  readonly zone: string;
  readonly decimal: DecimalSign | undefined;
  readonly formats: Record<string, string>;
}

/** Returns a function that fills blank cells of columns with the value above, for rows in order. */
export function fillerOf(columns: readonly number[]) {
  const above = new Map<number, string>();
  return (cells: readonly string[]): readonly string[] => {
    if (columns.length === 0) return cells;
    const full = [...cells];
    for (const column of columns) {
      if (!cells[column]) full[column] = above.get(column) ?? '';
      above.set(column, full[column] ?? '');
    }
    return full;
  };
}

function conditionsOf(where: Readonly<Record<string, Condition>>, cellOf: (column: string) => ReadText) {
  const tests = Object.entries(where).map(([column, condition]) => {
    const cell = cellOf(column);
    if ('is' in condition) return (cells: readonly string[]) => condition.is.includes(cell(cells));
    if ('not' in condition) return (cells: readonly string[]) => !condition.not.includes(cell(cells));
    return (cells: readonly string[]) => (cell(cells) !== '') === condition.filled;
  });
  return (cells: readonly string[]) => tests.every((test) => test(cells));
}

function findDecimal(
  { file, columns }: Mapping,
  sample: Context['sample'],
  cellOf: Context['cellOf'],
): DecimalSign | undefined {
  if (file.decimal !== 'auto') return file.decimal;
  const names = Object.values(columns).flatMap((from) => {
    if (typeof from !== 'object' || !('column' in from)) return [];
    const isNumber = from.unit !== undefined && (typeof from.unit === 'object' || isNumeric(from.unit));
    const factors = [from.per, from.times].flatMap((factor) =>
      typeof factor === 'object' ? [factor.column] : [],
    );
    return [...(isNumber ? [from.column] : []), ...factors];
  });
  const cells = names.map(cellOf);
  const found = recogniseDecimal(sample.flatMap((row) => cells.map((cell) => cell(row))));
  if (found === 'both') {
    throw new ImportError(
      `some numbers in ${names.join(', ')} have a decimal point and some a comma: set file.decimal`,
    );
  }
  return found;
}

const SAFE_DIGITS = /^\d{1,15}$/;
const MAX_NAME_CHARACTERS = 200;

function valueReader(field: string, from: Source, kind: FieldKind, { cellOf }: Context) {
  const read = textReader(from, cellOf);
  return (cells: readonly string[]): string | number | null => {
    const text = read(cells);
    if (text === '') return null;
    const most = kind === 'name' ? MAX_NAME_CHARACTERS : MAX_CELL_CHARACTERS;
    if (text.length > most) {
      return fail(columnNames(from) || field, `must have at most ${most} characters`, text.slice(0, 80));
    }
    if (kind !== 'number') return kind === 'name' ? text.normalize('NFC') : text;
    // A workbook shows a number such as 12 as 12, and some exports write it as 12.0.
    const digits = text.replace(/[.,]0$/, '');
    return SAFE_DIGITS.test(digits)
      ? Number(digits)
      : fail(columnNames(from) || field, 'must be a whole number', text);
  };
}

/** Reads plain text: of a column, a template or a constant. A template with a blank column is an error. */
function textReader(from: Source, cellOf: Context['cellOf']): ReadText {
  if (typeof from === 'number') return () => String(from);
  if (typeof from === 'object') {
    if ('constant' in from) return () => from.constant;
    if ('column' in from) return cellOf(from.column);
    throw new TypeError('no text');
  }
  const places = [...from.matchAll(PLACE)];
  if (places.length === 0) return cellOf(from);
  const columns = places.map(([, name = '']) => ({ name, cell: cellOf(name) }));
  return (cells) => {
    const texts = columns.map(({ cell }) => cell(cells));
    if (texts.every((text) => text === '')) return '';
    const blank = texts.indexOf('');
    if (blank >= 0) fail(columns[blank]?.name ?? '', 'is blank', '');
    let place = -1;
    return from.replaceAll(PLACE, () => {
      place += 1;
      return texts[place] ?? '';
    });
  };
}

export function columnNames(from: Source | InstantSource | undefined): string {
  if (typeof from === 'string') return from;
  if (typeof from !== 'object') return '';
  if ('column' in from) return from.column;
  if ('from' in from) return `${columnNames(from.from)}, ${columnNames(from.to)}`;
  return 'date' in from ? `${from.date}, ${from.time}` : '';
}

function instantReader(
  from: InstantSource | { column: string; format?: string; zone?: string },
  context: Context,
): ReadInstant {
  const { cellOf, sample, formats } = context;
  const name = columnNames(from);
  const read = instantText(from, cellOf);
  const where = typeof from === 'object' && 'where' in from ? from.where : undefined;
  const meets = conditionsOf(where ?? {}, cellOf);
  const given = typeof from === 'object' ? from.format : undefined;
  const format = given ?? recogniseFormat(name, sample.filter(meets).map(read).filter(Boolean));
  const zone = (typeof from === 'object' ? from.zone : undefined) ?? context.zone;
  if (format !== undefined && !isFormat(format)) {
    throw new ImportError(
      `column ${name}: "${format}" is no format of a date; an example is dd.MM.yyyy HH:mm`,
    );
  }
  if (!isZone(zone)) {
    throw new ImportError(`column ${name}: "${zone}" is no time zone; an example is Europe/Oslo`);
  }
  if (format !== undefined) formats[name] = format;
  const readDate = dateReader(format ?? 'ISO 8601', zone);
  return (cells) => {
    const text = read(cells);
    if (text === '' || !meets(cells)) return undefined;
    const time = readDate(text);
    if (time === 'no-date') {
      return fail(name, `must be a date and time in the format ${format ?? 'ISO 8601'}`, text);
    }
    if (time === 'missing-hour') {
      return fail(name, `does not exist in ${zone}: clocks were put forward over it`, text);
    }
    return time;
  };
}

function instantText(from: InstantSource, cellOf: Context['cellOf']): ReadText {
  if (typeof from === 'string') return cellOf(from);
  if ('column' in from) return cellOf(from.column);
  const [date, time] = [cellOf(from.date), cellOf(from.time)];
  // A workbook adds midnight to a date without a time.
  return (cells) => `${date(cells).replace(/[ T]00:00(:00)?$/, '')} ${time(cells)}`.trim();
}

/** Recognises the format of a column; undefined if the column is blank in the sample. */
function recogniseFormat(column: string, texts: readonly string[]): string | undefined {
  if (texts.length === 0) return undefined;
  const [format, other] = recogniseFormats(texts);
  if (format === undefined) {
    throw new ImportError(
      `column ${column}: the format of "${texts[0]}" is not known, or not the same throughout: set its format`,
    );
  }
  if (other !== undefined) {
    throw new ImportError(`column ${column}: "${texts[0]}" may be ${format} or ${other}: set its format`);
  }
  return format;
}

function timeReader(from: Source, context: Context): ReadTime {
  if (typeof from === 'number' || (typeof from === 'object' && 'constant' in from)) {
    const hours = readNumber(String(typeof from === 'number' ? from : from.constant), '.');
    if (hours === undefined) throw new ImportError('a constant time must be a number of hours');
    return () => ({ seconds: hours.times(3_600).toFixed(), open: 0 });
  }
  if (typeof from === 'object' && 'from' in from) return spanReader(from, context);
  if (typeof from === 'object' && 'column' in from) return numberReader(from, context);
  throw new TypeError('no time');
}

function spanReader({ from, to }: Extract<Source, { from: unknown }>, context: Context): ReadTime {
  const [readFrom, readTo] = [instantReader(from, context), instantReader(to, context)];
  return (cells) => {
    const [start, end] = [readFrom(cells), readTo(cells)];
    if (start === undefined && end === undefined) return NOTHING;
    if (start !== undefined && end !== undefined && end.ms < start.ms) {
      return fail(columnNames(to), 'must not be before the start', new Date(end.ms).toISOString());
    }
    const ms = new Decimal(end?.ms ?? 0).minus(start?.ms ?? 0);
    return {
      seconds: ms.dividedBy(1_000).toFixed(),
      open: Number(start !== undefined) - Number(end !== undefined),
    };
  };
}

function numberReader(from: Extract<Source, { column: string }>, { cellOf, decimal }: Context): ReadTime {
  const { column } = from;
  const cell = cellOf(column);
  const meets = conditionsOf(from.where ?? {}, cellOf);
  const unitOf = unitReader(from, cellOf);
  const factorOf = (factor: typeof from.per) => {
    if (typeof factor !== 'object') return () => new Decimal(factor ?? 1);
    const read = cellOf(factor.column);
    return (cells: readonly string[]) =>
      number(factor.column, read(cells), decimal) ?? fail(factor.column, 'is blank', '');
  };
  const [per, times] = [factorOf(from.per), factorOf(from.times)];
  const perColumn = typeof from.per === 'object' ? from.per.column : column;
  const scaled = (seconds: Decimal, cells: readonly string[]) => {
    const divisor = per(cells);
    if (divisor.lessThanOrEqualTo(0)) fail(perColumn, 'must be above 0', divisor.toFixed());
    return seconds.times(times(cells)).dividedBy(divisor);
  };
  const scale = (from.per ?? from.times) === undefined ? (seconds: Decimal) => seconds : scaled;
  return (cells) => {
    const text = cell(cells);
    if (text === '' || !meets(cells)) return NOTHING;
    const unit = unitOf(cells);
    if (isNumeric(unit)) assertSign(column, text, decimal);
    const shape = isNumeric(unit) ? 'a number' : `a duration as in ${unit}`;
    const seconds = readDuration(text, unit, decimal ?? '.') ?? fail(column, `must be ${shape}`, text);
    return { seconds: scale(seconds, cells).toFixed(), open: 0 };
  };
}

function unitReader(from: Extract<Source, { column: string }>, cellOf: Context['cellOf']) {
  const { unit } = from;
  if (unit === undefined) throw new TypeError('no unit');
  if (typeof unit !== 'object') return () => unit;
  const cell = cellOf(unit.column);
  return (cells: readonly string[]) => {
    const text = cell(cells);
    const known = Object.hasOwn(unit.map, text) ? unit.map[text] : undefined;
    return (
      known ?? fail(unit.column, `is no unit of the mapping (${Object.keys(unit.map).join(', ')})`, text)
    );
  };
}

function number(column: string, text: string, decimal: DecimalSign | undefined): Decimal | undefined {
  if (text === '') return undefined;
  assertSign(column, text, decimal);
  return readNumber(text, decimal ?? '.') ?? fail(column, 'must be a number', text);
}

/** Without a recognised decimal sign, 1,234 and 1.234 are not read. */
function assertSign(column: string, text: string, decimal: DecimalSign | undefined): void {
  if (decimal === undefined && needsSign(text)) {
    fail(column, 'may have a decimal sign or separated thousands: set file.decimal', text);
  }
}
