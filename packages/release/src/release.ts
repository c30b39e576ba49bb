import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import semver from 'semver';
import { packApp, readManifest, readWorkspaces } from './pack-app.js';

const run = promisify(execFile);

export interface ReleaseOptions {
  /** Path of the checkout. */
  readonly root: string;
  /** Version of the release without a leading v, e.g. 1.2.0 or 1.3.0-rc.1. */
  readonly version: string;
  /** Date of the release as the changelog shows it, e.g. 2026-11-22. */
  readonly date: string;
  /** Directory for the tarballs. It must not exist yet. */
  readonly folder: string;
  /** If true, only checks if a release can be made. */
  readonly isDryRun: boolean;
  readonly say: (line: string) => void;
}

/** Thrown if a release cannot be made. The message gives the reason and says what to do. */
export class ReleaseError extends Error {
  override readonly name = 'ReleaseError';
}

const CHANGELOG = 'CHANGELOG.md';
const UNRELEASED = '## Unreleased\n';
const EVERYWHERE = ['--workspaces', '--include-workspace-root', '--workspaces-update=false'];

/**
 * Packages for other programs. Each becomes a tarball without other workspaces: with one a program reads from Takt,
 * with the other it publishes events.
 */
const PACKED_ALONE = ['packages/client', 'packages/events'];

/**
 * Makes a release of a checkout. It writes the version into every package.json and the lock file, and moves the
 * unreleased part of the changelog under the version. Then it builds, packs a tarball of each app and of each package
 * for other programs, commits and tags. Nothing is pushed. If the version, the tree, the tag or the changelog is not
 * suitable, throws a ReleaseError and changes nothing.
 */
export async function release(options: ReleaseOptions): Promise<void> {
  const { root, version, date, folder, isDryRun, say } = options;
  const changelog = await checkRelease(options);
  if (isDryRun) {
    say(`${version} can be released`);
    return;
  }
  try {
    await npm(root, 'version', version, '--allow-same-version', '--no-git-tag-version', ...EVERYWHERE);
    await npm(root, 'install', '--package-lock-only', '--offline', '--no-audit', '--no-fund');
    const changed = changelog.replace(UNRELEASED, `${UNRELEASED}\n## ${version}, ${date}\n`);
    await writeFile(join(root, CHANGELOG), changed);
    say('building');
    await npm(root, 'run', '--silent', 'build');
    await packAll(root, version, folder, say);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    await git(root, 'checkout', '--', '.');
    throw error;
  }
  await git(root, 'commit', '--all', '--quiet', '--message', `Release ${version}`);
  await git(root, 'tag', '--annotate', `v${version}`, '--message', `Takt ${version}`);
  say(`tarballs are in ${folder}; git push --follow-tags publishes the commit and the tag v${version}`);
}

/** Checks that a release can be made, and returns the text of the changelog. */
async function checkRelease({ root, version, folder }: ReleaseOptions): Promise<string> {
  const { version: current } = await readManifest(root);
  if (semver.valid(version) !== version) {
    throw new ReleaseError(`${version} is not a version: it must be like 1.2.0 or 1.3.0-rc.1`);
  }
  if (semver.lt(version, current)) {
    throw new ReleaseError(`${version} is older than ${current}, which package.json has`);
  }
  const changed = await git(root, 'status', '--porcelain');
  if (changed !== '') throw new ReleaseError(`commit or undo what is changed first:\n${changed.trimEnd()}`);
  if ((await git(root, 'tag', '--list', `v${version}`)) !== '') {
    throw new ReleaseError(`the tag v${version} exists already: choose the next version`);
  }
  if (existsSync(folder)) {
    throw new ReleaseError(`${folder} exists already: remove it, or name another folder`);
  }
  const changelog = await readFile(join(root, CHANGELOG), 'utf8');
  const [, unreleased = ''] = changelog.split(UNRELEASED);
  const [news = ''] = unreleased.split('\n## ');
  if (news.trim() === '') {
    throw new ReleaseError(`${CHANGELOG} has nothing under "Unreleased": describe the changes there`);
  }
  return changelog;
}

/**
 * Packs a tarball of each app by packApp, and a tarball of each package for other programs. Also writes the checksums
 * of the tarballs.
 */
async function packAll(
  root: string,
  version: string,
  folder: string,
  say: (line: string) => void,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const scratch = await mkdtemp(join(tmpdir(), 'takt-release-'));
  try {
    for (const { path } of (await readWorkspaces(root)).values()) {
      if (!existsSync(join(root, path, 'bin'))) continue;
      const app = path.replace('apps/', '');
      const name = `takt-${app}-${version}`;
      await mkdir(join(scratch, name));
      await packApp(root, app, join(scratch, name));
      await run('tar', ['-czf', resolve(folder, `${name}.tgz`), '-C', scratch, name]);
      say(`packed ${name}.tgz`);
    }
  } finally {
    await rm(scratch, { recursive: true });
  }
  const packed = PACKED_ALONE.flatMap((path) => ['-w', path]);
  await npm(root, 'pack', '--silent', ...packed, '--pack-destination', resolve(folder));
  const sums: string[] = [];
  for (const file of (await readdir(folder)).sort()) {
    const content = await readFile(join(folder, file));
    sums.push(`${createHash('sha256').update(content).digest('hex')}  ${file}\n`);
  }
  await writeFile(join(folder, 'SHA256SUMS'), sums.join(''));
}

async function npm(root: string, ...args: readonly string[]): Promise<void> {
  await run('npm', args, { cwd: root });
}

async function git(root: string, ...args: readonly string[]): Promise<string> {
  return (await run('git', args, { cwd: root })).stdout;
}
