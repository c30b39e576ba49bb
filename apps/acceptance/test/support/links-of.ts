import { type ParsedElement, parseXml } from '@takt/test-support';
import { type HtmlElement, HtmlValidate, Parser } from 'html-validate';
import type { Format } from './served-resources.js';

/**
 * A link in a document that can be followed with GET. Its address is absolute. `where` is the place of the link in the
 * document.
 */
export interface FoundLink {
  readonly href: string;
  readonly where: string;
}

/** Returns every link of a document. Throws if the document is not well-formed. */
export async function linksOf(text: string, format: Format, address: string): Promise<readonly FoundLink[]> {
  if (format === 'xml') return linksOfXml(parseXml(text), '');
  if (format === 'html') return linksOfHtml(text, address);
  return linksOfJson(JSON.parse(text), '');
}

const isLink = (name: string) => /(Link|(First|Previous|Next|Last)Page|ApplicableDomainValues)$/i.test(name);

function linksOfJson(value: unknown, where: string): readonly FoundLink[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const place = `${where}/${name}`;
    return isLink(name) && typeof inner === 'string'
      ? [{ href: inner, where: place }]
      : linksOfJson(inner, place);
  });
}

function linksOfXml({ name, text, children }: ParsedElement, around: string): readonly FoundLink[] {
  const where = `${around}/${name}`;
  if (isLink(name) && text !== '') return [{ href: text, where }];
  return children.flatMap((child) => linksOfXml(child, where));
}

const html = new HtmlValidate();
/** Elements that contain a link, each with the attribute for the address. A form that is sent by POST is not a link. */
const LINKS: readonly (readonly [selector: string, attribute: string])[] = [
  ['a[href]', 'href'],
  ['link[href]', 'href'],
  ['script[src]', 'src'],
  ['img[src]', 'src'],
  ['form[method="get"]', 'action'],
];

/** Returns the parameters in the address of the page that the form also sends, because a resource may require them. */
function keptBy(form: HtmlElement, address: string): readonly (readonly [name: string, value: string])[] {
  const { searchParams } = new URL(address);
  const box = form.querySelector('input[name="ids"]')?.getAttributeValue('value');
  // Sends a form with checkboxes as if one of the boxes were checked.
  const ticked = typeof box === 'string' ? [['ids', box] as const] : [];
  const hidden = form.querySelectorAll('input[type="hidden"]').flatMap((input) => {
    const [name, value] = ['name', 'value'].map((attribute) => input.getAttributeValue(attribute) ?? '');
    const isKept = name !== undefined && !name.startsWith('$') && searchParams.has(name);
    return isKept ? [[name, value ?? ''] as const] : [];
  });
  return [...ticked, ...hidden];
}

/** Returns the links of a page to other pages. Marks the links in the header, which are the same for everybody. */
async function linksOfHtml(text: string, address: string): Promise<readonly FoundLink[]> {
  const config = await html.getConfigFor('page.html');
  const root = new Parser(config).parseHtml(text);
  return LINKS.flatMap(([selector, attribute]) =>
    root.querySelectorAll(selector).flatMap((element) => {
      const written = element.getAttributeValue(attribute);
      if (written === null || written.startsWith('#') || written.startsWith('data:')) return [];
      const isInHeader = element.closest('header') !== null;
      const link = new URL(written.replaceAll('&#39;', "'").replaceAll('&amp;', '&'), address);
      for (const [name, value] of keptBy(element, address)) link.searchParams.set(name, value);
      return [{ href: link.href, where: `${isInHeader ? 'header ' : ''}${selector}` }];
    }),
  );
}
