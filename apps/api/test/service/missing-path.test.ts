import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { jsonAt } from '../support/json-at.js';
import { SERVED_AT, serveApi } from '../support/serve-api.js';

describe('a path that does not exist', () => {
  const api = opened(serveApi);
  let headers: { readonly authorization: string };
  before(async () => {
    headers = { authorization: `Bearer ${await api.createToken('TEM-NO')}` };
  });

  for (const [query, kept] of [
    ['', ''],
    ['?$db=TEM-NO', '?$db=TEM-NO'],
    ['?$format=json&$db=TEM-NO&$top=5', '?$format=json&$db=TEM-NO'],
  ]) {
    it(`gets an error with a link to its message, in the same company and format: ${query}`, async () => {
      const { status, text } = await api.client.get(`/no/such/thing${query}`, headers);
      expect(status).to.equal(404);
      const link = String(jsonAt(JSON.parse(text), 'errorMessage.errorMessageLink'));
      expect(link.replace(/^.*\/\d+/, '')).to.equal(kept);
      expect((await api.client.get(link.replace(SERVED_AT, ''), headers)).status).to.equal(200);
    });
  }
});
