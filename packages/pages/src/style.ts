import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * Removes comments, white space and leading zeros from a style sheet. This matters because each page contains its whole
 * style sheet. White space is removed around certain characters, also inside strings. So strings of the style sheet
 * must not contain such a character next to white space.
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

export function readStyle(file: URL): string {
  return compress(readFileSync(file, 'utf8'));
}

/** The hash by which a Content-Security-Policy allows the style element. */
export function hashOfStyle(style: string): string {
  return `sha256-${createHash('sha256').update(style).digest('base64')}`;
}

/**
 * The style sheet of all pages. It is found by the name of the package, so it does not matter where the build folder
 * is.
 */
export const pageStyle = readStyle(new URL(import.meta.resolve('#assets/page.css')));
