import { writeFile } from 'node:fs/promises';
import { closeTestServer } from '@takt/test-support';
import { dumpSchema } from '../../src/index.js';
import { createTestDatabase } from '../test-database.js';

const migrated = await createTestDatabase();
try {
  const schema = await dumpSchema(migrated.database.pool);
  await writeFile(new URL('../../../../../migrations/schema.sql', import.meta.url), schema);
} finally {
  await migrated.close();
  await closeTestServer();
}
