import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dumpSchema, leaseEmbeddedServer, migrate, openDatabase } from '../src/index.js';
import { MIGRATIONS_FOLDER } from '../src/read-migrations.js';

const home = await mkdtemp(join(tmpdir(), 'takt-schema-dump-'));
try {
  const lease = await leaseEmbeddedServer({ home });
  try {
    await migrate(lease.url);
    const database = openDatabase({ url: lease.url, applicationName: 'takt schema dump' });
    try {
      await writeFile(join(MIGRATIONS_FOLDER, 'schema.sql'), await dumpSchema(database.pool));
    } finally {
      await database.close();
    }
  } finally {
    await lease.close();
  }
} finally {
  await rm(home, { recursive: true, force: true });
}
