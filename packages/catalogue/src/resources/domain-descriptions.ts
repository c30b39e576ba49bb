import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Collection, Domain, Field, Group, Node } from './field.js';
import { documentNodes } from './field-builders.js';
import { requestedLanguage } from './resource.js';

/** Cached, because the statement cache compares nodes by identity. */
const descriptions = new WeakMap<Field, Field>();
const described = new WeakMap<Collection, Collection>();

function once<Of extends Node>(made: WeakMap<Of, Of>, of: Of, make: () => Of): Of {
  const known = made.get(of) ?? make();
  made.set(of, known);
  return known;
}

/** The field that `$showDomainDescriptions` adds next to a field with a domain; undefined for other fields. */
export function domainDescriptionOf(of: Field): Field | undefined {
  const { name, heading, domain, source, expandedBy } = of;
  if (domain === undefined) return undefined;
  return once(descriptions, of, () => ({
    ...documentNodes.text(
      `${name}Description`,
      `Meaning of the value of ${name}, in the language of $lang; only with $showDomainDescriptions=true.`,
      { isNullable: true },
    ),
    ...{ heading, expandedBy, source: source && descriptionSql(domain, source) },
  }));
}

/** The collection with these description fields added to its items. */
export function withDomainDescriptions(collection: Collection): Collection {
  return once(described, collection, () => ({
    ...collection,
    item: () => describedGroup(collection.item()),
  }));
}

function describedGroup(group: Group): Group {
  return { ...group, children: group.children.flatMap(describedNode) };
}

function describedNode(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'field':
      return [node, domainDescriptionOf(node)].flatMap((field) => field ?? []);
    case 'group':
      return [describedGroup(node)];
    case 'collection':
      return [withDomainDescriptions(node)];
  }
}

/**
 * Reads all descriptions of a domain once per statement, because a look-up per row would cost as much as the rest of a
 * page.
 */
function descriptionSql({ object, field }: Domain, value: SQLWrapper): SQL {
  const all = sql`SELECT jsonb_object_agg(key, coalesce(translations ->> ${requestedLanguage}, description)) FROM takt.domain_values WHERE object = ${sql.raw(quoted(object))} AND field = ${sql.raw(quoted(field))}`;
  return sql`(${all}) ->> ${value}::text`;
}

/** Quotes a constant of a definition; never use it for a client's text. */
function quoted(constant: string): string {
  return `'${constant.replaceAll("'", "''")}'`;
}
