import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describedResource, newestOf, resourceFamilies } from '@takt/catalogue/resources';
import { describeResources } from './describe-resources.js';

// From dist/scripts to the root of the package.
const file = new URL('../../src/resources.ts', import.meta.url);
const text = describeResources(resourceFamilies.map(newestOf).map(describedResource));

// An unchanged file is not written, or it would be compiled again.
if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
