import { XmlDocument, XmlElement } from 'libxml2-wasm';

const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

/**
 * Text that replaces U+FEFF while libxml2-wasm reads, because libxml2-wasm would take U+FEFF at the start of a text for
 * a byte order mark.
 */
const ZERO_WIDTH = '\u{10fffd}\u{10fffc}\u{10fffd}';

/** An element as an independent parser has read it. */
export interface ParsedElement {
  readonly name: string;
  readonly isNil: boolean;
  /** The text that is directly inside the element. */
  readonly text: string;
  readonly children: readonly ParsedElement[];
}

/** Returns the root element of a document. Throws if libxml2 finds that the document is not well-formed. */
export function parseXml(document: string): ParsedElement {
  const parsed = XmlDocument.fromString(document.replaceAll('\ufeff', ZERO_WIDTH));
  try {
    return toParsed(parsed.root);
  } finally {
    parsed.dispose();
  }
}

function toParsed(element: XmlElement): ParsedElement {
  const children: ParsedElement[] = [];
  let text = '';
  for (let node = element.firstChild; node !== null; node = node.next) {
    if (node instanceof XmlElement) {
      children.push(toParsed(node));
    } else {
      text += node.content;
    }
  }
  const nil = element.attrs.find(({ name, namespaceUri }) => name === 'nil' && namespaceUri === XSI);
  return {
    name: element.name,
    isNil: nil?.value === 'true',
    text: text.replaceAll(ZERO_WIDTH, '\ufeff'),
    children,
  };
}

/** Returns all elements at a path below an element. The path is, for example, `Paging.PageSize` or ''. */
export function elementsAt(element: ParsedElement, path: string): readonly ParsedElement[] {
  const names = path === '' ? [] : path.split('.');
  return names.reduce<readonly ParsedElement[]>(
    (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
    [element],
  );
}
