import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/*
 * Puts what /docs serves of swagger-ui-dist, and its licence, beside the compiled API. So the package is needed for the
 * build alone: 10 of its 12 MB are served to nobody, and it brings one along that reports installations.
 */

const FILES = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'favicon-32x32.png',
  'LICENSE',
  'NOTICE',
  'swagger-ui-bundle.js.LICENSE.txt',
];
const { resolve } = createRequire(import.meta.url);
const folder = new URL('../swagger-ui/', import.meta.url);

mkdirSync(folder, { recursive: true });
for (const file of FILES) {
  const content = readFileSync(resolve(`swagger-ui-dist/${file}`));
  const target = new URL(file, folder);
  // A file that an API serves at this moment is left alone where nothing changed.
  if (!isThere(target, content)) writeFileSync(target, content);
}

function isThere(target: URL, content: Buffer): boolean {
  try {
    return readFileSync(target).equals(content);
  } catch {
    return false;
  }
}
