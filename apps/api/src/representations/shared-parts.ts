import type { ErrorDescription } from '@takt/catalogue/errors';
import {
  error as errorDefinition,
  type Field,
  type Group,
  type ListResource,
  newestOf,
  paging as pagingDefinition,
  type Resource,
  resourceFamilies,
  service,
  serviceTexts,
  size,
} from '@takt/catalogue/resources';
import type { Translations } from '@takt/texts';
import { type OutlineGroup, outlineOfGroup, type Row, type Value } from '../query/outline.js';
import type { Paging } from '../query/result.js';
import type { WritingContext } from './writer.js';

const errorOutline = outlineOfGroup(errorDefinition);

/** An error as an outline with values. The status is text, because clients rely on that. */
export function describeErrorDocument(error: ErrorDescription): {
  readonly outline: OutlineGroup;
  readonly row: Row;
} {
  return {
    outline: errorOutline,
    row: [String(error.status), error.statusDescription, ...withoutStatus(error)],
  };
}

function withoutStatus(error: ErrorDescription): Row {
  return [
    error.message,
    error.translatedMessage,
    error.errorMessageId,
    error.errorMessageId,
    error.parameters.map(({ index, value }) => [index, value]),
    error.innerErrors.map(withoutStatus),
  ];
}

/** The Paging object as an outline with values. Keys and size are included only if requested. */
export function describePaging(paging: Paging): { readonly outline: OutlineGroup; readonly row: Row } {
  const values: Row = [
    paging.pageSize,
    paging.position,
    paging.page,
    paging.first.key,
    paging.first.href,
    paging.previous?.key ?? null,
    paging.previous?.href ?? null,
    paging.next?.key ?? null,
    paging.next?.href ?? null,
    paging.last.key,
    paging.last.href,
    paging.size ?? null,
  ];
  const isServed = pagingDefinition.children.map(
    (node) =>
      node.kind !== 'field' ||
      ((node.expandedBy === undefined || paging.withKeys) && (node !== size || paging.size !== undefined)),
  );
  const served: Group = {
    ...pagingDefinition,
    children: pagingDefinition.children.filter((_, index) => isServed[index]),
  };
  return { outline: outlineOfGroup(served), row: values.filter((_, index) => isServed[index]) };
}

/**
 * Returns a function that writes the absolute address of a link from its value: an identifier, or an array of several
 * for the path. Null has no address.
 * @param escaped escapes text for the format, character by character: the part that all addresses share is escaped only
 * once
 */
export function linkWriterOf(
  { linkPath }: Field,
  { baseUrl, linkSuffix }: Pick<WritingContext, 'baseUrl' | 'linkSuffix'>,
  escaped: (text: string) => string = (text) => text,
): (value: Value) => string | null {
  if (linkPath === undefined) return (value) => (value === null ? null : escaped(String(value)));
  const suffix = linkPath.includes('?') ? linkSuffix.replace('?', '&') : linkSuffix;
  const [start = '', ...others] = linkPath.split('{}');
  const before = escaped(baseUrl + start);
  const between = others.map((text, index) => escaped(index < others.length - 1 ? text : text + suffix));
  const written = (identifier: Value) =>
    typeof identifier === 'number' ? identifier : escaped(encodeURIComponent(String(identifier)));
  return (value) => {
    const identifiers = Array.isArray(value) ? value : [value];
    if (identifiers.includes(null)) return null;
    let address = before;
    for (let index = 0; index < between.length; index++) {
      address += `${written(identifiers[index] ?? null)}${between[index]}`;
    }
    return address;
  };
}

/** The limit for numbers in millionths: up to 15 digits, which a JavaScript number preserves. */
const MOST_MILLIONTHS = 1e15;

const THREE_DIGITS = Array.from({ length: 1_000 }, (_, number) => String(number).padStart(3, '0'));
/** Texts of three digits: after a decimal point, and at the end of a number without trailing zeros. */
const BEHIND_POINT = THREE_DIGITS.map((digits) => `.${digits}`);
const WITHOUT_ZEROS = THREE_DIGITS.map((digits) => digits.replace(/0+$/, ''));
const BEHIND_POINT_WITHOUT_ZEROS = WITHOUT_ZEROS.map((digits) => `.${digits}`);

/**
 * Returns the same text as String(value), for up to six decimals at a quarter of its cost: JavaScript searches for the
 * shortest decimal, and a page has a thousand numbers. Here the decimal is built from whole millionths, and used only
 * if it reads back as the same number.
 */
export function decimalText(value: number): string {
  const millionths = Math.round(value * 1e6);
  const whole = Math.floor(millionths / 1e6);
  const decimals = millionths - whole * 1e6;
  const isExact = value > 0 && millionths < MOST_MILLIONTHS && millionths / 1e6 === value;
  if (!isExact || decimals === 0) return String(value);
  const thousandths = Math.floor(decimals / 1_000);
  const rest = decimals % 1_000;
  return rest === 0
    ? `${whole}${BEHIND_POINT_WITHOUT_ZEROS[thousandths]}`
    : `${whole}${BEHIND_POINT[thousandths]}${WITHOUT_ZEROS[rest]}`;
}

/**
 * Characters that need a replacement in XML. Escaped are its markup, and the carriage return, which parsers would turn
 * into a line feed. Forbidden are control characters except tab and line feed (those above U+007E are allowed), the two
 * non-characters of the basic plane, and lone surrogates.
 */
const SPECIAL = /[&<>\r]|[^\P{Cc}\t\n\u007F-\u009F]|[\uFFFE\uFFFF]|\p{Surrogate}/u;
const EACH_SPECIAL = new RegExp(SPECIAL, 'gu');

const NOTATIONS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\r': '&#13;',
};

/** The text content of an XML element. Forbidden characters become U+FFFD, or the format's replacement. */
export function escapeXml(text: string, insteadOf: (character: string) => string = () => '\uFFFD'): string {
  return SPECIAL.test(text)
    ? text.replace(EACH_SPECIAL, (found) => NOTATIONS[found] ?? insteadOf(found))
    : text;
}

/** A document about the service itself. */
interface IndexedDocument {
  readonly title: Translations;
  readonly summary: Translations;
  readonly href: string;
}

/** Health is at the root of the server, even if the resources are below a path. */
export function indexedDocuments({ baseUrl }: WritingContext): readonly IndexedDocument[] {
  const texts = serviceTexts;
  return [
    { title: texts.documentation, summary: texts.documentationSummary, href: `${baseUrl}/docs` },
    { title: texts.openApi, summary: texts.openApiSummary, href: `${baseUrl}/openapi.json` },
    { title: texts.xmlSchema, summary: texts.xmlSchemaSummary, href: `${baseUrl}/schema.xsd` },
    { title: texts.health, summary: texts.healthSummary, href: `${new URL(baseUrl).origin}/health/ready` },
  ];
}

const indexedResources: readonly Resource[] = resourceFamilies.map(newestOf);

/** False for resources that need identifiers or parameters: they are listed without a link. */
export const canBeLinked = ({ pathParameters, parameters = [] }: Resource): boolean =>
  pathParameters.length === 0 && !parameters.some(({ isRequired }) => isRequired);

/** The resources that the reader may read, restricted to the visible fields. */
export function shownResources({ shownTo }: Pick<WritingContext, 'shownTo'>): readonly Resource[] {
  return resourceFamilies.flatMap((family) => shownTo(family) ?? []);
}

/** The lists among the resources that the reader may read; the start page's list comes first. */
export function offeredLists(context: Pick<WritingContext, 'shownTo'>): readonly ListResource[] {
  const lists = shownResources(context).filter(
    (resource): resource is ListResource => resource.kind === 'list' && canBeLinked(resource),
  );
  const isFirst = ({ browsing }: ListResource) => browsing?.isFirst === true;
  return [...lists.filter(isFirst), ...lists.filter((list) => !isFirst(list))];
}

const indexOutline = outlineOfGroup(service);

/** The index of the service as an outline with values. */
export function describeServiceIndex(context: WritingContext): {
  readonly outline: OutlineGroup;
  readonly row: Row;
} {
  const { language, baseUrl, linkSuffix } = context;
  const resources = indexedResources.map((resource): Row => {
    const { identifier, version, title, summary, path } = resource;
    const link = canBeLinked(resource) ? baseUrl + path + linkSuffix : null;
    return [identifier, version, title[language], summary[language], path, link];
  });
  const documents = indexedDocuments(context).map(
    ({ title, summary, href }): Row => [title[language], summary[language], href],
  );
  return { outline: indexOutline, row: ['Takt', resources, documents] };
}
