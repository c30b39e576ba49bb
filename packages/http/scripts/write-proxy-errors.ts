import { mkdir, writeFile } from 'node:fs/promises';
import { proxyErrors } from './proxy-errors.js';

// From dist/scripts to the root of the repository.
const folder = new URL('../../../../docker/haproxy/errors/', import.meta.url);

await mkdir(folder, { recursive: true });
for (const { name, text } of proxyErrors()) {
  await writeFile(new URL(name, folder), text);
  process.stdout.write(`${name}\n`);
}
