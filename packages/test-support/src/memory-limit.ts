import { readFileSync } from 'node:fs';

const KUBERNETES = new URL('../../../../docker/kubernetes/', import.meta.url);

/** Returns the memory limit of an app's pod, in MB of 2^20 bytes. */
export function readMemoryLimitMb(app: 'api' | 'dashboard' | 'intake' | 'worker'): number {
  const manifest = readFileSync(new URL(`${app}.yaml`, KUBERNETES), 'utf8');
  return Number(/limits: \{ memory: (\d+)Mi \}/.exec(manifest)?.[1]);
}
