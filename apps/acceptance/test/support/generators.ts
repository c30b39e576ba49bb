import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

const SOURCES = fileURLToPath(new URL('../../../generators/', import.meta.url));
const FOLDER = fileURLToPath(new URL('../../generators/', import.meta.url));
const INSTALL_DEADLINE_MS = 300_000;
const RUN_DEADLINE_MS = 120_000;
const MAX_OUTPUT_BYTES = 16_000_000;

/** Tools that read an OpenAPI document. They have a separate installation; see apps/acceptance/generators. */
export interface Generators {
  /**
   * Generates and compiles the clients of the API and of the intake. If a generator or the compiler fails, rejects with
   * its output.
   */
  generate(document: string, intakeDocument: string): Promise<void>;
  /** Returns the findings of each linter, one sentence for each. */
  lint(document: string): Promise<Readonly<Record<'redocly' | 'spectral', readonly string[]>>>;
  /** Runs one of the programs that use the generated clients. Returns its output, parsed as JSON. */
  run(program: string, baseUrl: string, token: string): Promise<unknown>;
}

/**
 * Installs the tools if they are missing. Rejects if they cannot be installed, for example because there is no
 * registry.
 */
export async function openGenerators(): Promise<Generators> {
  await mkdir(FOLDER, { recursive: true });
  await install();
  await rm(join(FOLDER, 'generated'), { recursive: true, force: true });
  await cp(SOURCES, FOLDER, { recursive: true });
  const compiler = createRequire(import.meta.url).resolve('typescript/package.json');
  const input = join(FOLDER, 'openapi.json');
  const intakeInput = join(FOLDER, 'intake.json');
  const node = async (...args: string[]) => {
    const options = { cwd: FOLDER, timeout: RUN_DEADLINE_MS, maxBuffer: MAX_OUTPUT_BYTES };
    try {
      return (await run(process.execPath, args, options)).stdout;
    } catch (error) {
      const { stdout = '', stderr = '' } = Object(error);
      throw new Error(`${args[0]} failed:\n${stdout}${stderr}`, { cause: error });
    }
  };
  return {
    async generate(document, intakeDocument) {
      await writeFile(input, document);
      await writeFile(intakeInput, intakeDocument);
      await node('generate.mjs', input, intakeInput, 'generated');
      // The second project sets exactOptionalPropertyTypes. It leaves out @hey-api/openapi-ts, whose output never
      // compiles with this setting.
      for (const project of ['.', 'tsconfig.exact.json']) {
        await node(join(compiler, '../bin/tsc'), '--project', project);
      }
    },
    async lint(document) {
      await writeFile(input, document);
      return JSON.parse(await node('lint.mjs', input));
    },
    run: async (program, baseUrl, token) =>
      JSON.parse(await node(join('compiled', `${program}.js`), baseUrl, token)),
  };
}

/**
 * Installs the versions of the lock file. Then keeps a copy of the lock file. At the next start the copy shows that
 * these versions are installed.
 */
async function install(): Promise<void> {
  const lock = await readFile(join(SOURCES, 'package-lock.json'), 'utf8');
  const installed = join(FOLDER, 'node_modules/installed-by.json');
  const current = await readFile(installed, 'utf8').catch(() => undefined);
  if (current === lock) return;
  for (const file of ['package.json', 'package-lock.json']) await cp(join(SOURCES, file), join(FOLDER, file));
  const args = ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', args, { cwd: FOLDER, timeout: INSTALL_DEADLINE_MS });
  await writeFile(installed, lock);
}
