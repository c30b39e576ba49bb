import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * A file that pages load. Its path contains a hash of its content, so browsers keep it until it changes. The folder is
 * found by the name of the package, so it does not matter where the build folder is.
 */
interface Asset {
  /** Path below the base URL of an app. */
  readonly path: string;
  readonly contentType: string;
  readonly body: () => string;
  readonly headers: Readonly<Record<string, string>>;
}

const read = (name: string): string => readFileSync(new URL(import.meta.resolve(`#assets/${name}`)), 'utf8');

function asset(name: string, contentType: string, content: string): Asset {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 12);
  return {
    path: `/assets/${hash}/${name}`,
    contentType: `${contentType}; charset=utf-8`,
    body: () => content,
    headers: { 'Cache-Control': 'public, max-age=31536000, immutable' },
  };
}

const SCRIPT = 'text/javascript';

/** The style sheet of all pages. The sheets of operations and of the documentation refine the first one. */
export const styleSheet = asset(
  'style.css',
  'text/css',
  ['page.css', 'operations.css', 'docs.css'].map(read).join('\n'),
);

/** The script of the API's pages: filters that apply at once, chosen rows, values of charts. */
export const pageScript = asset('page.js', SCRIPT, read('page.js'));

/** The script that updates a page of the dashboard. */
export const liveScript = asset('live.js', SCRIPT, read('live.js'));

/** The script of the documentation. */
export const docsScript = asset('docs.js', SCRIPT, read('docs.js'));

/** The routes of all files that pages load. */
export const assetRoutes: readonly Asset[] = [styleSheet, pageScript, liveScript, docsScript];
