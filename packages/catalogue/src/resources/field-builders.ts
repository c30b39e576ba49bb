import { languages, type Translations } from '@takt/texts';
import type { SQLWrapper } from 'drizzle-orm';
import type { Duty } from '../rights.js';
import type {
  Collection,
  Domain,
  Field,
  FieldType,
  Group,
  Lookup,
  Node,
  StoredDecimal,
  TextIndex,
} from './field.js';

interface NodeOptions {
  /** The duty that a reader needs to see the node and everything inside it. */
  readonly duty?: Duty;
  readonly expandedBy?: string;
  readonly onlyWith?: string;
}

interface FieldOptions extends NodeOptions {
  readonly from?: SQLWrapper;
  readonly isNullable?: boolean;
  readonly unit?: Field['unit'];
  readonly isTotal?: true;
  readonly stored?: StoredDecimal;
  /** The name of the field in `$filter` and `$orderby`; true if this is the field's own name. */
  readonly queryName?: string | true;
  readonly filterName?: string;
  readonly isUnindexed?: boolean;
  readonly lookup?: Lookup;
  readonly domain?: Domain;
  readonly textIndex?: TextIndex;
  readonly sorting?: Field['sorting'];
  readonly keyField?: Field;
}

function field(
  type: FieldType,
  named: Pick<Field, 'name' | 'heading' | 'description'>,
  options: FieldOptions & { readonly linkPath?: string },
): Field {
  return {
    kind: 'field',
    ...named,
    type,
    source: options.from,
    isNullable: options.isNullable ?? false,
    unit: options.unit,
    stored: options.stored,
    queryName: options.queryName === true ? named.name : options.queryName,
    filterName: options.filterName,
    isUnindexed: options.isUnindexed ?? false,
    lookup: options.lookup,
    domain: options.domain,
    textIndex: options.textIndex,
    linkPath: options.linkPath,
    expandedBy: options.expandedBy,
    duty: options.duty,
    ...(options.onlyWith === undefined ? {} : { onlyWith: options.onlyWith }),
    ...(options.isTotal === undefined ? {} : { isTotal: options.isTotal }),
    ...(options.sorting === undefined ? {} : { sorting: options.sorting }),
    ...(options.keyField === undefined ? {} : { keyField: options.keyField }),
  };
}

function makersOf<Name extends string>(headingOf: (name: Name) => Translations) {
  const named = (name: Name, description: string) => ({ name, heading: headingOf(name), description });
  const fieldOf =
    (type: FieldType) =>
    (name: Name, description: string, options: FieldOptions = {}) =>
      field(type, named(name, description), options);
  const decimalOf =
    (unit: Field['unit'], stored: StoredDecimal) =>
    (
      name: Name,
      description: string,
      from: SQLWrapper,
      options: Pick<FieldOptions, 'isUnindexed' | 'duty' | 'onlyWith' | 'isTotal'> = {},
    ): Field =>
      field('decimal', named(name, description), {
        from,
        isNullable: true,
        unit,
        stored,
        queryName: true,
        ...options,
      });
  return {
    integer: fieldOf('integer'),
    text: fieldOf('text'),
    boolean: fieldOf('boolean'),
    instant: fieldOf('instant'),
    address: fieldOf('link'),
    /**
     * Makes a field with an address of this service. The address is `path`, with the value of `from` in place of {}.
     */
    link: (name: Name, description: string, path: string, options: FieldOptions = {}): Field =>
      field('link', named(name, description), { ...options, linkPath: path }),
    /**
     * Makes a field for a time in hours. Lists can be filtered and sorted by this field. Its value is missing until
     * something was planned or reported.
     * @param from the SQL of the time in microhours, never negative
     */
    hours: decimalOf('h', { decimals: 6, isSigned: false }),
    /**
     * Makes a field for a difference of times in hours. Lists can be filtered and sorted by this field. Its value may
     * be missing.
     * @param from the SQL of the difference in microhours
     */
    signedHours: decimalOf('h', { decimals: 6, isSigned: true }),
    /**
     * Makes a field for a percentage, which may be negative. Lists can be filtered and sorted by this field. Its value
     * may be missing.
     * @param from the SQL of the percentage in hundredths of a percent
     */
    percent: decimalOf('%', { decimals: 2, isSigned: true }),
    group: (
      name: Name,
      description: string,
      children: readonly Node[],
      { duty, expandedBy, onlyWith }: NodeOptions = {},
    ): Group => ({
      kind: 'group',
      ...named(name, description),
      children,
      duty,
      expandedBy,
      ...(onlyWith === undefined ? {} : { onlyWith }),
    }),
    collection: (
      name: Name,
      description: string,
      item: () => Group,
      { from, duty, expandedBy }: NodeOptions & { readonly from?: Collection['source'] } = {},
    ): Collection => ({
      kind: 'collection',
      ...named(name, description),
      source: from,
      item,
      duty,
      expandedBy,
    }),
  };
}

/**
 * Returns functions that make the fields and groups of a resource. If a name has no heading, the call does not compile.
 */
export function fieldBuilders<Name extends string>(headings: Readonly<Record<Name, Translations>>) {
  return makersOf((name: Name) => headings[name]);
}

/**
 * Functions that make the nodes of documents. These documents have no page of their own, so the name of a node is also
 * its heading.
 */
export const documentNodes = makersOf(
  (name: string) => Object.fromEntries(languages.map((language) => [language, name])) as Translations,
);
