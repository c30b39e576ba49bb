import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ReleaseError, release } from './release.js';

/* npm run release -- VERSION [--dry-run] [--to FOLDER] */

const USAGE =
  'usage: npm run release -- VERSION [--dry-run] [--to FOLDER], such as 1.2.0; FOLDER is build-output/VERSION';
const root = fileURLToPath(new URL('../../../../', import.meta.url));

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false }, to: { type: 'string' } },
  });
  const [version] = positionals;
  if (version === undefined || positionals.length > 1) throw new ReleaseError(USAGE);
  await release({
    root,
    version,
    date: new Date().toISOString().slice(0, 10),
    folder: values.to ?? join(root, 'build-output', version),
    isDryRun: values['dry-run'],
    say: console.error,
  });
} catch (error) {
  console.error(error instanceof ReleaseError ? `release: ${error.message}` : error);
  process.exitCode = 1;
}
