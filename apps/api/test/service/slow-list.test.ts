import { errorCatalogue } from '@takt/catalogue/errors';
import { type Database, openDatabase } from '@takt/database';
import { expect } from 'chai';
import { type ServedApi, type ServedBeside, serveApi } from '../support/serve-api.js';

const PATH = '/product/structure-versions/aggregated-production-times';
const { deu, eng } = errorCatalogue.queryTooSlow.texts;

describe('A list that exceeds its deadline', () => {
  let api: ServedApi;
  let hurried: Database;
  let served: ServedBeside;
  let headers: Readonly<Record<string, string>>;
  let unlock: () => Promise<void>;

  // Locks the table in another session. Statements on the table wait for the lock until they time out.
  before(async () => {
    api = await serveApi();
    headers = { authorization: `Bearer ${await api.createToken('TEM-NO')}` };
    hurried = openDatabase({
      url: api.appUrl('api'),
      applicationName: 'hurried',
      statementTimeoutMs: 50,
    });
    served = await api.serveBeside({ pool: hurried.pool });
    const client = await api.owner.connect();
    await client.query('BEGIN');
    await client.query('LOCK TABLE takt.product_structure_versions');
    unlock = async () => {
      await client.query('ROLLBACK');
      client.release();
    };
  });
  after(async () => {
    await unlock?.();
    await served?.close();
    await hurried?.close();
    await api?.close();
  });

  const ask = (query: string) => served.client.get(`${PATH}?${query}`, headers);

  it('shows the error in HTML beside the filter in the language of the reader', async () => {
    const answer = await ask(
      '$format=html&$lang=deu&$filter=RunTime%20gt%201&$orderby=RunTime,SetupTime&search=x',
    );
    expect(answer.status).to.equal(500);
    expect(answer.headers).not.to.have.property('retry-after');
    expect(answer.text).to.include('<div class="refused" id="refused" role="alert">').and.include(deu);
    expect(answer.text).to.match(/<details class="help" open="">/);
    expect(answer.text).to.include('name="$filter" value="RunTime gt 1"');
    expect(answer.text).to.include('name="search" value="x"');
    expect(answer.text).not.to.include('<mark');
  });

  it('shows the error in HTML beside the order or the search if the filter is empty', async () => {
    for (const query of ['$orderby=RunTime,SetupTime', 'search=wheel']) {
      const { status, text } = await ask(`$format=html&$lang=eng&${query}`);
      expect(status).to.equal(500);
      expect(text).to.include('role="alert"').and.include(eng);
      expect(text).to.include('<details class="help"><summary>');
    }
  });

  it('returns the usual error in other formats', async () => {
    const { status, text } = await ask('$format=json&$filter=RunTime%20gt%201');
    expect(status).to.equal(500);
    expect(text).to.include(eng).and.include(String(errorCatalogue.queryTooSlow.errorMessageId));
  });
});
