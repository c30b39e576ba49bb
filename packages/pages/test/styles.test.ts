import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
/** The workspaces that have pages. */
const WORKSPACES = ['packages/pages', 'apps/api', 'apps/dashboard'];

function readAll(folder: string, ending: RegExp): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => ending.test(path) && !/(^|\/)(node_modules|dist|test)\//.test(path))
    .map((path) => readFileSync(join(ROOT, folder, path), 'utf8'));
}

/** Returns the classes in the selectors of a style sheet. */
function classesOf(css: string): readonly string[] {
  const selectors = css.replace(/\/\*.*?\*\//gs, '').replace(/\{[^{}]*\}/g, '{}');
  return [...selectors.matchAll(/\.(-?[a-z][\w-]*)/gi)].map(([, name = '']) => name);
}

describe('the style sheets', () => {
  // The browser tests check the opposite on each page that they open: every class has a rule.
  it('have no rule for a class that no page uses', () => {
    const texts = WORKSPACES.flatMap((folder) => readAll(folder, /\.(tsx?|js)$/)).flatMap(
      (source) => source.match(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g) ?? [],
    );
    const written = new Set(texts.flatMap((text) => text.split(/[^\w-]+/)));
    const ruled = new Set(WORKSPACES.flatMap((folder) => readAll(folder, /\.css$/)).flatMap(classesOf));
    expect(ruled.size).to.be.above(30);
    expect([...ruled].filter((name) => !written.has(name))).to.deep.equal([]);
  });
});
