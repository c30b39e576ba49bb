import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

// The root of the repository, seen from dist/test/support.
const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
/**
 * Maximum time in ms for the commands of an example. npm first installs from the registry, and later from its cache.
 */
const COMMANDS_DEADLINE_MS = 150_000;
const NPM_QUIETLY = {
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
};

/** The instructions in one section of a page. */
export interface Example {
  readonly heading: string;
  /** Blocks of commands. If there are several blocks, they are alternatives. */
  readonly commands: readonly string[];
  /** The program of the example. undefined if there are only commands. */
  readonly program: string | undefined;
}

/** Returns the sections of a page whose heading begins with `beginning`, in the order of the page. */
export async function readExamples(page: string, beginning: string): Promise<readonly Example[]> {
  const text = await readFile(join(ROOT, page), 'utf8');
  return text
    .split(/^#{2,3} /m)
    .filter((section) => section.startsWith(beginning))
    .map((section) => {
      const blocks = [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
      const of = (isShell: boolean) =>
        blocks.filter(([, language]) => (language === 'sh') === isShell).map(([, , code = '']) => code);
      return { heading: section.split('\n', 1)[0] ?? '', commands: of(true), program: of(false)[0] };
    });
}

/** An empty folder outside the repository. */
export interface EmptyFolder {
  readonly path: string;
  readonly close: () => Promise<void>;
}

export async function makeEmptyFolder(): Promise<EmptyFolder> {
  const path = await mkdtemp(join(tmpdir(), 'takt-example-'));
  return { path, close: () => rm(path, { recursive: true, force: true }) };
}

/** Packs the package for producers, and puts the archive into a folder. */
export async function packEvents(folder: string): Promise<void> {
  await run('npm', ['pack', '--silent', '-w', 'packages/events', '--pack-destination', folder], {
    cwd: ROOT,
  });
}

/**
 * Runs an example in `folder`. Writes the program under the file name in the commands. Runs the commands with bash, and
 * stops at the first failure. If a command fails, throws an error with the output.
 */
export async function follow(
  folder: string,
  { program, ...example }: Example,
  commands: string,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  if (program !== undefined) {
    const [name] = /\bpublish\.\w+/.exec(commands) ?? [];
    if (name === undefined) throw new Error(`"${example.heading}" does not run the program that it shows`);
    await writeFile(join(folder, name), program);
  }
  const { PATH = '', HOME = '' } = process.env;
  const settings = {
    cwd: folder,
    env: { PATH, HOME, ...NPM_QUIETLY, ...environment },
    timeout: COMMANDS_DEADLINE_MS,
  };
  const shell = run('bash', ['--norc', '-euc', commands], settings);
  await shell.catch(({ stdout, stderr }) => {
    throw new Error(`"${example.heading}" fails:\n${stdout}${stderr}`);
  });
}

/**
 * Compiles programs with the strictest settings, including the types of their packages. Returns the errors of the
 * compiler. The programs get only the types of Node.js, because a wider search would also find the types of database
 * drivers.
 */
export async function findTypeErrors(folder: string, files: readonly string[]): Promise<string> {
  const lent = join(ROOT, 'node_modules');
  await mkdir(join(folder, 'node_modules/@types'), { recursive: true });
  await symlink(join(lent, '@types/node'), join(folder, 'node_modules/@types/node'));
  const strictly = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--exactOptionalPropertyTypes'];
  const target = ['--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
  return run(process.execPath, [join(lent, '.bin/tsc'), ...strictly, ...target, ...files], {
    cwd: folder,
  }).then(
    () => '',
    (error: { readonly stdout?: string }) => error.stdout ?? String(error),
  );
}

/** True if npm's registry can be reached. */
export function isRegistryReachable(): Promise<boolean> {
  return run('npm', ['ping', '--fetch-retries=1', '--fetch-timeout=15000'], { cwd: ROOT }).then(
    () => true,
    () => false,
  );
}
