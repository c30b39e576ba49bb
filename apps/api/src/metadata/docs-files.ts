import { createRequire } from 'node:module';
import { DOCS_INITIALIZER, DOCS_PAGE } from './docs-page.js';

interface DocsAddress {
  /** Below the base URL. */
  readonly path: string;
  /** Value of the Content-Type header. */
  readonly contentType: string;
}

/** A file of the documentation pages: on the disk (absolute path), or its text. */
export type DocsFile = DocsAddress & ({ readonly file: string } | { readonly body: string });

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/**
 * All that the pages under /docs are made of. Nothing is inline or comes from anywhere else, so they work under
 * DOCS_POLICY. Throws where swagger-ui-dist is not installed.
 */
export function docsFiles(): readonly DocsFile[] {
  const { resolve } = createRequire(import.meta.url);
  const packaged = (name: string, contentType: string): DocsFile => ({
    path: `/docs/${name}`,
    contentType,
    file: resolve(`swagger-ui-dist/${name}`),
  });
  return [
    { path: '/docs', contentType: HTML, body: DOCS_PAGE },
    { path: '/docs/initializer.js', contentType: SCRIPT, body: DOCS_INITIALIZER },
    packaged('swagger-ui.css', STYLE),
    packaged('swagger-ui-bundle.js', SCRIPT),
    packaged('favicon-32x32.png', 'image/png'),
  ];
}
