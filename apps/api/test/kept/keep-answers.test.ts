import { EventEmitter, once } from 'node:events';
import type { Database } from '@takt/database';
import type { WholeAnswer } from '@takt/http';
import { expect } from 'chai';
import { createStampReader } from '../../src/respond/data-stamp.js';
import { type AnswerKept, keepAnswers } from '../../src/respond/kept-answers.js';
import { insertStructureVersions, noteChangesByHand } from '../support/insert-rows.js';
import { COMPANY, openTestApi, type TestApi } from '../support/open-test-api.js';
import { companyOf } from '../support/requests.js';

type Pool = Database['pool'];

describe('a cached answer', () => {
  let api: TestApi;
  let answerKept: AnswerKept;

  beforeEach(async () => {
    api = await openTestApi();
    await insertStructureVersions(api.owner, [{ id: 1 }]);
    answerKept = keepAnswers({ maxBytes: 100_000, readStamp: createStampReader() });
  });
  afterEach(() => api.close());

  const asked = () => ({ name: 'revision', company: companyOf(api) });
  const change = async () => {
    await api.owner.query("UPDATE takt.product_structure_versions SET revision = revision || 'x'");
    await noteChangesByHand(api.owner);
  };
  const readRevision = async (pool: Pool) => {
    const { rows } = await pool.query<{ revision: string }>(
      'SELECT revision FROM takt.product_structure_versions',
    );
    return rows[0]?.revision ?? '';
  };
  const answerOf = (text: string): WholeAnswer => ({
    ...{ status: 200, headers: {}, isStreamed: false },
    body: Buffer.from(text),
  });
  const textOf = ({ body }: WholeAnswer) => String(body);

  it('is at least as new as its stamp, even if data change during its creation', async () => {
    const make = async (before: boolean, after: boolean) => {
      if (before) await change();
      const text = await readRevision(api.owner);
      if (after) await change();
      return answerOf(text);
    };
    for (const [before, after] of [
      [true, false],
      [false, true],
      [true, true],
    ] as const) {
      const one = { ...asked(), name: `${before} ${after}` };
      await answerKept(one, api, () => make(false, false));
      await answerKept(one, api, () => make(before, after));
      const answer = await answerKept(one, api, () => make(false, false));
      expect(textOf(answer), `${before} ${after}`).to.equal(await readRevision(api.owner));
    }
  });

  it('gets its stamp and its rows from the same database server, even if replicas take turns', async () => {
    const other = await openTestApi();
    const pools = [api.reader, other.reader];
    let turn = 0;
    const replica = { poolToRead: () => pools[turn++ % 2] ?? api.reader, describe: () => [] };
    const readBy: (Pool | undefined)[] = [];
    const stampedBy: Pool[] = [];
    const readStamp = createStampReader();
    const keeping = keepAnswers({
      maxBytes: 100_000,
      readStamp: (pool, of) => {
        stampedBy.push(pool);
        return readStamp(pool, of);
      },
    });
    for (const name of ['a', 'b', 'c']) await keeping({ ...asked(), name }, api, async () => answerOf(''));
    for (const name of ['a', 'b', 'c']) {
      await keeping({ ...asked(), name }, { pool: api.pool, replica }, async (source) => {
        readBy.push(source.replica?.poolToRead() ?? source.pool);
        return answerOf('');
      });
    }
    expect(readBy).to.deep.equal(stampedBy);
    expect(new Set(readBy).size).to.equal(2);
    await other.close();
  });

  it('is not sent to a rejected request, and no stamp is read for that request', async () => {
    const refuse = async () => {
      throw new Error('refused');
    };
    for (let times = 0; times < 3; times++) {
      const outcome = await answerKept(asked(), api, refuse).catch(String);
      expect(outcome).to.equal('Error: refused');
    }
    expect(api.sent).to.deep.equal([]);
  });

  it('needs a stamp of the company: without a stamp nothing is cached', async () => {
    await api.owner.query('DELETE FROM takt.company_changes');
    let made = 0;
    for (let times = 0; times < 3; times++) {
      await answerKept(asked(), api, async () => {
        made += 1;
        return answerOf('');
      });
    }
    expect(made).to.equal(3);
  });
});

describe('the stamp of a company', () => {
  let api: TestApi;

  beforeEach(async () => {
    api = await openTestApi();
    await api.owner.query('SELECT takt.note_changes(ARRAY[$1::integer])', [COMPANY]);
  });
  afterEach(() => api.close());

  const company = (companyId = COMPANY) => ({ companyId, key: api.keys.get(companyId) ?? '' });
  const change = () => noteChangesByHand(api.owner);

  it('is read once per company for all requests of the same event loop turn', async () => {
    const readStamp = createStampReader();
    const asked = [company(), company(), company(2), company()].map((one) => readStamp(api.pool, one));
    const [first, second, other, third] = await Promise.all(asked);
    expect([second, third]).to.deep.equal([first, first]);
    expect(other).to.not.equal(first);
    expect(api.sent.filter(({ name }) => name === 'takt_stamp').length).to.equal(2);
  });

  it('is never taken from a statement that was sent before the request arrived', async () => {
    const readStamp = createStampReader();
    const arrived = holdAnswers(api.reader);
    const early = readStamp(api.reader, company());
    await arrived.first;
    await change();
    const late = readStamp(api.reader, company());
    await new Promise((resolve) => setTimeout(resolve, 20));
    arrived.release();
    expect(await late).to.not.equal(await early);
  });
});

/** Delays the answers of the server to stamp queries until `release` is called. */
function holdAnswers(pool: Pool) {
  const [released, arrived] = [new EventEmitter(), new EventEmitter()];
  const release = once(released, 'release');
  pool.on('connect', (client) => {
    const { query } = client;
    const holding = async (...given: unknown[]): Promise<unknown> => {
      const answer: unknown = await Reflect.apply(query, client, given);
      if (
        typeof given[0] === 'object' &&
        given[0] !== null &&
        Reflect.get(given[0], 'name') === 'takt_stamp'
      ) {
        arrived.emit('first');
        await release;
      }
      return answer;
    };
    Object.defineProperty(client, 'query', { value: holding });
  });
  return { first: once(arrived, 'first'), release: () => released.emit('release') };
}
