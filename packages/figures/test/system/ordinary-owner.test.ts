import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synchroniseServedTexts } from '@takt/catalogue/served-texts';
import { migrate, openDatabase } from '@takt/database';
import { maintainDatabase, restoreBackup, writeBackupFile } from '@takt/database/upkeep';
import { type EmbeddedServer, openEmbeddedServer } from '@takt/embedded-postgres';
import { migrateQueueSchema } from '@takt/events/internal';
import { auditProductionTimes } from '@takt/figures';
import { expect } from 'chai';
import { addStructureVersions, completeOperations } from './fill-database.js';

// These tests need a server without the app roles, because roles belong to a server. The shared server already has
// them.
describe('a database owner who is not a superuser', function () {
  this.timeout(180_000);
  let home: string;
  let server: EmbeddedServer;
  const urlOf = (database: string) => {
    const url = new URL(server.url);
    url.username = 'site_owner';
    url.password = 'secret';
    url.pathname = database;
    return url.href;
  };

  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'takt-upkeep-owner-'));
    server = await openEmbeddedServer({ home, settings: { fsync: 'off' } });
    const admin = openDatabase({ url: server.url, applicationName: 'administration' });
    await admin.pool.query("CREATE ROLE site_owner LOGIN CREATEROLE PASSWORD 'secret'");
    for (const name of ['source', 'target']) {
      await admin.pool.query(`CREATE DATABASE ${name} OWNER site_owner`);
    }
    await admin.close();
    await migrate(urlOf('source'));
    await migrateQueueSchema(urlOf('source'));
    const { leftToSuperuser } = await migrate(urlOf('source'));
    const superuser = openDatabase({
      url: new URL('source', server.url).href,
      applicationName: 'administration',
    });
    for (const statement of leftToSuperuser) await superuser.pool.query(statement);
    await superuser.close();
    const source = openDatabase({ url: urlOf('source'), applicationName: 'takt test' });
    await addStructureVersions(source.pool, 200);
    await completeOperations(source.pool, { structureVersions: 200, from: 1, count: 2_000 });
    await source.close();
  });
  after(async () => {
    await server?.close();
    await rm(home, { recursive: true });
  });

  it('can make and restore a backup, and run maintenance', async () => {
    const path = join(home, 'backup');
    const { rows } = await writeBackupFile(path, { url: urlOf('source'), taktVersion: '0.1.0' });
    const report = await restoreBackup(createReadStream(path), {
      url: urlOf('target'),
      queueUrl: urlOf('target'),
      synchronise: synchroniseServedTexts,
    });
    expect(report.rows).to.equal(rows);
    const target = openDatabase({ url: urlOf('target'), applicationName: 'takt test' });
    expect(await auditProductionTimes(target.pool, {})).to.deep.include({ differences: [] });
    await target.close();
    for (const database of ['source', 'target']) {
      // With these limits all indexes are rebuilt, whatever their size.
      const limits = { factor: 0, bytes: Number.MIN_SAFE_INTEGER };
      const { steps } = await maintainDatabase({ url: urlOf(database), limits });
      expect(steps.filter(({ problem }) => problem !== null)).to.deep.equal([]);
      expect(steps.length).to.be.above(30);
    }
  });
});
