import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** The fields of docker/compose.yaml that tests check or use. */
export interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks?: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly secrets?: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes?: Readonly<Record<string, unknown>>;
}

export interface ComposeService {
  readonly image: string;
  readonly build?: { readonly target: string };
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly networks: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: unknown;
  readonly user?: string;
  readonly init?: boolean;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly deploy: {
    readonly replicas?: number;
    readonly resources: { readonly limits: Readonly<Record<string, unknown>> };
  };
}

/** Returns the full path of a file in the folder `docker`. */
export function dockerPath(name: string): string {
  return fileURLToPath(new URL(`../../../../../docker/${name}`, import.meta.url));
}

/** Reads a compose file. Replaces variables by their defaults, which may hold variables, and resolves anchors. */
export function readCompose(name = 'compose.yaml'): Compose {
  return parse(withDefaults(readFileSync(dockerPath(name), 'utf8')), { merge: true });
}

function withDefaults(text: string): string {
  const replaced = text.replace(/\$\{\w+:-([^${}]*)\}/g, '$1');
  return replaced === text ? text : withDefaults(replaced);
}
