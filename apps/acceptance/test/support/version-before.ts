import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
/** By what the last version that refuses every newer schema is found: the commit before this word came. */
const WORD = 'breaks_before';
const WHERE_IT_CAME = 'packages/database/src/guards.ts';

/** The programs of an earlier version, built. */
export interface VersionBefore {
  readonly commit: string;
  /** Full path of one of its files. */
  path(file: string): string;
  remove(): Promise<void>;
}

/**
 * Builds the last version that knows nothing of newer schemas from the history of this repository into a temporary
 * folder, with the dependencies that are installed here. Gives why not where there is no such history.
 */
export async function buildVersionBefore(): Promise<VersionBefore | string> {
  const found = await git('log', '--reverse', '--format=%H', `-S${WORD}`, '--', WHERE_IT_CAME).catch(String);
  const came = /^[0-9a-f]{40}$/m.exec(found)?.[0];
  const before = came === undefined ? found : await git('rev-parse', '--verify', `${came}^`).catch(String);
  const commit = /^[0-9a-f]{40}$/.exec(before.trim())?.[0];
  if (commit === undefined) return `the history of the repository does not reach back: ${before.trim()}`;
  const folder = await mkdtemp(join(tmpdir(), 'takt-before-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const archive = join(folder, 'sources.tar');
    await git('archive', '--format=tar', `--output=${archive}`, commit);
    await run('tar', ['xf', archive, '-C', folder]);
    await linkDependencies(folder);
    await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-b'], { cwd: folder });
    await run(process.execPath, ['apps/api/dist/scripts/copy-swagger-ui.js'], { cwd: folder });
  } catch (error) {
    await remove();
    throw error;
  }
  return { commit, path: (file) => join(folder, file), remove };
}

async function git(...args: readonly string[]): Promise<string> {
  return (await run('git', [...args], { cwd: ROOT })).stdout;
}

/** Those of the workspaces lead to the folder's own, all others to what is installed. */
async function linkDependencies(folder: string): Promise<void> {
  await mkdir(join(folder, 'node_modules/@takt'), { recursive: true });
  await linkEntries(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const kind of ['apps', 'packages']) {
    for (const workspace of await readdir(join(folder, kind))) {
      const home = join(folder, kind, workspace);
      const manifest: { name: string } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'));
      await symlink(home, join(folder, 'node_modules', manifest.name));
      const own = join(ROOT, kind, workspace, 'node_modules');
      await linkEntries(own, join(home, 'node_modules')).catch(() => undefined);
    }
  }
}

async function linkEntries(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from)) {
    if (entry === '@takt') continue;
    await mkdir(dirname(join(to, entry)), { recursive: true });
    await symlink(join(from, entry), join(to, entry));
  }
}
