import { writeFile } from 'node:fs/promises';
import { dumpSchema } from '@takt/database';
import { closeTestServer, createTestDatabase } from '../src/test-database.js';

const migrated = await createTestDatabase();
try {
  const schema = await dumpSchema(migrated.database.pool);
  await writeFile(new URL('../../../../migrations/schema.sql', import.meta.url), schema);
} finally {
  await migrated.close();
  await closeTestServer();
}
