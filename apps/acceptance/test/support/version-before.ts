import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
/**
 * Word that identifies the last version without support for newer schemas. That version is the commit before the first
 * occurrence of this word.
 */
const WORD = 'breaks_before';
const WHERE_IT_CAME = 'packages/database/src/guards.ts';

/** The built programs of the earlier version. */
export interface VersionBefore {
  readonly commit: string;
  /** Returns the full path of a file of the earlier version. */
  path(file: string): string;
  remove(): Promise<void>;
}

/**
 * Builds the last version that does not support newer schemas. Takes it from the history of this repository. Builds it
 * in a temporary folder with the dependencies of its own lock file. If the history does not contain that version,
 * returns the reason instead.
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
    await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder });
    await run('npm', ['run', '--silent', 'build'], { cwd: folder });
  } catch (error) {
    await remove();
    throw error;
  }
  return { commit, path: (file) => join(folder, file), remove };
}

async function git(...args: readonly string[]): Promise<string> {
  return (await run('git', [...args], { cwd: ROOT })).stdout;
}
