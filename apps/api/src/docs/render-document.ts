import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { escapeHtml } from '@takt/pages';
import { Marked, type Tokens } from 'marked';
import { type ServedDocument, servedDocuments } from './served-documents.js';

interface RenderedDocument {
  readonly title: string;
  /** The first paragraph of the document, as HTML. */
  readonly lead: string;
  /**
   * The whole document as HTML. A link to another document has the form `docs:NAME#ANCHOR`, until withAddresses
   * replaces it.
   */
  readonly html: string;
}

/** The address of the API in the examples of the documents. It is replaced by the address of this service. */
const EXAMPLE_ORIGIN = 'http://127.0.0.1:3000';

const rendered = new Map<string, RenderedDocument>();

/**
 * Renders a document. Each document is rendered only once in a process. Throws if the build has not copied the
 * document.
 */
export function renderDocument(document: ServedDocument): RenderedDocument {
  const known = rendered.get(document.name);
  if (known !== undefined) return known;
  const text = readFileSync(new URL(import.meta.resolve(`#docs/${document.file}`)), 'utf8');
  const made = render(text.replaceAll(/<!--.*?-->/gs, ''), document);
  rendered.set(document.name, made);
  return made;
}

export const renderMarkdown = (text: string): string => markedFor('').parse(text, { async: false });

export const renderInline = (text: string): string => markedFor('').parseInline(text, { async: false });

/**
 * Replaces two things in a rendered document: links to other documents become the addresses of their pages, and the
 * address of the API in examples becomes the base URL of this service.
 */
export function withAddresses(
  html: string,
  { baseUrl, addressOf }: { readonly baseUrl: string; readonly addressOf: (name: string) => string },
): string {
  return html
    .replaceAll(EXAMPLE_ORIGIN, escapeHtml(baseUrl))
    .replaceAll(/"docs:([\w-]+)(#[^"]*)?"/g, (_, name: string, anchor: string = '') => {
      return `"${escapeHtml(addressOf(name))}${anchor}"`;
    });
}

function render(text: string, { file }: ServedDocument): RenderedDocument {
  const marked = markedFor(file);
  const tokens = marked.lexer(text);
  const title = tokens.find((token): token is Tokens.Heading => token.type === 'heading');
  const lead = tokens.find((token) => token.type === 'paragraph');
  if (title === undefined || lead === undefined) throw new Error(`docs/${file} has no title or no lead`);
  return { title: title.text, lead: marked.parser([lead]), html: marked.parser(tokens) };
}

/**
 * Creates a renderer of Markdown for a page. Headings get anchors, and wide parts can be scrolled with the keyboard.
 */
function markedFor(file: string): Marked {
  const anchors = new Map<string, number>();
  let tables = 0;
  return new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchorOf(text, anchors)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const address = addressIn(file, href);
        return address === undefined ? inner : `<a href="${escapeHtml(address)}">${inner}</a>`;
      },
      // The documents contain no HTML, so anything that looks like HTML is written as text.
      html({ text }) {
        return escapeHtml(text);
      },
      code({ text }) {
        return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`;
      },
      table(token) {
        const head = row(token.header.map((cell) => headingOf(this, cell)));
        const body = token.rows.map((cells) => row(cells.map((cell) => cellOf(this, cell, 'td', 'td'))));
        tables += 1;
        return `<section class="wide" tabindex="0" aria-label="Table ${tables}"><table><thead>${head}</thead><tbody>${body.join('')}</tbody></table></section>\n`;
      },
    },
  });
}

const row = (cells: readonly string[]): string => `<tr>${cells.join('')}</tr>`;

interface InlineRenderer {
  readonly parser: { parseInline(tokens: Tokens.TableCell['tokens']): string };
}

function cellOf({ parser }: InlineRenderer, { tokens }: Tokens.TableCell, tag: string, end: string): string {
  return `<${tag}>${parser.parseInline(tokens)}</${end}>`;
}

/**
 * Writes the heading of a table's column. A column without a heading gets an ordinary empty cell, because a heading
 * cell without words would be invalid.
 */
const headingOf = (renderer: InlineRenderer, cell: Tokens.TableCell): string =>
  cell.text === '' ? '<td></td>' : cellOf(renderer, cell, 'th scope="col"', 'th');

/** Returns the anchor that GitHub would use for the heading, so that links work there and here. */
function anchorOf(text: string, known: Map<string, number>): string {
  const anchor = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
  const before = known.get(anchor) ?? 0;
  known.set(anchor, before + 1);
  return before === 0 ? anchor : `${anchor}-${before}`;
}

/**
 * The target of a link in a document. undefined if the service does not show this target: then the link becomes plain
 * text.
 */
function addressIn(file: string, href: string): string | undefined {
  if (href.startsWith('http://127.0.0.1')) return undefined;
  if (/^https?:/.test(href) || href.startsWith('#')) return href;
  const [path = '', anchor] = href.split('#');
  const target = posix.join(posix.dirname(file), path);
  const served = servedDocuments.find((document) => document.file === target);
  return served === undefined ? undefined : `docs:${served.name}${anchor === undefined ? '' : `#${anchor}`}`;
}
