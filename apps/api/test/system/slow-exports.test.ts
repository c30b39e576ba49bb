import { hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Database } from '@takt/database';
import { openConnection, opened, type RawConnection, request, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { createStatementCache, type StatementOf } from '../../src/sql/statement-cache.js';
import type { HttpAnswer } from '../support/http-client.js';
import { insertStructureVersions } from '../support/insert-rows.js';
import { type ServedBeside, type ServedDifferently, serveApi } from '../support/serve-api.js';

const TIMES = '/product/structure-versions/aggregated-production-times';
const ROWS = 20_000;
/**
 * The number of batches of the export. Each batch has a thousand rows, even the last one. The API recognizes the last
 * batch because no further row follows.
 */
const BATCHES = 20;

/**
 * Returns the name of a row. Names are so long that the export exceeds the buffers of a connection even with
 * compression.
 */
function nameOf(row: number): string {
  return Array.from({ length: 8 }, (_, part) => hash('sha512', `${row}/${part}`)).join('');
}

const LAST_CHUNK = '0\r\n\r\n';

function isWhole(connection: RawConnection): boolean {
  return connection.rest().subarray(-LAST_CHUNK.length).equals(Buffer.from(LAST_CHUNK));
}

/**
 * All servers of this file share this cache and their connections. A connection identifies a prepared statement by its
 * name.
 */
const cache = createStatementCache();

/** Returns the usual statements, and counts how often they are executed. */
function countStatements(): { readonly statementOf: StatementOf; count(): number } {
  let count = 0;
  const statementOf: StatementOf = (shape) => {
    const statement = cache(shape);
    const bind: typeof statement.bind = (values) => {
      count += 1;
      return statement.bind(values);
    };
    return { ...statement, bind };
  };
  return { statementOf, count: () => count };
}

describe('an export of 20,000 rows', () => {
  const api = opened(serveApi);
  let token: string;
  const closables: { close(): unknown }[] = [];

  before(async () => {
    const rows = Array.from({ length: ROWS }, (_, index) => ({
      ...{ id: index + 1, productId: 1, productName: 'Frame', name: nameOf(index) },
    }));
    await insertStructureVersions(api.owner, rows, { areSearched: false });
    await api.owner.query('ANALYZE');
    token = await api.createToken('TEM-NO');
  });
  afterEach(async () => {
    for (const one of closables.splice(0).reverse()) await one.close();
  });

  const serve = async (changes: ServedDifferently): Promise<ServedBeside> => {
    const beside = await api.serveBeside(changes);
    closables.push(beside);
    return beside;
  };
  const get = (
    { client }: Pick<ServedBeside, 'client'>,
    query: string,
    more = {},
    bearer = token,
  ): Promise<HttpAnswer> => client.get(`${TIMES}?${query}`, { authorization: `Bearer ${bearer}`, ...more });
  /** Opens a connection, sends a request for an export, and does not read until the caller resumes the connection. */
  const ask = async ({ port }: ServedBeside, format = 'csv', bearer = token): Promise<RawConnection> => {
    const connection = await openConnection(port);
    closables.push({ close: () => connection.destroy() });
    connection.socket.pause();
    connection.send(request(`${TIMES}?$format=${format}`, { Authorization: `Bearer ${bearer}` }));
    return connection;
  };
  /** Waits until the database has been idle for a while. Returns the number of statements so far. */
  const standstill = async (count: () => number): Promise<number> => {
    let [last, looks] = [count(), 0];
    await waitUntil('a standstill', () => {
      const isStill = count() === last && api.reader.idleCount === api.reader.totalCount;
      [last, looks] = [count(), isStill ? looks + 1 : 0];
      return last > 0 && looks > 20;
    });
    return last;
  };

  it('reads a thousand rows per statement, and has the same content with and without compression', async () => {
    const { statementOf, count } = countStatements();
    const served = await serve({ statementOf });
    const plain = await get(served, '$format=csv');
    expect(count()).to.equal(BATCHES);
    expect(plain.headers['transfer-encoding']).to.equal('chunked');
    expect(plain.text.split('\r\n')).to.have.length(ROWS + 2);
    const zipped = await get(served, '$format=csv', { 'accept-encoding': 'gzip' });
    expect(gunzipSync(zipped.body).equals(plain.body)).to.equal(true);
    const brotli = await get(served, '$format=csv', { 'accept-encoding': 'br' });
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).to.equal(true);
  });

  it('reads only its first batch for a HEAD request, and then frees its place for another export', async () => {
    const { statementOf, count } = countStatements();
    const served = await serve({ statementOf });
    for (const format of ['csv', 'xlsx', 'csv', 'xlsx']) {
      const { status, headers, body } = await served.client.send('HEAD', `${TIMES}?$format=${format}`, {
        authorization: `Bearer ${token}`,
      });
      expect(status, JSON.stringify(headers)).to.equal(200);
      expect(headers['content-disposition']).to.include(`.${format}"`);
      expect(body).to.have.length(0);
    }
    expect(await standstill(count)).to.equal(4);
    expect((await get(served, '$format=csv&$filter=false')).status).to.equal(200);
  });

  for (const format of ['csv', 'xlsx']) {
    it(`pauses while its client reads nothing, and is cut off after too long a pause: ${format}`, async () => {
      const { statementOf, count } = countStatements();
      const served = await serve({ statementOf, limits: { stalledClientTimeoutMs: 1_000 } });
      const connection = await ask(served, format);
      expect(await standstill(count)).to.be.lessThan(BATCHES);
      // Node checks the progress of a connection once per timeout. A client can therefore stall for up to twice the
      // timeout.
      await delay(4_000);
      connection.socket.resume();
      expect(await connection.ended()).to.equal(true);
      expect(isWhole(connection)).to.equal(false);
      expect(count()).to.be.lessThan(BATCHES);
    });
  }

  it('is sent completely to a slow client', async () => {
    const { statementOf, count } = countStatements();
    const served = await serve({ statementOf, limits: { stalledClientTimeoutMs: 5_000 } });
    const connection = await ask(served);
    const read = await standstill(count);
    connection.socket.resume();
    await waitUntil('the last chunk', () => isWhole(connection));
    const sent = connection.rest().toString('latin1');
    expect(sent.startsWith('HTTP/1.1 200 OK')).to.equal(true);
    // Counts the rows by the values of the other columns, because the HTTP chunks may divide the lines. The names
    // contain no such values.
    expect(sent.match(/,A,1,4,Frame,/g)).to.have.length(ROWS);
    expect(read).to.be.lessThan(count());
  });

  it('stops its statements when its client disconnects', async () => {
    const { statementOf, count } = countStatements();
    const served = await serve({ statementOf });
    const connection = await ask(served);
    const read = await standstill(count);
    connection.destroy();
    expect(await standstill(count)).to.equal(read);
    for (const _ of [1, 2, 3]) expect((await get(served, '$format=csv&$filter=false')).status).to.equal(200);
  });

  it('is limited to one per token and two per company; further clients must retry', async () => {
    const { statementOf, count } = countStatements();
    const served = await serve({ statementOf });
    const [colleague, third] = [await api.createToken('TEM-NO'), await api.createToken('TEM-NO')];
    const other = await api.createToken('OTHER');
    const running = [await ask(served), await ask(served, 'xlsx', colleague)];
    await standstill(count);
    for (const bearer of [token, third]) {
      const refused = await get(served, '$format=csv&$filter=false', {}, bearer);
      expect(refused.status).to.equal(500);
      expect(refused.headers['retry-after']).to.equal('1');
      expect(JSON.parse(refused.text).errorMessage.errorMessageId).to.equal(100002);
    }
    expect((await get(served, '$top=1')).status).to.equal(200);
    expect((await get(served, '$format=csv', {}, other)).status).to.equal(200);
    const waiting = get(served, '$format=csv&$filter=false', {}, third);
    for (const connection of running) connection.destroy();
    expect((await waiting).status).to.equal(200);
  });

  it('is cut off if its client reads too slowly, without a delay for other companies', async () => {
    const { statementOf, count } = countStatements();
    // A client that reads a little now and then never stalls. The timeout for stalled clients therefore does not end
    // its export.
    const served = await serve({ statementOf, limits: { stalledClientTimeoutMs: 600_000 } });
    const [colleague, other] = [await api.createToken('TEM-NO'), await api.createToken('OTHER')];
    const slow = [await ask(served), await ask(served, 'xlsx', colleague)];
    const taking = setInterval(() => {
      for (const { socket } of slow) socket.read(1_024);
    }, 2_500);
    try {
      const read = await standstill(count);
      await waitUntil('both have lost their turns', async () => {
        expect((await get(served, '$format=csv', {}, other)).status).to.equal(200);
        const again = await Promise.all(
          [token, colleague].map((bearer) => get(served, '$format=csv&$filter=false', {}, bearer)),
        );
        return again.every(({ status }) => status === 200);
      });
      expect(read).to.be.lessThan(2 * BATCHES);
    } finally {
      clearInterval(taking);
    }
    for (const connection of slow) {
      connection.socket.resume();
      expect(await connection.ended()).to.equal(true);
      expect(isWhole(connection)).to.equal(false);
    }
  });

  it('is cut off if the database fails, so no client mistakes the file for complete', async () => {
    const { statementOf, count } = countStatements();
    for (const format of ['csv', 'xlsx']) {
      const before = count();
      const served = await serve({ statementOf, pool: failing(() => count() >= before + 5) });
      const connection = await ask(served, format);
      connection.socket.resume();
      expect(await connection.ended()).to.equal(true);
      const sent = connection.rest().toString('latin1');
      expect(sent.startsWith('HTTP/1.1 200 OK')).to.equal(true);
      expect(isWhole(connection)).to.equal(false);
      expect((await get(served, '$format=csv')).status, 'the place is given back').to.equal(500);
    }
  });

  it('is an ordinary error response if its first statement fails', async () => {
    const served = await serve({ statementOf: cache, pool: failing(() => true) });
    for (const format of ['csv', 'xlsx']) {
      for (const _ of [1, 2, 3]) {
        const { status, headers, text } = await get(served, `$format=${format}`);
        expect(status).to.equal(500);
        expect(headers['retry-after']).to.equal('2');
        expect(headers).to.not.have.property('content-disposition');
        expect(JSON.parse(text).errorMessage.errorMessageId).to.equal(100003);
      }
    }
  });

  for (const [what, change, back] of [
    ['its token is revoked', 'revoked_at = now()', 'revoked_at = NULL'],
    ['its reader may no longer see planned times', "duties = '{read-production-times}'", 'duties = NULL'],
  ] as const) {
    it(`is cut off when ${what}`, async () => {
      const { statementOf, count } = countStatements();
      const served = await serve({ statementOf });
      const connection = await ask(served);
      const read = await standstill(count);
      expect(read).to.be.lessThan(BATCHES);
      await api.owner.query(`UPDATE takt.access_tokens SET ${change}`);
      try {
        connection.socket.resume();
        expect(await connection.ended()).to.equal(true);
        expect(isWhole(connection)).to.equal(false);
        expect(count()).to.equal(read);
      } finally {
        await api.owner.query(`UPDATE takt.access_tokens SET ${back}`);
      }
    });
  }

  /** Returns the pool of the API. It refuses new connections while `isAway` returns true. */
  function failing(isAway: () => boolean): Database['pool'] {
    const connect = () =>
      isAway() ? Promise.reject(new Error('connect ECONNREFUSED')) : api.database.pool.connect();
    return new Proxy(api.database.pool, {
      get: (pool, name) => (name === 'connect' ? connect : Reflect.get(pool, name)),
    });
  }
});
