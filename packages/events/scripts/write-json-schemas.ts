import { readFile, writeFile } from 'node:fs/promises';
import { generatedFiles, REFERENCE } from './generated-files.js';

// From dist/scripts to the root of the package.
const packageRoot = new URL('../../', import.meta.url);

for (const file of generatedFiles(await readFile(new URL(REFERENCE, packageRoot), 'utf8'))) {
  await writeFile(new URL(file.path, packageRoot), file.text);
  process.stdout.write(`${file.path}\n`);
}
