import { newestOf, resourceFamilies } from '@takt/catalogue/resources';
import { expect } from 'chai';
import { describeResources } from '../scripts/describe-resources.js';

describe('the types of the client', () => {
  const resources = resourceFamilies.map(newestOf);

  it('map the path of every resource to the type of its rows', () => {
    const text = describeResources(resources);
    for (const { path } of resources) expect(text).to.include(`  readonly '${path}': {`);
  });
});
