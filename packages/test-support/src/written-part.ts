import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

// Root of the repository, relative to dist/src.
const ROOT = new URL('../../../../', import.meta.url);
const BEGIN = '<!-- written by TAKT_WRITE_SNAPSHOTS=1: begin -->';
const END = '<!-- written by TAKT_WRITE_SNAPSHOTS=1: end -->';

/**
 * Expects that the part of a document between its two marks is `text`. With TAKT_WRITE_SNAPSHOTS=1, first writes the
 * text into the document. `path` is relative to the root of the repository. Throws if the document lacks the marks.
 */
export function expectWrittenPart(path: string, text: string): void {
  const file = fileURLToPath(new URL(path, ROOT));
  const document = readFileSync(file, 'utf8');
  const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${path} must hold "${BEGIN}" and, after it, "${END}"`);
  const written = `${document.slice(0, begin + BEGIN.length)}\n\n${text.trim()}\n\n${document.slice(end)}`;
  if (process.env['TAKT_WRITE_SNAPSHOTS'] === '1') writeFileSync(file, written);
  expect(readFileSync(file, 'utf8'), path).to.equal(written);
}
