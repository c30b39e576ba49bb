import {
  FIELDS,
  type FieldKind,
  formatMapping,
  ImportError,
  type ImportedKind,
  type Mapping,
  PLACE,
  REQUIRED,
  type Source,
  UNITS,
} from '@takt/import';
import { type Markup, PlainTable } from '@takt/pages';
import type { DashboardText, Words } from '../words.js';

/** A row of the form: a field, or the key and the number of one object. */
interface FieldRow {
  /** The path of the field. For a name, without `Key` or `Id`. */
  readonly path: string;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
}

const LABELS: Readonly<Record<string, DashboardText>> = {
  workOrderOperation: 'fieldOperation',
  workOrder: 'fieldOrder',
  productStructureVersion: 'fieldVersion',
  completedAt: 'fieldCompletedAt',
  runTime: 'fieldRunTime',
  setupTime: 'fieldSetupTime',
  cleanupTime: 'fieldCleanupTime',
  name: 'fieldName',
  status: 'fieldStatus',
  version: 'fieldVersionNumber',
  revision: 'fieldRevision',
  'product.product': 'fieldProduct',
  'product.name': 'fieldProductName',
  'product.status': 'fieldProductStatus',
  'product.type': 'fieldProductType',
  'product.description': 'fieldProductDescription',
  'plannedProductionTimes.runTime': 'fieldRunTime',
  'plannedProductionTimes.setupTime': 'fieldSetupTime',
  'plannedProductionTimes.cleanupTime': 'fieldCleanupTime',
};

/** The label of a field by its path; the path itself if it has none. */
export function labelOf(path: string, { say }: Words): string {
  const label = LABELS[path.replace(/(?:Key|Id)$/, '')];
  return label === undefined ? path : say(label);
}

function rowsOf(what: ImportedKind): readonly FieldRow[] {
  const required = REQUIRED[what].flat();
  return Object.entries(FIELDS[what])
    .filter(([field]) => !field.endsWith('Id'))
    .map(([field, kind]) => ({
      path: kind === 'name' ? field.replace(/Key$/, '') : field,
      kind,
      isRequired: required.includes(field),
    }));
}

/** The source of a row in a mapping, and the name of its field. */
function sourceOf(columns: Mapping['columns'], { path, kind }: FieldRow) {
  const fields = kind === 'name' ? [`${path}Key`, `${path}Id`] : [path];
  const field = fields.find((name) => Object.hasOwn(columns, name)) ?? fields[0] ?? path;
  return { field, source: Object.hasOwn(columns, field) ? columns[field] : undefined };
}

/** The state of the lists of a row. */
interface Choice {
  readonly columns: readonly string[];
  readonly joint: string;
  readonly unit: string;
  readonly format: string;
  /** True if the lists cannot say what the mapping says. */
  readonly isOther: boolean;
}

const MAX_JOINED = 3;
const NOTHING: Choice = { columns: [], joint: '/', unit: 'min', format: '', isOther: false };

function choiceOf(source: Source | undefined, kind: FieldKind): Choice {
  if (source === undefined) return NOTHING;
  const other = { ...NOTHING, isOther: true };
  if (typeof source === 'string') return kind === 'name' ? choiceOfName(source) : choiceOfText(source);
  if (typeof source === 'number' || !('column' in source)) return other;
  const { column, unit, format, ...more } = source;
  if (Object.keys(more).length > 0 || typeof unit === 'object') return other;
  return { ...NOTHING, columns: [column], unit: unit ?? NOTHING.unit, format: format ?? '' };
}

const choiceOfText = (source: string): Choice =>
  source.match(PLACE) === null ? { ...NOTHING, columns: [source] } : { ...NOTHING, isOther: true };

/** A template is shown as lists if it is a few columns with the same text between them. */
function choiceOfName(source: string): Choice {
  const columns = [...source.matchAll(PLACE)].map(([, name = '']) => name);
  if (columns.length === 0) return { ...NOTHING, columns: [source] };
  const [, joint = '/'] = /^\{[^{}]+\}([^{}]*)\{/.exec(source) ?? [];
  const isPlain = columns.map((name) => `{${name}}`).join(joint) === source;
  return isPlain && columns.length <= MAX_JOINED
    ? { ...NOTHING, columns, joint }
    : { ...NOTHING, isOther: true };
}

/** Values of lists: a column has this before its name, and one value keeps what the mapping says. */
const COLUMN = 'c:';
const KEPT = '=';

/**
 * Reads the lists of a form into a mapping as YAML. All that lists cannot say stays as in the present mapping, if that is for the
 * same kind of file.
 */
export function readLists(form: URLSearchParams, present: Mapping | undefined): string {
  const what: ImportedKind = form.get('what') === 'plans' ? 'plans' : 'operations';
  const kept = present?.what === what ? present : undefined;
  const entries = rowsOf(what).flatMap((row): (readonly [string, Source])[] => {
    const before = sourceOf(kept?.columns ?? {}, row);
    if (form.get(`column:${row.path}`) === KEPT) {
      return before.source === undefined ? [] : [[before.field, before.source]];
    }
    return readRow(form, row);
  });
  const columns = Object.fromEntries(entries);
  const combine = COMBINED.find((one) => one === form.get('combine')) ?? 'error';
  return formatMapping({ ...kept, what, columns, combine: what === 'operations' ? combine : 'error' });
}

/** Reads the lists of one row: the field and its source, or nothing. */
function readRow(form: URLSearchParams, { path, kind }: FieldRow): (readonly [string, Source])[] {
  const chosen = form.getAll(`column:${path}`).filter((value) => value.startsWith(COLUMN));
  const names = chosen.map((value) => value.slice(COLUMN.length));
  const [first] = names;
  if (first === undefined) return [];
  const given = (input: string) => (form.get(`${input}:${path}`) ?? '').trim();
  switch (kind) {
    case 'name': {
      const joint = form.get(`joint:${path}`) ?? '';
      const source = names.length === 1 ? plain(first) : joined(names, joint);
      return [[`${path}${given('as') === 'Id' ? 'Id' : 'Key'}`, source]];
    }
    case 'duration':
      return [[path, { column: first, unit: UNITS.find((unit) => unit === given('unit')) ?? 'min' }]];
    case 'instant':
      return [[path, given('format') === '' ? plain(first) : { column: first, format: given('format') }]];
    default:
      return [[path, plain(first)]];
  }
}

/** Throws an ImportError if a template would take a name for another one. */
function joined(names: readonly string[], joint: string): string {
  const wrong = [...names, joint].find((name) => /[{}]/.test(name));
  if (wrong !== undefined) {
    throw new ImportError(
      `"${wrong}" has braces, so it cannot be joined with other columns: rename it in the file`,
    );
  }
  return names.map((name) => `{${name}}`).join(joint);
}

/** A column whose name looks like a template is named as a column. */
const plain = (column: string): Source => (column.match(PLACE) === null ? column : { column });

const COMBINED = ['error', 'sum', 'last'] as const satisfies readonly Mapping['combine'][];
const COMBINED_TEXTS = { error: 'rowsAreError', sum: 'rowsAreAdded', last: 'rowsLastCounts' } as const;

interface ListsProps {
  readonly mapping: Pick<Mapping, 'what' | 'columns' | 'combine'>;
  readonly headings: readonly string[];
  readonly words: Words;
}

/** The lists from which the columns of a file are chosen, for a form. */
export function MappingLists({ mapping, headings, words }: ListsProps): Markup {
  const { say } = words;
  const { what, columns, combine } = mapping;
  return (
    <>
      <input type="hidden" name="what" value={what} />
      <PlainTable class="items mapping" columns={[say('field'), say('column'), '']}>
        {rowsOf(what).map((row) => {
          const { field, source } = sourceOf(columns, row);
          return <FieldLists row={row} field={field} source={source} headings={headings} words={words} />;
        })}
      </PlainTable>
      {what === 'operations' && (
        <label>
          {say('severalRows')}{' '}
          <select name="combine">
            {COMBINED.map((one) => (
              <option value={one} selected={one === combine}>
                {say(COMBINED_TEXTS[one])}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  );
}

interface FieldListsProps {
  readonly row: FieldRow;
  readonly field: string;
  readonly source: Source | undefined;
  readonly headings: readonly string[];
  readonly words: Words;
}

function FieldLists({ row, field, source, headings, words }: FieldListsProps): Markup {
  const { say } = words;
  const { path, kind, isRequired } = row;
  const choice = choiceOf(source, kind);
  const label = labelOf(path, words);
  const lists = kind === 'name' ? MAX_JOINED : 1;
  return (
    <tr>
      <th scope="row">
        {label}
        {isRequired ? ' *' : ''}
      </th>
      <td>
        {Array.from({ length: lists }, (_, place) => (
          <>
            {place > 0 && ' + '}
            <select name={`column:${path}`} aria-label={place === 0 ? label : `${label} ${place + 1}`}>
              <option value="">–</option>
              {place === 0 && choice.isOther && (
                <option value={KEPT} selected>
                  {JSON.stringify(source)}
                </option>
              )}
              {withPresent(headings, choice.columns[place]).map((heading) => (
                <option
                  value={`${COLUMN}${heading}`}
                  selected={heading === chosenOf(headings, choice.columns[place])}
                >
                  {heading}
                </option>
              ))}
            </select>
          </>
        ))}
      </td>
      <td>
        {kind === 'name' && (
          <>
            <label>
              {say('joinedBy')}{' '}
              <input type="text" name={`joint:${path}`} value={choice.joint} size={2} maxlength={5} />
            </label>{' '}
            <select name={`as:${path}`} aria-label={`${label}: ${say('kind')}`}>
              <option value="Key">{say('asText')}</option>
              <option value="Id" selected={field.endsWith('Id')}>
                {say('asNumber')}
              </option>
            </select>
          </>
        )}
        {kind === 'duration' && (
          <select name={`unit:${path}`} aria-label={`${label}: ${say('unit')}`}>
            {UNITS.map((unit) => (
              <option value={unit} selected={unit === choice.unit}>
                {unit}
              </option>
            ))}
          </select>
        )}
        {kind === 'instant' && (
          <label>
            {say('dateFormat')}{' '}
            <input
              type="text"
              name={`format:${path}`}
              value={choice.format}
              size={20}
              maxlength={60}
              placeholder={say('recognised')}
              spellcheck={false}
            />
          </label>
        )}
      </td>
    </tr>
  );
}

/** The heading of a column: the same text, or otherwise the first that differs in case alone. */
function chosenOf(headings: readonly string[], column: string | undefined): string | undefined {
  if (column === undefined || headings.includes(column)) return column;
  return headings.find((heading) => heading.toLowerCase() === column.toLowerCase()) ?? column;
}

/** The headings, and the chosen column if it is none of them. */
function withPresent(headings: readonly string[], column: string | undefined): readonly string[] {
  const named = [...new Set(headings.filter((heading) => heading !== ''))];
  const chosen = chosenOf(named, column);
  return chosen === undefined || named.includes(chosen) ? named : [...named, chosen];
}
