import { execFile } from 'node:child_process';
import { appendFile, cp, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readMigrations } from '@takt/database';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
/** The last migration before 1.0.0. The commit that deleted it began the migrations of the release. */
const LAST_BEFORE_RELEASE = 'migrations/0038-saved-views-on-clusters.sql';

/** Another version of Takt in a folder of its own, built and ready to run. */
export interface OtherVersion {
  /** The root folder of the version. */
  readonly root: string;
  remove(): Promise<void>;
}

/**
 * Builds the last version before 1.0.0 from the history of this repository, with the dependencies of its own lock file.
 * Returns the reason instead if the history does not contain it.
 */
export async function buildVersionBeforeRelease(): Promise<OtherVersion | string> {
  const log = ['log', '--diff-filter=D', '--format=%P', '--', LAST_BEFORE_RELEASE];
  const found = await git(...log).catch(String);
  const commit = /^[0-9a-f]{40}$/m.exec(found)?.[0];
  if (commit === undefined) return `the history does not reach back to 1.0.0: ${found.trim()}`;
  return inFolder(async (root) => {
    const archive = join(root, 'sources.tar');
    await git('archive', '--format=tar', `--output=${archive}`, commit);
    await run('tar', ['xf', archive, '-C', root]);
    await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: root });
    await run('npm', ['run', '--silent', 'build'], { cwd: root });
  });
}

/**
 * Makes a next version of Takt: a copy of this one with a further migration, which adds a table and columns, and with a
 * function that has changed. It stands for a release that does not exist yet.
 */
export async function makeNextVersion(): Promise<OtherVersion> {
  const number = String((await readMigrations()).length + 1).padStart(4, '0');
  return inFolder(async (root) => {
    for (const name of ['apps', 'packages', 'migrations', 'package.json']) {
      await cp(join(ROOT, name), join(root, name), COPY_LINKS);
    }
    // The workspaces are relative links, which lead to the copies of the workspaces.
    await cp(join(ROOT, 'node_modules/@takt'), join(root, 'node_modules/@takt'), COPY_LINKS);
    for (const name of await readdir(join(ROOT, 'node_modules'))) {
      if (name !== '@takt') await symlink(join(ROOT, 'node_modules', name), join(root, 'node_modules', name));
    }
    await writeFile(join(root, `migrations/${number}-next.sql`), NEXT_MIGRATION);
    await appendFile(
      join(root, 'migrations/functions/apply_work_order_operation_events.sql'),
      '-- changed\n',
    );
  });
}

const COPY_LINKS = { recursive: true, verbatimSymlinks: true } as const;

/** Locks the tables that workers and readers use most. */
const NEXT_MIGRATION = `
ALTER TABLE takt.product_structure_versions ADD COLUMN next_column text;
ALTER TABLE takt.work_order_operations ADD COLUMN next_column text;
CREATE TABLE takt.next_table (company_id integer PRIMARY KEY REFERENCES takt.companies);
GRANT SELECT ON takt.next_table TO takt_worker;
`;

async function inFolder(fill: (root: string) => Promise<void>): Promise<OtherVersion> {
  const root = await mkdtemp(join(tmpdir(), 'takt-version-'));
  const remove = () => rm(root, { recursive: true, force: true });
  try {
    await fill(root);
  } catch (error) {
    await remove();
    throw error;
  }
  return { root, remove };
}

async function git(...args: readonly string[]): Promise<string> {
  return (await run('git', [...args], { cwd: ROOT })).stdout;
}
