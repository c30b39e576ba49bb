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

/** Tools that read an OpenAPI document, in their own folder: see apps/acceptance/generators. */
export interface Generators {
  /**
   * Generates and compiles the clients of API and intake; rejects with the output of the generators or the compiler.
   */
  generate(document: string, intakeDocument: string): Promise<void>;
  /** Returns the findings of each linter as sentences. */
  lint(document: string): Promise<Readonly<Record<'redocly' | 'spectral', readonly string[]>>>;
  /** Runs one of the programs beside the clients and returns its output as JSON. */
  run(program: string, baseUrl: string, token: string): Promise<unknown>;
}

/** Installs the tools if they are missing; rejects if that fails, for example without a registry. */
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
      // Output of @hey-api/openapi-ts never compiles under exactOptionalPropertyTypes.
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

/** Installs by the lock file, whose copy later records the installed state. */
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
