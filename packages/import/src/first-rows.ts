type Data = Readonly<Record<string, unknown>>;

/** The first rows of an import as Takt would store them, as a table. */
export interface FirstRows {
  /** Names of fields. Those that name objects come first. */
  readonly titles: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const NOT_SHOWN = new Set(['database', 'revision', 'changedAt', 'status', 'version', 'type']);
const isName = (title: string) => /(Key|Id)$/.test(title);

/**
 * Makes a table of the data of events, without the fields that say nothing to people. Titles are the paths of fields, and times
 * are in hours.
 */
export function tabulate(first: readonly Data[]): FirstRows {
  const rows = first.map((data) => flatten(data));
  const all = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const titles = [...all.filter(isName), ...all.filter((title) => !isName(title))];
  return { titles, rows: rows.map((row) => titles.map((title) => row[title] ?? '')) };
}

function flatten(data: Data, above = ''): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) => {
      if (NOT_SHOWN.has(name) || value === null || value === '') return [];
      if (typeof value !== 'object') {
        return [[above + name, name.endsWith('Time') ? `${Number(value)} h` : String(value)]];
      }
      return Object.entries(flatten(value as Data, `${above}${name}.`));
    }),
  );
}
