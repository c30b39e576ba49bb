import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Collection, Domain, Field, Group, Node } from './field.js';
import { documentNodes } from './field-builders.js';
import { requestedLanguage } from './resource.js';

/** The description field of each field. It is cached, because the statement cache compares nodes by identity. */
const descriptions = new WeakMap<Field, Field>();
const described = new WeakMap<Collection, Collection>();

function once<Of extends Node>(made: WeakMap<Of, Of>, of: Of, make: () => Of): Of {
  const known = made.get(of) ?? make();
  made.set(of, known);
  return known;
}

/**
 * The field that `$showDomainDescriptions` adds next to a field that has a domain. undefined if the field has no
 * domain.
 */
export function domainDescriptionOf(of: Field): Field | undefined {
  const { name, heading, domain, source, expandedBy } = of;
  if (domain === undefined) return undefined;
  return once(descriptions, of, () => ({
    ...documentNodes.text(
      `${name}Description`,
      `Meaning of the value of ${name}, in the language of $lang; only with $showDomainDescriptions=true.`,
      { isNullable: true },
    ),
    heading,
    expandedBy,
    source: source && descriptionSql(domain, source),
  }));
}

/** The collection after adding such a description field next to each field of its items that has a domain. */
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
 * SQL that reads all descriptions of a domain once for the whole statement. Looking up the description for each row
 * would take as long as the rest of a page.
 */
function descriptionSql({ object, field }: Domain, value: SQLWrapper): SQL {
  const all = sql`SELECT jsonb_object_agg(key, coalesce(translations ->> ${requestedLanguage}, description)) FROM takt.domain_values WHERE object = ${sql.raw(quoted(object))} AND field = ${sql.raw(quoted(field))}`;
  return sql`(${all}) ->> ${value}::text`;
}

/** Quotes a constant from a definition as SQL text. Never use this function for text from a client. */
function quoted(constant: string): string {
  return `'${constant.replaceAll("'", "''")}'`;
}
