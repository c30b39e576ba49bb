import { inflateSync } from 'node:zlib';

/**
 * Returns the text of each page of a PDF from Chromium, without white space. Blanks may be missing in the PDF, because
 * it stores positions of glyphs. Supports only the parts of the format that Chromium uses: separate objects, deflated
 * streams, two-byte glyph codes and one character table per font.
 */
export function pdfTexts(pdf: Buffer): readonly string[] {
  const objects = objectsOf(pdf);
  const pages = [...objects.values()].filter(({ head }) => /\/Type\s*\/Page\b/.test(head));
  return pages.map(({ head }) => textOf(head, objects));
}

interface PdfObject {
  readonly head: string;
  /** The content of the object's stream, inflated. */
  readonly content: string;
}

type Objects = ReadonlyMap<string, PdfObject>;

function objectsOf(pdf: Buffer): Objects {
  const text = pdf.toString('latin1');
  const objects = new Map<string, PdfObject>();
  const pattern = /(\d+) 0 obj\s*(.*?)\s*(?:endobj|stream\r?\n)/gs;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const [whole, number = '', head = ''] = found;
    let content = '';
    if (!whole.endsWith('endobj')) {
      const length = Number(/\/Length (\d+)/.exec(head)?.[1]);
      const stream = pdf.subarray(pattern.lastIndex, pattern.lastIndex + length);
      content = (head.includes('/FlateDecode') ? inflateSync(stream) : stream).toString('latin1');
      pattern.lastIndex += length;
    }
    objects.set(number, { head, content });
  }
  return objects;
}

function textOf(page: string, objects: Objects): string {
  const fonts = new Map<string, ReadonlyMap<number, string>>();
  for (const [, resources = ''] of page.matchAll(/\/Font\s*<<(.*?)>>/gs)) {
    for (const [, name = '', font = ''] of resources.matchAll(/\/(\w+) (\d+) 0 R/g)) {
      fonts.set(name, charactersOf(objects.get(font), objects));
    }
  }
  const contents = Array.from(
    (/\/Contents\s*(\[[^\]]*\]|\d+ 0 R)/.exec(page)?.[1] ?? '').matchAll(/(\d+) 0 R/g),
    ([, number = '']) => objects.get(number)?.content ?? '',
  ).join('\n');
  let font: ReadonlyMap<number, string> = new Map();
  let text = '';
  for (const [, name, glyphs] of contents.matchAll(/\/(\w+) [\d.]+ Tf|<([0-9A-Fa-f]+)>/g)) {
    if (name !== undefined) font = fonts.get(name) ?? new Map();
    const codes = codesOf(glyphs ?? '');
    text += codes.map((code) => font.get(code) ?? '').join('');
  }
  // Splits ligatures into their letters.
  return text.normalize('NFKC').replace(/\s/g, '');
}

/** Returns the characters of a font by the code of their glyph. */
function charactersOf(font: PdfObject | undefined, objects: Objects): ReadonlyMap<number, string> {
  const [, table = ''] = /\/ToUnicode (\d+) 0 R/.exec(font?.head ?? '') ?? [];
  const { content = '' } = objects.get(table) ?? {};
  const characters = new Map<number, string>();
  for (const [, lines = ''] of content.matchAll(/beginbfchar(.*?)endbfchar/gs)) {
    for (const [, code = '', character = ''] of lines.matchAll(/<(\w+)>\s*<(\w+)>/g)) {
      characters.set(Number.parseInt(code, 16), String.fromCharCode(...codesOf(character)));
    }
  }
  for (const [, lines = ''] of content.matchAll(/beginbfrange(.*?)endbfrange/gs)) {
    for (const [, from = '', to = '', first = ''] of lines.matchAll(/<(\w+)>\s*<(\w+)>\s*<(\w+)>/g)) {
      const [start, end, character] = [from, to, first].map((hex) => Number.parseInt(hex, 16));
      for (let code = start ?? 0; code <= (end ?? -1); code += 1) {
        characters.set(code, String.fromCharCode((character ?? 0) + code - (start ?? 0)));
      }
    }
  }
  return characters;
}

function codesOf(hex: string): readonly number[] {
  return Array.from(hex.matchAll(/.{4}/g), ([code]) => Number.parseInt(code, 16));
}
