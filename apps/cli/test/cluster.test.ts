import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressAt, appRoles, migrate } from '@takt/database';
import { createTestDatabase, needsCluster } from '@takt/database/testing';
import { applyWorkOrderOperationEvents } from '@takt/figures';
import { opened, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import pg from 'pg';
import { runTakt } from './support/run-takt.js';

describe('takt cluster', function () {
  this.timeout(240_000);

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
      expect(await takt('cluster', 'move', 'A', String(second))).to.match(/^moved (?:A|A, .*)\n$/);
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

    it('goes on with what is not about a node that is away, and names the node otherwise', async () => {
      const [, second] = servers.nodes;
      if (second === undefined) throw new Error('the cluster has one node');
      const held = await test.database.pool.query<{ code: string }>(
        `SELECT code FROM takt.companies JOIN pg_dist_shard_placement
           ON shardid = get_shard_id_for_distribution_column('takt.products', company_id)
         WHERE nodename = $1 AND nodeport = $2 ORDER BY code`,
        [second.host, second.port],
      );
      const node = `${second.host}:${second.port}`;
      const away = `without ${held.rows.map(({ code }) => code).join(', ')}, whose node ${node} is away`;
      const name = new URL(test.url).pathname.slice(1);
      const setReachable = (isReachable: boolean) =>
        runAt(addressAt(test.url, second, 'postgres'), [
          `ALTER DATABASE ${name} ALLOW_CONNECTIONS ${isReachable}`,
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
        ]);
      await setReachable(false);
      try {
        expect(await takt('status')).to.include(`structure versions, ${away}\n`);
        expect(await takt('company', 'list')).to.match(/^A .*UTC \(its node is away\)$/m);
        expect(await takt('token', 'create', '--database', 'A')).to.match(/^takt_/);
        expect(await takt('user', 'add', 'Bo', '--database', 'A')).to.include('pid 1001');
        expect(await takt('client', 'add', 'Reports', '--database', 'A')).to.include('secret');
        expect(await takt('cluster', 'list')).to.match(/ away\n$/);
        const unlisted = await runTakt(['unlisted', 'list'], { DATABASE_URL: test.url });
        expect([unlisted.code, unlisted.stderr.includes(away)], unlisted.stderr).to.deep.equal([0, true]);
        const migrated = await runTakt(['migrate'], { DATABASE_URL: test.url });
        expect([
          migrated.code,
          migrated.stderr.includes(`the node ${node} of the cluster is away`),
        ]).to.deep.equal([0, true]);
        for (const needing of [['audit'], ['company', 'add', 'NEW', 'New'], ['login', 'create', 'intake']]) {
          const { code, stderr } = await runTakt(needing, { DATABASE_URL: test.url });
          expect(code, needing.join(' ')).to.equal(1);
          expect(stderr).to.include(`the node ${node} of the cluster is away`);
        }
      } finally {
        await setReachable(true);
      }
    });
  });

  describe('with an owner who is not the first superuser of the servers', () => {
    let servers: ReturnType<typeof needsCluster>;
    before(function () {
      servers = needsCluster(this);
    });
    const test = opened(() => createTestDatabase({ migrated: false }));
    const owner = `takt_owner_${process.pid}`;
    const everywhere = async (...statements: readonly string[]) => {
      for (const server of [servers.coordinator, ...servers.nodes]) {
        await runAt(addressAt(test.url, server, 'postgres'), statements);
      }
    };
    after(async () => {
      if (servers === undefined) return;
      // It cannot be dropped, because it has made log-ins.
      await everywhere(`ALTER ROLE ${owner} NOSUPERUSER NOLOGIN`);
    });

    it('says what the owner needs before anything is changed, and gives log-ins from before their rights', async () => {
      const url = new URL(test.url);
      url.username = owner;
      const takt = (...args: readonly string[]) => runTakt(args, { DATABASE_URL: url.href });
      await everywhere(`CREATE ROLE ${owner} LOGIN CREATEROLE`);
      // Earlier tests have made these roles, which belong to all databases of a server.
      await runAt(test.url, [
        `DO $$ DECLARE role text; BEGIN
           FOR role IN SELECT rolname FROM pg_roles WHERE rolname = ANY ('{${Object.values(appRoles)}}') LOOP
             EXECUTE format('GRANT %I TO ${owner} WITH ADMIN TRUE', role);
           END LOOP; END $$`,
      ]);
      await runAt(test.url, [`ALTER DATABASE ${url.pathname.slice(1)} OWNER TO ${owner}`]);
      expect((await takt('migrate')).code).to.equal(0);
      const { stdout, code, stderr } = await takt('login', 'create', 'api');
      expect(code, stderr).to.equal(0);
      const login = new URL(stdout.trim()).username;
      const workers = servers.nodes.map(({ host, port }) => `${host}:${port}`).join();
      const refused = await takt('cluster', 'init', '--workers', workers);
      expect(refused.code).to.equal(1);
      expect(refused.stderr)
        .to.include('needs the owner in DATABASE_URL to be a superuser')
        .and.include('nothing was changed');
      const unknown = await takt('cluster', 'init', '--workers', '127.0.0.1:1');
      expect(unknown.stderr).to.include('127.0.0.1:1 does not let the owner of DATABASE_URL in');

      await everywhere(`ALTER ROLE ${owner} SUPERUSER`);
      const made = await takt('cluster', 'init', '--workers', workers);
      expect(made.code, made.stderr).to.equal(0);
      for (const node of servers.nodes) {
        const { rows } = await runAt(addressAt(test.url, node), [
          `SELECT roleid::regrole::text AS role FROM pg_auth_members WHERE member = '${login}'::regrole`,
        ]);
        expect(rows).to.deep.equal([{ role: 'takt_api' }]);
      }
      const later = await takt('login', 'create', 'worker');
      expect(later.stderr).to.match(/add this line to \.pgpass .*: \*:\*:\*:takt_worker_\w+:/);
    });
  });
});

/** Runs statements on a server, and returns the result of the last one. */
async function runAt(url: string, statements: readonly string[]): Promise<pg.QueryResult> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  try {
    let result = await client.query('SELECT');
    for (const statement of statements) result = await client.query(statement);
    return result;
  } finally {
    await client.end();
  }
}
