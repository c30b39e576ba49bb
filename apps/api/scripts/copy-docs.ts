import { copyFileSync, mkdirSync } from 'node:fs';
import { servedDocuments } from '../src/docs/served-documents.js';

/* Copies the documents for /docs next to the compiled API, which is installed without the repository. */
for (const { file } of servedDocuments) {
  const target = new URL(`../docs/${file}`, import.meta.url);
  mkdirSync(new URL('.', target), { recursive: true });
  copyFileSync(new URL(`../../../../docs/${file}`, import.meta.url), target);
}
