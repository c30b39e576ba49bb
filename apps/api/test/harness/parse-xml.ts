import { XMLParser } from 'fast-xml-parser';
import { XmlDocument, XmlElement } from 'libxml2-wasm';

const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

/** An element as a parser that is not ours read it. */
export interface ParsedElement {
  readonly name: string;
  readonly isNil: boolean;
  /** Characters directly inside. */
  readonly text: string;
  readonly children: readonly ParsedElement[];
}

/** By libxml2, which refuses what is not well-formed. */
export function parseByLibxml(document: string): ParsedElement {
  const parsed = XmlDocument.fromString(document);
  try {
    return fromLibxml(parsed.root);
  } finally {
    parsed.dispose();
  }
}

function fromLibxml(element: XmlElement): ParsedElement {
  const children: ParsedElement[] = [];
  let text = '';
  for (let node = element.firstChild; node !== null; node = node.next) {
    if (node instanceof XmlElement) children.push(fromLibxml(node));
    else text += node.content;
  }
  const nil = element.attrs.find(({ name, namespaceUri }) => name === 'nil' && namespaceUri === XSI);
  return { name: element.name, isNil: nil?.value === 'true', text, children };
}

const parser = new XMLParser({
  preserveOrder: true,
  trimValues: false,
  parseTagValue: false,
  ignoreAttributes: false,
  htmlEntities: true,
  processEntities: { enabled: true, maxTotalExpansions: 1_000_000, maxExpandedLength: 100_000_000 },
});

/** By fast-xml-parser. */
export function parseByFastXmlParser(document: string): ParsedElement {
  const root = childrenOf(parser.parse(document)).at(-1);
  if (root === undefined) throw new Error('the document has no root');
  return root;
}

/** Its nodes are objects of one name, whose value is the list of what is inside. */
function childrenOf(nodes: unknown): readonly ParsedElement[] {
  return listOf(nodes).flatMap((node) =>
    Object.entries(node)
      .filter(([name]) => name !== '#text' && name !== ':@')
      .map(([name, inside]) => ({
        name,
        isNil: propertyOf(node[':@'], '@_xsi:nil') === 'true',
        text: listOf(inside)
          .map((inner) => String(inner['#text'] ?? ''))
          .join(''),
        children: childrenOf(inside),
      })),
  );
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(value)) throw new Error('fast-xml-parser gives lists');
  return value;
}

function propertyOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** All elements at a path below an element, `Paging.PageSize` or ''. */
export function elementsAt(element: ParsedElement, path: string): readonly ParsedElement[] {
  const names = path === '' ? [] : path.split('.');
  return names.reduce<readonly ParsedElement[]>(
    (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
    [element],
  );
}
