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
import { type OutlineGroup, outlineOfGroup, type Row, type Value } from '../plan/outline.js';
import type { Paging } from '../sql/result.js';
import type { WritingContext } from './writer.js';

const errorOutline = outlineOfGroup(errorDefinition);

/** The outline and the values of the document about an error. The status is a text, because clients rely on that. */
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

/**
 * The outline and the values of the object Paging. Page keys and size are included only if the client requested them.
 */
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
 * Returns a function that writes the absolute address of a link. The value of a link is an identifier, or an array if
 * the path needs several identifiers. The value null has no address.
 * @param escaped escapes a text for the format. It must escape each character independently of the others, because the
 * part that all addresses share is escaped separately, and only once
 */
export function linkWriterOf(
  { linkPath }: Field,
  { baseUrl, linkSuffix }: Pick<WritingContext, 'baseUrl' | 'linkSuffix'>,
  escaped: (text: string) => string = (text) => text,
): (value: Value) => string | null {
  if (linkPath === undefined) return (value) => (value === null ? null : escaped(String(value)));
  const [path = ''] = linkPath.split('?');
  const suffix = linkPath === path ? linkSuffix(path) : linkSuffix(path).replace('?', '&');
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

/**
 * The numbers for which decimalText is exact are below this limit, counted in millionths. Such a number has up to 15
 * digits, which a JavaScript number preserves.
 */
const MOST_MILLIONTHS = 1e15;

const THREE_DIGITS = Array.from({ length: 1_000 }, (_, number) => String(number).padStart(3, '0'));
/**
 * The numbers 0 to 999 as texts of three digits. They are written after a decimal point, without trailing zeros, or
 * both.
 */
const BEHIND_POINT = THREE_DIGITS.map((digits) => `.${digits}`);
const WITHOUT_ZEROS = THREE_DIGITS.map((digits) => digits.replace(/0+$/, ''));
const BEHIND_POINT_WITHOUT_ZEROS = WITHOUT_ZEROS.map((digits) => `.${digits}`);

/**
 * Returns the same text as String(value). For numbers with at most six decimals it takes a quarter of the time. This
 * matters because a page has a thousand numbers, and JavaScript searches for the shortest decimal of each. Here the
 * text is built from whole millionths. It is used only if it stands for exactly the same number; otherwise
 * String(value) is used.
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
 * Matches characters that must be replaced in XML. Some must be escaped: the characters of markup, and the carriage
 * return, which parsers would turn into a line feed. Others are forbidden: control characters except tab and line feed
 * (those above U+007E are allowed), the two non-characters of the basic plane, and lone surrogates.
 */
const SPECIAL = /[&<>\r]|[^\P{Cc}\t\n\u007F-\u009F]|[\uFFFE\uFFFF]|\p{Surrogate}/u;
const EACH_SPECIAL = new RegExp(SPECIAL, 'gu');

const NOTATIONS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\r': '&#13;',
};

/**
 * Escapes a text as the content of an XML element. A forbidden character becomes U+FFFD, or the replacement that the
 * caller chooses.
 */
export function escapeXml(text: string, insteadOf: (character: string) => string = () => '\uFFFD'): string {
  return SPECIAL.test(text)
    ? text.replace(EACH_SPECIAL, (found) => NOTATIONS[found] ?? insteadOf(found))
    : text;
}

/** A document about the service itself, to which the index links. */
interface IndexedDocument {
  readonly title: Translations;
  readonly summary: Translations;
  readonly href: string;
}

/**
 * The documents in the index. The health check is always at the root of the server, even if the resources are below a
 * path.
 */
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

/**
 * True if the index can link to the resource. Resources that need identifiers or parameters are listed without a link.
 */
export const canBeLinked = ({ pathParameters, parameters = [] }: Resource): boolean =>
  pathParameters.length === 0 && !parameters.some(({ isRequired }) => isRequired);

/** The resources that the reader may read. Each contains only the fields that the reader may see. */
export function shownResources({ shownTo }: Pick<WritingContext, 'shownTo'>): readonly Resource[] {
  return resourceFamilies.flatMap((family) => shownTo(family) ?? []);
}

/** The lists among the resources that the reader may read. The list of the start page comes first. */
export function offeredLists(context: Pick<WritingContext, 'shownTo'>): readonly ListResource[] {
  const lists = shownResources(context).filter(
    (resource): resource is ListResource => resource.kind === 'list' && canBeLinked(resource),
  );
  const isFirst = ({ browsing }: ListResource) => browsing?.isFirst === true;
  return [...lists.filter(isFirst), ...lists.filter((list) => !isFirst(list))];
}

const indexOutline = outlineOfGroup(service);

/** The outline and the values of the index of the service. */
export function describeServiceIndex(context: WritingContext): {
  readonly outline: OutlineGroup;
  readonly row: Row;
} {
  const { language, baseUrl, linkSuffix } = context;
  const resources = indexedResources.map((resource): Row => {
    const { identifier, version, title, summary, path } = resource;
    const link = canBeLinked(resource) ? baseUrl + path + linkSuffix(path) : null;
    return [identifier, version, title[language], summary[language], path, link];
  });
  const documents = indexedDocuments(context).map(
    ({ title, summary, href }): Row => [title[language], summary[language], href],
  );
  return { outline: indexOutline, row: ['Takt', resources, documents] };
}
