import { type Collection, type Field, type Group, resourceFamilies } from '@takt/catalogue/resources';
import { escapeHtml } from '@takt/pages';
import { linkWriterOf } from '../representations/shared-parts.js';
import type {
  OutlineCollection,
  OutlineField,
  OutlineNode,
  Row,
  Value,
  WritingContext,
} from '../representations/writer.js';
import { exactInstant } from './local-time.js';
import { exactFormat } from './number-format.js';
import type { Wording } from './words.js';

/**
 * A field as people see it. A value and its description, or the number and the key of an object, are two fields in the
 * data, but one on a page.
 */
export interface ShownField {
  readonly kind: 'field';
  readonly field: Field;
  readonly index: number;
  /**
   * The index at which a row contains the description of the field's value. In the data, the description is a separate
   * field. undefined if there is no description.
   */
  readonly descriptionIndex: number | undefined;
  /** The index at which a row contains the key of the object, which people see in place of its number. */
  readonly keyIndex?: number | undefined;
}

export type ShownFields = ReadonlyMap<Field, ShownField>;

export interface ShownCollection {
  readonly kind: 'collection';
  readonly collection: Collection;
  readonly item: OutlineCollection['item'];
  readonly index: number;
}

/**
 * The fields and collections that are directly in a group, not in a group inside it. `group` is undefined for those
 * outside of all groups.
 */
export interface Section {
  readonly group: Group | undefined;
  readonly nodes: readonly (ShownField | ShownCollection)[];
}

/**
 * Turns the outline into a flat list of groups, in the order of the definition. Groups that contain only other groups
 * are left out.
 */
export function sectionsOf(
  nodes: readonly OutlineNode[],
  group: Group | undefined = undefined,
): readonly Section[] {
  const own = shownNodesOf(nodes);
  const inner = nodes.flatMap((node) => (node.kind === 'group' ? sectionsOf(node.children, node.group) : []));
  return own.length === 0 ? inner : [{ group, nodes: own }, ...inner];
}

function shownNodesOf(nodes: readonly OutlineNode[]): Section['nodes'] {
  const fields = nodes.filter((node) => node.kind === 'field');
  const descriptions = new Map(fields.flatMap((node) => descriptionBeside(node, fields)));
  const keys = new Map(
    fields.flatMap((node) => {
      const key = fields.find(({ field }) => field === node.field.keyField);
      return key === undefined ? [] : [[node, key] as const];
    }),
  );
  const merged = new Set([...descriptions.values(), ...keys.values()]);
  return nodes.flatMap((node): Section['nodes'] => {
    if (node.kind === 'collection') {
      return [{ kind: 'collection', collection: node.collection, item: node.item, index: node.index }];
    }
    if (node.kind === 'group' || merged.has(node)) return [];
    return [
      {
        kind: 'field',
        field: node.field,
        index: node.index,
        descriptionIndex: descriptions.get(node)?.index,
        keyIndex: keys.get(node)?.index,
      },
    ];
  });
}

export function fieldsIn(sections: readonly Section[]): readonly ShownField[] {
  return sections.flatMap(({ nodes }) => nodes.filter((node) => node.kind === 'field'));
}

/** The fields of sections, with the indexes at which a row contains their values. */
export function shownFieldsOf(sections: readonly Section[]): ShownFields {
  return new Map(
    fieldsIn(sections).flatMap((node): readonly (readonly [Field, ShownField])[] => {
      const { keyField } = node.field;
      if (keyField === undefined || node.keyIndex === undefined) return [[node.field, node]];
      const key = {
        kind: 'field',
        field: keyField,
        index: node.keyIndex,
        descriptionIndex: undefined,
      } as const;
      return [
        [node.field, node],
        [keyField, key],
      ];
    }),
  );
}

/** The value of a field as people know it: the key of an object, or otherwise its number. */
export function shownValue({ index, keyIndex }: ShownField, row: Row): Value {
  return (keyIndex === undefined ? null : row[keyIndex]) ?? row[index] ?? null;
}

function descriptionBeside(
  node: OutlineField,
  fields: readonly OutlineField[],
): readonly (readonly [OutlineField, OutlineField])[] {
  if (node.field.domain === undefined) return [];
  const description = fields.find(({ field }) => field.name === `${node.field.name}Description`);
  return description === undefined ? [] : [[node, description]];
}

export type WriteValue = (row: Row) => string;

/** The options for writing the cells of a column. */
export interface ValueStyle {
  readonly context: WritingContext;
  readonly wording: Wording;
}

/**
 * The text for a missing value: a dash, and a text for screen readers. Texts that are repeated as often as this one
 * contain only ASCII characters, with character references where needed. A text of one byte per character takes half
 * the time to build and send.
 */
export function missingValue({ texts }: Wording): string {
  return `<span class="nil"><span aria-hidden="true">&ndash;</span><span class="vh">${texts.noValue}</span></span>`;
}

/**
 * Returns a function that writes the value of a field in full: with all digits, with the description of a key, and with
 * a link for an address.
 */
export function writeValueOf(shown: ShownField, style: ValueStyle): WriteValue {
  const { index, descriptionIndex, keyIndex } = shown;
  const write = valueWriterOf(shown, style);
  const missing = missingValue(style.wording);
  if (keyIndex !== undefined) {
    return (row) => {
      const value = shownValue(shown, row);
      if (value === null) return missing;
      // A key may be written from right to left.
      return typeof value === 'string' ? `<bdi>${escapeHtml(value)}</bdi>` : write(value);
    };
  }
  if (descriptionIndex === undefined) {
    return (row) => {
      const value = row[index] ?? null;
      return value === null ? missing : write(value);
    };
  }
  return (row) => {
    const value = row[index] ?? null;
    if (value === null) return missing;
    const description = row[descriptionIndex] ?? null;
    return description === null ? write(value) : describedKey(String(description), value);
  };
}

function describedKey(description: string, key: Value): string {
  return `${escapeHtml(description)} <span class="key">(${escapeHtml(String(key))})</span>`;
}

function valueWriterOf({ field }: ShownField, { context, wording }: ValueStyle): (value: Value) => string {
  switch (field.type) {
    case 'integer':
    case 'decimal': {
      const format = exactFormat(wording);
      return (value) => format(Number(value));
    }
    case 'boolean': {
      const { yes, no } = wording.texts;
      return (value) => (value === true ? yes : no);
    }
    case 'instant':
      return instantWriter(context);
    case 'link':
      return linkWriter(field, context);
    case 'text':
      return (value) => escapeHtml(String(value));
  }
}

/** The paths of this service, in the form in which links contain them: with {} in place of an identifier. */
const servedPaths: ReadonlySet<string> = new Set(
  resourceFamilies.map(({ path }) => path.replace(/\{\w+\}/g, '{}')),
);

/**
 * Returns a function that writes a link. An address that the service does not serve remains text. A link within the
 * service shows only its path. Every address is made by the service, so none is a stored text such as `javascript:`.
 */
function linkWriter(field: Field, context: WritingContext): (value: Value) => string {
  const { baseUrl } = context;
  const [path] = field.linkPath?.split('?') ?? [];
  const addressOf = linkWriterOf(field, context);
  const leadsSomewhere = path === undefined || servedPaths.has(path);
  return (value) => {
    const address = addressOf(value) ?? '';
    const shown = escapeHtml(
      address.startsWith(`${baseUrl}/`) ? (address.slice(baseUrl.length).split('?', 1)[0] ?? '') : address,
    );
    if (!leadsSomewhere || address === '') return shown;
    return `<a href="${escapeHtml(address)}">${shown}</a>`;
  };
}

function instantWriter(context: WritingContext): (value: Value) => string {
  const write = exactInstant(context);
  return (value) => {
    const text = String(value);
    const instant = new Date(text);
    const shown = escapeHtml(Number.isNaN(instant.getTime()) ? text : write(instant));
    return `<time datetime="${escapeHtml(text)}">${shown}</time>`;
  };
}

/**
 * Returns a function that reads the number of a field from a row. It gives null if the value is missing, or if the
 * field is not served.
 */
export function numberReader(field: Field | undefined, shown: ShownFields): (row: Row) => number | null {
  const index = field === undefined ? undefined : shown.get(field)?.index;
  return (row) => {
    const value = index === undefined ? null : row[index];
    return typeof value === 'number' ? value : null;
  };
}
