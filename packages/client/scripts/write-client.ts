import { writeFile } from 'node:fs/promises';
import { newestOf, resourceFamilies } from '@takt/resources';
import { describeResources } from './describe-resources.js';

// From dist/scripts to the root of the package.
const file = new URL('../../src/resources.ts', import.meta.url);

await writeFile(file, describeResources(resourceFamilies.map(newestOf)));
process.stdout.write('packages/client/src/resources.ts\n');
