import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const TYPES = join(ROOT, 'node_modules/@types');
const COMPILER = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc');
const LINE_DEADLINE_MS = 300_000;

/** The exit status and the output of shell lines. */
export interface LineOutcome {
  /** The exit code; null if a signal ended the lines, which also happens at the timeout. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface LineOptions {
  /**
   * Environment variables that are added to those of the test. The variables that npm and Takt read are removed from
   * the environment of the test.
   */
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/**
 * A folder outside of the repository, like the folder of a new program. No module of the repository can be found from
 * there.
 */
export interface EmptyProject {
  readonly folder: string;
  /**
   * Names of the packed packages in the folder, e.g. takt-events-0.1.0.tgz. npm can install the packages from these
   * files.
   */
  readonly tarballs: readonly string[];
  write(path: string, text: string): Promise<void>;
  read(path: string): Promise<string>;
  /** Runs shell lines like those in README files, up to the first line that fails. Does not reject if a line fails. */
  run(lines: string, options?: LineOptions): Promise<LineOutcome>;
  /**
   * Runs the TypeScript compiler of this repository on files, with the option strict. Returns its output, which is
   * empty if there are no errors. `types` names the global types of the project, which are taken from those of the
   * repository.
   */
  check(files: readonly string[], types: readonly ('node' | 'dom')[]): Promise<string>;
}

/**
 * Creates an empty project. The built workspaces with these paths are packed into it as npm would publish them. The
 * project is removed after `use`. The packages are not installed yet, because the line that installs them is part of
 * the example.
 */
export async function inEmptyProject<Result>(
  workspaces: readonly string[],
  use: (project: EmptyProject) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'takt-project-'));
  try {
    await writeFile(
      join(folder, 'package.json'),
      '{ "name": "project", "private": true, "type": "module" }\n',
    );
    const tarballs: string[] = [];
    for (const workspace of workspaces) tarballs.push(await pack(workspace, folder));
    return await use({
      folder,
      tarballs,
      write: (path, content) => writeFile(join(folder, path), content),
      read: (path) => readFile(join(folder, path), 'utf8'),
      run: (lines, options) => run(['sh', '-euc', lines], folder, options),
      check: async (files, types) => {
        const { stdout, stderr } = await run(compilation(files, types), folder);
        return stdout + stderr;
      },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Packs a workspace and returns the name of the file in `folder`. */
async function pack(workspace: string, folder: string): Promise<string> {
  const command = ['npm', 'pack', '--silent', '--pack-destination', folder] as const;
  const { code, stdout, stderr } = await run(command, join(ROOT, workspace));
  if (code !== 0) throw new Error(`${workspace} cannot be packed: ${stdout}${stderr}`);
  return stdout.trim();
}

function compilation(files: readonly string[], types: readonly ('node' | 'dom')[]): readonly string[] {
  const flags = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const modules = ['--target', 'es2023', '--module', 'nodenext'];
  const libraries = ['--lib', types.includes('dom') ? 'es2023,dom,dom.iterable' : 'es2023'];
  const globals = types.includes('node') ? ['--typeRoots', TYPES, '--types', 'node'] : ['--types', ''];
  return [process.execPath, COMPILER, ...flags, ...modules, ...libraries, ...globals, ...files];
}

async function run(
  [program = '', ...args]: readonly string[],
  cwd: string,
  { environment = {}, input = '' }: LineOptions = {},
): Promise<LineOutcome> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(npm_|TAKT_|INIT_CWD$)/i.test(name));
  const path = [dirname(process.execPath), process.env['PATH']].join(delimiter);
  const env = { ...Object.fromEntries(inherited), PATH: path, ...environment };
  const child = spawn(program, args, { cwd, env, timeout: LINE_DEADLINE_MS });
  // A program that ends without reading its input closes the pipe, which causes an error here.
  child.stdin.on('error', () => undefined).end(input);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}
