import { readFile } from 'node:fs/promises';
import { newestOf, resourceFamilies } from '@takt/resources';
import { expect } from 'chai';
import { describeResources } from '../scripts/describe-resources.js';

describe('the types of the client', () => {
  const resources = resourceFamilies.map(newestOf);

  it('are what the definitions of the resources give now: `npm run client:write` writes them', async () => {
    const written = await readFile(new URL('../../src/resources.ts', import.meta.url), 'utf8');
    expect(describeResources(resources)).to.equal(written);
  });

  it('have every resource, in a map by its path', () => {
    const text = describeResources(resources);
    for (const { path } of resources) expect(text).to.include(`  readonly '${path}': {`);
  });
});
