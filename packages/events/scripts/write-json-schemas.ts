import { writeFile } from 'node:fs/promises';
import { generatedFiles } from './generated-files.js';

// From dist/scripts to the root of the package.
const packageRoot = new URL('../../', import.meta.url);

for (const file of generatedFiles()) {
  await writeFile(new URL(file.path, packageRoot), file.text);
  process.stdout.write(`${file.path}\n`);
}
