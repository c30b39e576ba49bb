import { XmlDocument, XmlElement } from 'libxml2-wasm';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** What stands in a document, by its path; an item of an array counts from 0. Numbers and truth values are text. */
export type Leaves = ReadonlyMap<string, string | null>;

export function leavesOfJson(document: Json): Leaves {
  const leaves = new Map<string, string | null>();
  const visit = (value: Json, path: string) => {
    if (typeof value !== 'object' || value === null) leaves.set(path, value === null ? null : String(value));
    else for (const [name, child] of Object.entries(value)) visit(child, `${path}/${name}`);
  };
  visit(document, '');
  return leaves;
}

const lowered = (name: string) => name.slice(0, 1).toLowerCase() + name.slice(1);

/** Elements that hold items rather than fields: their children are all of one kind and named by position. */
const COLLECTIONS = ['Parameters', 'InnerErrors', 'Translations'];

/** Stands for U+FEFF while libxml2-wasm reads: it would take one at the start of a longer text for a byte order mark. */
const ZERO_WIDTH = '\u{10fffd}\u{10fffc}\u{10fffd}';

/** The same of an XML document, as libxml2 reads it: the JSON names and the nesting of the JSON form. */
export function leavesOfXml(xml: string): Leaves {
  using document = XmlDocument.fromString(xml.replaceAll('\ufeff', ZERO_WIDTH));
  const leaves = new Map<string, string | null>();
  const visit = (element: XmlElement, path: string) => {
    const children = childElements(element);
    if (children.length === 0 && !COLLECTIONS.includes(element.name)) {
      leaves.set(path, isNil(element) ? null : element.content.replaceAll(ZERO_WIDTH, '\ufeff'));
      return;
    }
    children.forEach((child, index) => {
      visit(child, `${path}/${COLLECTIONS.includes(element.name) ? index : lowered(child.name)}`);
    });
  };
  const { root } = document;
  const children = childElements(root);
  const isList = children.at(-1)?.name === 'Paging';
  if (!isList) visit(root, root.name === 'Error' ? '' : `/${lowered(root.name)}`);
  else {
    children.forEach((child, index) => {
      visit(child, child.name === 'Paging' ? '/paging' : `/${lowered(root.name)}/${index}`);
    });
  }
  return leaves;
}

function childElements(element: XmlElement): readonly XmlElement[] {
  const children: XmlElement[] = [];
  for (let child = element.firstChild; child !== null; child = child.next) {
    if (child instanceof XmlElement) children.push(child);
  }
  return children;
}

function isNil(element: XmlElement): boolean {
  return element.attrs.some(({ name, content }) => name === 'nil' && content === 'true');
}
