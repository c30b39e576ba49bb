import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * Removes comments, white space and leading zeros, because each page contains its style. The style's strings must not
 * contain the characters around which white space is removed with white space next to them.
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

/** Reads a style sheet and compresses it. */
export function readStyle(file: URL): string {
  return compress(readFileSync(file, 'utf8'));
}

/** The hash that allows a style element in a Content-Security-Policy. */
export function hashOfStyle(style: string): string {
  return `sha256-${createHash('sha256').update(style).digest('base64')}`;
}

/** The style sheet of all pages. It is found by package name, so the location of the build folder does not matter. */
export const pageStyle = readStyle(new URL(import.meta.resolve('#assets/page.css')));
