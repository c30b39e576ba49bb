import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A package in the output of `npm pack --json`. */
interface PackedPackage {
  readonly name: string;
  readonly files: readonly { readonly path: string }[];
}

/** The fields of the root's package.json that are kept. Its scripts and tools are only for a checkout. */
const KEPT_OF_ROOT = ['name', 'version', 'private', 'license', 'type', 'engines', 'allowScripts'] as const;

/**
 * Copies an app of the built repository at `root` into an empty `folder`. The copy has the workspaces that the app
 * needs, as npm would publish them and at their places in the repository, and the lock file. In this folder, `npm ci
 * --omit=dev --omit=optional` installs exactly the dependencies of the app. Throws if the app does not exist.
 */
export async function packApp(root: string, app: string, folder: string): Promise<void> {
  const workspaces = await readWorkspaces(root);
  const needed = closureOf(workspaces, app);
  const packArguments = needed.flatMap(({ path }) => ['-w', path]);
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--silent', ...packArguments], {
    cwd: root,
  });
  const packed: readonly PackedPackage[] = JSON.parse(stdout);
  for (const { name, files } of packed) {
    const path = workspaces.get(name)?.path ?? '';
    const current = files.filter((file) => hasSource(join(root, path), file.path));
    if (!current.some((file) => file.path.startsWith('dist/src/'))) {
      throw new Error(
        `nothing of ${path}/dist/src is packed: build it, and name it under files in its package.json`,
      );
    }
    for (const file of current) await copyInto(folder, root, join(path, file.path));
  }
  const manifest: Manifest = await readManifest(root);
  const kept = Object.fromEntries(KEPT_OF_ROOT.map((key) => [key, manifest[key]]));
  const text = JSON.stringify({ ...kept, workspaces: needed.map(({ path }) => path) }, null, 2);
  await writeFile(join(folder, 'package.json'), `${text}\n`);
  for (const file of ['package-lock.json', '.npmrc']) await copyInto(folder, root, file);
  // The migrations belong to no workspace. They are needed because every app needs @takt/database, which reads them.
  await cp(join(root, 'migrations'), join(folder, 'migrations'), { recursive: true });
}

/** Returns true if the source of a file exists. A file in dist whose source was deleted or moved is left out. */
function hasSource(workspace: string, path: string): boolean {
  const source = /^dist\/(src\/.*)\.js$/.exec(path)?.[1];
  return (
    source === undefined || ['.ts', '.tsx'].some((ending) => existsSync(join(workspace, source + ending)))
  );
}

async function copyInto(folder: string, root: string, path: string): Promise<void> {
  const target = join(folder, path);
  await mkdir(dirname(target), { recursive: true });
  await copyFile(join(root, path), target);
}

/** Returns an app and the workspaces that it needs in production. Each workspace occurs once. */
function closureOf(workspaces: ReadonlyMap<string, Workspace>, app: string): readonly Workspace[] {
  const first = workspaces.get(`@takt/${app}`);
  if (first?.path !== `apps/${app}`) throw new Error(`there is no app ${app}: see the folders of apps`);
  const found = new Set([first]);
  for (const { manifest } of found) {
    for (const name of Object.keys(manifest.dependencies ?? {})) {
      const needed = workspaces.get(name);
      if (needed !== undefined) found.add(needed);
    }
  }
  return [...found];
}

/** The fields of a package.json that are used here. */
interface Manifest extends Readonly<Record<string, unknown>> {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

interface Workspace {
  /** Path relative to the root, e.g. apps/api. */
  readonly path: string;
  readonly manifest: Manifest;
}

/** Reads the workspaces of the repository at `root`, by their name. */
export async function readWorkspaces(root: string): Promise<ReadonlyMap<string, Workspace>> {
  const found = new Map<string, Workspace>();
  for (const parent of ['apps', 'packages']) {
    for (const folder of await readdir(join(root, parent))) {
      const path = `${parent}/${folder}`;
      const manifest = await readManifest(join(root, path));
      found.set(manifest.name, { path, manifest });
    }
  }
  return found;
}

export async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
}
