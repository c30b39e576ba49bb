import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * Every page brings its style along, so it is sent without what only its authors need: comments, white space and
 * zeros before a point. The signs without white space around them must not stand in a string with some.
 */
function compress(css: string): string {
  return css
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};>,/]) ?/g, '$1')
    .replaceAll(': ', ':')
    .replace(/(?<=[ :,(-])0\./g, '.')
    .replaceAll(';}', '}')
    .trim();
}

// By the name of the package, which holds wherever this file is compiled to.
const file = new URL(import.meta.resolve('#assets/page.css'));

/** The style sheet of all pages, as it is sent. */
export const htmlStyle = compress(readFileSync(file, 'utf8'));

/** What a Content-Security-Policy allows it by. */
export const htmlStyleHash = `sha256-${createHash('sha256').update(htmlStyle).digest('base64')}`;
