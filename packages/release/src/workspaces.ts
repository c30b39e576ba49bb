import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A package.json, as far as it is read here. */
export interface Manifest extends Readonly<Record<string, unknown>> {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

export interface Workspace {
  /** From the root, e.g. apps/api. */
  readonly path: string;
  readonly manifest: Manifest;
}

/** The workspaces of the repository at `root`, by name. */
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

/** The package.json of a folder. */
export async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
}
