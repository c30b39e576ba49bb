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

/** A style sheet as it is sent. */
export function readStyle(file: URL): string {
  return compress(readFileSync(file, 'utf8'));
}

/** The hash by which a Content-Security-Policy allows a style element. */
export function hashOfStyle(style: string): string {
  return `sha256-${createHash('sha256').update(style).digest('base64')}`;
}

/** The style sheet of all pages. By the name of the package, which holds wherever this file is compiled to. */
export const pageStyle = readStyle(new URL(import.meta.resolve('#assets/page.css')));
