import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@takt/database';
import { createTestDatabase, needsCluster } from '@takt/database/testing';
import { applyWorkOrderOperationEvents } from '@takt/figures';
import { opened, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { runTakt } from './support/run-takt.js';

describe('takt cluster', function () {
  this.timeout(120_000);

  describe('on a single server', () => {
    const test = opened(() => createTestDatabase({ migrated: false }));
    const takt = (...args: readonly string[]) => runTakt(['cluster', ...args], { DATABASE_URL: test.url });
    before(() => migrate(test.url));

    it('explains how to turn a database into a cluster', async () => {
      const { code, stderr } = await takt('list');
      expect({ code, stderr }).to.deep.equal({
        code: 1,
        stderr: 'takt: the database is no cluster: takt cluster init makes it one\n',
      });
      expect((await takt('rebalance')).stderr).to.include('run takt cluster init --workers HOST,HOST');
      expect((await takt('add-node', 'elsewhere')).stderr).to.include('run takt cluster init');
    });

    it('reports an invalid address of a server', async () => {
      for (const wrong of ['', 'a b', 'a:b', 'a:123456', ',']) {
        const { code, stderr } = await takt('init', '--workers', wrong);
        expect(code, wrong).to.equal(2);
        expect(stderr).to.include('It must be HOST or HOST:PORT');
      }
    });
  });

  describe('on the servers of a cluster', () => {
    let servers: ReturnType<typeof needsCluster>;
    before(function () {
      servers = needsCluster(this);
    });
    const test = opened(() => createTestDatabase({ migrated: false }));
    const takt = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await runTakt(args, { DATABASE_URL: test.url });
      expect(code, stderr).to.equal(0);
      return stdout;
    };
    const companies = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];
    const apply = (revision: number) =>
      applyWorkOrderOperationEvents(
        test.database.pool,
        companies.map((database) => ({
          ...{ type: 'work-order-operation.completed.v1', database, workOrderOperationId: 1, revision },
          ...{ productStructureVersionId: 7, workOrderId: null, completedAt: '2025-01-01T12:00:00Z' },
          ...{ runTime: `${revision}.5`, setupTime: null, cleanupTime: null },
        })),
      );

    it('creates a cluster, and moves companies to a later node without a change of any figure', async () => {
      const [first, second] = servers.nodes.map(({ host, port }) => `${host}:${port}`);
      await takt('migrate');
      for (const code of companies) await takt('company', 'add', code, code);
      const made = await takt('cluster', 'init', '--workers', String(first));
      expect(made)
        .to.match(/^NODE +ROLE +COMPANIES +MB\n/)
        .and.include('coordinator');
      await apply(1);
      await takt('cluster', 'add-node', String(second));
      expect(await takt('status')).to.include(`companies    8 on ${first}, 0 on ${second}\n`);
      await takt('cluster', 'rebalance');
      await apply(2);
      // As if the functions of an earlier version were there, also those of triggers.
      await test.database.pool.query("UPDATE takt.schema_functions SET checksum = 'earlier'");
      await takt('migrate');
      await takt('plan', 'suggest', '--database', 'A');
      expect(await takt('rebuild')).to.equal('rebuilt 8 structure versions, 0 repaired\n');
      expect(await takt('prune', '--database', 'A', '--before', '2025-06-01')).to.include(
        'pruned 1 operation',
      );
      const nodes = JSON.parse(await takt('cluster', 'list', '--json'));
      expect(nodes).to.have.lengthOf(3);
      for (const { isCoordinator, companies: held } of nodes) expect(held > 0).to.equal(!isCoordinator);
      const backup = await runTakt(['backup', join(tmpdir(), 'never-written.backup')], {
        DATABASE_URL: test.url,
      });
      expect(backup.stderr).to.include(
        'the database is a cluster, whose nodes cannot be read as of one moment',
      );
      expect(await takt('audit')).to.equal('audited 8 structure versions, 0 differences\n');

      for (const node of [first, second, second]) {
        expect(await takt('cluster', 'move', 'A', String(node))).to.match(
          /^(?:moved (?:A|A, .*)|A is there already)\n$/,
        );
      }
      const held = await test.database.pool.query(
        `SELECT nodename || ':' || nodeport AS node FROM pg_dist_shard_placement
         WHERE shardid = (SELECT get_shard_id_for_distribution_column('takt.products', company_id)
           FROM takt.companies WHERE code = 'A')`,
      );
      expect(held.rows).to.deep.equal([{ node: second }]);
      for (const [wrong, message] of [
        [['NO', String(second)], 'no company has the code NO'],
        [['A', 'nowhere:1'], 'nowhere:1 is no node for companies'],
      ] as const) {
        const { code, stderr } = await runTakt(['cluster', 'move', ...wrong], { DATABASE_URL: test.url });
        expect([code, stderr.includes(message)], stderr).to.deep.equal([1, true]);
      }
      await test.database.pool.query(
        `INSERT INTO takt.products SELECT company_id, number, 4, 'Dead', 'K', '', now()
         FROM takt.companies, generate_series(1000, 4000) AS number WHERE code = 'A'`,
      );
      await test.database.pool.query(
        `DELETE FROM takt.products WHERE product_id >= 1000
           AND company_id = (SELECT company_id FROM takt.companies WHERE code = 'A')`,
      );
      await waitUntil('the node has counted its dead rows', async () =>
        new RegExp(`vacuumed .* ${second} takt\\.products_\\d+`).test(await takt('maintain')),
      );
      expect(await takt('audit')).to.equal('audited 8 structure versions, 0 differences\n');
    });
  });
});
