import { renderDocument } from './render-document.js';
import { type ServedDocument, servedDocuments } from './served-documents.js';

/** A section of a document: a heading with the text up to the next heading. */
interface Section {
  readonly document: ServedDocument;
  readonly anchor: string;
  readonly heading: string;
  readonly text: string;
}

export interface FoundSection extends Pick<Section, 'document' | 'anchor' | 'heading'> {
  /** The part of the section around the first word that was searched. */
  readonly excerpt: string;
}

const MAX_FOUND = 20;
const EXCERPT = { before: 60, characters: 200 };

let known: readonly Section[] | undefined;

/**
 * Finds the sections that contain all words of a text, whatever their case. Sections whose headings have more of the words
 * come first; the others are in the order of the documents. There are at most 20.
 */
export function searchDocuments(search: string): readonly FoundSection[] {
  known ??= servedDocuments.flatMap(sectionsOf);
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return [];
  const hits = (text: string) => words.filter((word) => text.toLowerCase().includes(word)).length;
  return known
    .filter(({ heading, text }) => hits(`${heading} ${text}`) === words.length)
    .map((section) => ({ section, rank: hits(section.heading) }))
    .sort((one, other) => other.rank - one.rank)
    .slice(0, MAX_FOUND)
    .map(({ section: { text, ...section } }) => ({ ...section, excerpt: excerptOf(text, words) }));
}

function sectionsOf(document: ServedDocument): readonly Section[] {
  const parts = renderDocument(document).html.split(/(?=<h[1-3] id=")/);
  return parts.flatMap((part) => {
    const [whole, anchor, heading] = /^<h[1-3] id="([^"]*)">(.*?)<\/h[1-3]>/s.exec(part) ?? [];
    if (whole === undefined || anchor === undefined || heading === undefined) return [];
    return [{ document, anchor, heading: plain(heading), text: plain(part.slice(whole.length)) }];
  });
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** The text of HTML that renderDocument wrote, on one line. */
const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(\w+|#39);/g, (entity, name: string) => ENTITIES[name] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim();

function excerptOf(text: string, words: readonly string[]): string {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place >= 0);
  const begin = Math.max(0, Math.min(...places, text.length) - EXCERPT.before);
  const part = text.slice(begin, begin + EXCERPT.characters);
  return `${begin > 0 ? '…' : ''}${part}${begin + part.length < text.length ? '…' : ''}`;
}
