import * as schema from '@takt/catalogue/schema';
import { opened, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import { drizzle } from 'drizzle-orm/node-postgres';
import { applicationVersionChange } from './application-version-changes.js';
import { applyShuffled, instantOf, openConcurrentWriters } from './concurrent-writers.js';

const CHANGES = 300;
const APPLICATION_VERSIONS = 8;
const seed = testSeed();

describe(`four concurrent writers of the same application versions (seed ${seed})`, () => {
  const writers = opened(openConcurrentWriters);

  it('cause no deadlock, and store the newest change of each version', async () => {
    const changes = Array.from({ length: CHANGES }, (_, index) =>
      applicationVersionChange({
        application_version_id: 100 + (index % APPLICATION_VERSIONS),
        changed_at: instantOf(index),
        name: `name ${index}`,
      }),
    );
    await Promise.all(
      writers.connections.map((connection, index) =>
        applyShuffled(connection, 'apply_application_version_changes', changes, seed + index),
      ),
    );
    const { applicationVersions } = schema;
    const found = await drizzle(writers.test.database.pool)
      .select({ id: applicationVersions.applicationVersionId, name: applicationVersions.name })
      .from(applicationVersions);
    const newest = changes.slice(-APPLICATION_VERSIONS);
    expect(found).to.have.deep.members(newest.map(({ application_version_id: id, name }) => ({ id, name })));
  });
});
