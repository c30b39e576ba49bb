import { chown, mkdir, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { openEmbeddedServer } from '../../src/embedded-server.js';
import { findPackage } from '../../src/programs.js';
import { count, processesOf, refusal } from '../embedded-homes.js';
import { embeddedServers, findOtherUser, queryOnce } from '../holders.js';

describe('the embedded server that starts in an empty home', () => {
  const { homes, holders, open } = embeddedServers();

  it('is a PostgreSQL 18 with UTF-8 and UTC that listens only on 127.0.0.1 and has a private password', async () => {
    const home = await homes.create();
    const { url, close } = await open(home);
    expect(url).to.match(/^postgres:\/\/takt:[0-9a-f]{64}@127\.0\.0\.1:\d+\/takt$/);
    expect(await queryOnce(url, 'select version()')).to.match(/^PostgreSQL 18\./);
    expect(await queryOnce(url, "select current_setting('server_encoding')")).to.equal('UTF8');
    expect(await queryOnce(url, "select current_setting('timezone')")).to.equal('UTC');
    expect(await queryOnce(url, "select current_setting('listen_addresses')")).to.equal('127.0.0.1');
    expect(await queryOnce(url, "select current_setting('unix_socket_directories')")).to.equal('');
    expect(await queryOnce(url, "select 'ö' < 'z' collate \"de-x-icu\"")).to.equal(true);
    expect(await queryOnce(url, "select current_setting('fsync')"), 'as given').to.equal('off');
    expect(await queryOnce(url, "select current_setting('max_wal_size')")).to.equal('2GB');
    const wrong = await queryOnce(url.replace(/:[0-9a-f]{64}@/, ':wrong@'), 'select 1').catch(String);
    expect(wrong).to.match(/password authentication failed/);
    for (const name of ['password', 'port', 'server.log']) {
      expect((await stat(join(home, 'postgres', name))).mode & 0o777, name).to.equal(0o600);
    }
    expect((await stat(join(home, 'postgres'))).mode & 0o066).to.equal(0);
    await close();
  });

  it('is the same server for two starts at the same time', async () => {
    const home = await homes.create();
    const [first, second] = await Promise.all([holders.start(home), holders.start(home)]);
    expect(first.url).to.equal(second.url);
    expect(await queryOnce(first.url, 'select 1')).to.equal(1);
    expect(await count(home, 'postgres')).to.equal(1);
    await Promise.all([first.release(), second.release()]);
  });

  it('works for a user other than root', async function () {
    const user = await findOtherUser();
    if (user === undefined) return this.skip();
    const home = await homes.create();
    await mkdir(home);
    await chown(home, user.uid, user.gid);
    const holder = await holders.start(home, user);
    expect(await queryOnce(holder.url, 'select 1')).to.equal(1);
    for (const { kind, pid } of await processesOf(home)) {
      expect((await stat(`/proc/${pid}`)).uid, kind).to.equal(user.uid);
    }
    await holder.release();
  });

  it('moves to another port if its earlier port is in use', async () => {
    const home = await homes.create();
    const other = await listenSomewhere();
    await mkdir(join(home, 'postgres'), { recursive: true });
    await writeFile(join(home, 'postgres/port'), String(other.port));
    const { url, close } = await open(home);
    expect(await queryOnce(url, 'select 1')).to.equal(1);
    expect(new URL(url).port).not.to.equal(String(other.port));
    other.server.close();
    await close();
  });

  it('names the setting that prevents the start', async () => {
    const home = await homes.create();
    const error = await refusal(openEmbeddedServer({ home, settings: { nonsense: '1' } }));
    expect(error.message).to.match(/cannot be started(.|\n)*unrecognized configuration parameter "nonsense"/);
  });

  it('gives up at the deadline, and leaves no process behind', async () => {
    const home = await homes.create();
    const error = await refusal(openEmbeddedServer({ home, startDeadlineMs: 150 }));
    expect(error.message).to.match(/did not accept connections within 0.15 s/);
  });

  it('explains what to do on a platform without binaries', async () => {
    const error = await refusal(findPackage('aix-ppc64'));
    expect(error.message).to.match(/aix-ppc64(.|\n)*DATABASE_URL/);
  });
});

function listenSomewhere(): Promise<{ server: Server; port: number }> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve({ server, port: typeof address === 'object' && address !== null ? address.port : 0 });
    });
  });
}
