import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const WORKSPACES = ['apps', 'packages'].flatMap((parent) =>
  readdirSync(join(ROOT, parent)).map((name) => `${parent}/${name}`),
);

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns every node that is part of a cycle. */
function circlesIn(graph: Graph): readonly string[] {
  const reachedFrom = (start: string) => {
    const reached = new Set<string>();
    const open = [start];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      for (const next of graph.get(node) ?? []) {
        if (!reached.has(next)) open.push(next);
        reached.add(next);
      }
    }
    return reached;
  };
  return [...graph.keys()].filter((node) => reachedFrom(node).has(node));
}

/** Returns for each workspace the workspaces that it depends on, in production or for its tests. */
function readWorkspaces(): Graph {
  return new Map(
    WORKSPACES.map((path) => {
      const manifest = JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8'));
      const { name, dependencies, devDependencies, peerDependencies } = manifest;
      const needed = Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies });
      return [name, new Set(needed.filter((one) => one.startsWith('@takt/')))];
    }),
  );
}

/**
 * Returns for each folder below `src` the other folders that it imports from. A file directly in `src` counts as a
 * folder.
 */
function readFolders(workspace: string): Graph {
  const source = join(ROOT, workspace, 'src');
  const folders = new Map<string, Set<string>>();
  const folderOf = (path: string) =>
    relative(source, path)
      .replace(/\.[jt]sx?$/, '')
      .split('/')[0] ?? '';
  for (const file of readdirSync(source, { recursive: true }).map(String)) {
    if (!/\.tsx?$/.test(file)) continue;
    const path = join(source, file);
    const own = folders.get(folderOf(path)) ?? new Set<string>();
    folders.set(folderOf(path), own);
    for (const [, specifier = ''] of readFileSync(path, 'utf8').matchAll(/from '(\.[^']+)'/g)) {
      const other = folderOf(normalize(join(dirname(path), specifier)));
      if (other !== folderOf(path)) own.add(other);
    }
  }
  return folders;
}

/**
 * Returns the imports in sources and tests of workspaces that the manifest of the importing workspace does not declare.
 */
function findUndeclared(): readonly string[] {
  const declared = readWorkspaces();
  return WORKSPACES.flatMap((workspace, index) => {
    const [name = '', needed] = [...declared][index] ?? [];
    const folders = ['src', 'test', 'testing', 'scripts'].map((folder) => join(ROOT, workspace, folder));
    const texts = folders.filter(existsSync).flatMap((folder) =>
      readdirSync(folder, { recursive: true })
        .map(String)
        .filter((file) => /\.tsx?$/.test(file))
        .map((file) => readFileSync(join(folder, file), 'utf8')),
    );
    const imported = texts.flatMap((text) =>
      Array.from(text.matchAll(/(?:from|import\() ?'(@takt\/[\w-]+)/g), ([, found = '']) => found),
    );
    const missing = new Set(imported.filter((one) => one !== name && needed?.has(one) !== true));
    return [...missing].map((one) => `${name} imports ${one}`);
  });
}

describe('the workspaces', () => {
  it('declare all other workspaces that they import in sources and tests', () => {
    expect(findUndeclared()).to.deep.equal([]);
  });

  it('do not depend on each other in a cycle, even in their tests', () => {
    const workspaces = readWorkspaces();
    expect(workspaces.size).to.be.above(15);
    expect(circlesIn(workspaces)).to.deep.equal([]);
  });

  it('have no cycle of imports among their folders', () => {
    for (const workspace of WORKSPACES.filter((path) => existsSync(join(ROOT, path, 'src')))) {
      expect(circlesIn(readFolders(workspace)), workspace).to.deep.equal([]);
    }
  });
});
