import { opened } from '@takt/test-support';
import { expect } from 'chai';
import {
  createOpeningCode,
  disableUser,
  enableUser,
  findAccessToken,
  listAccessTokens,
  signInByCode,
} from '../src/index.js';
import { addPerson, allAtOnce, expireTokens, issuedBy, openAccessPlace } from './support/access-place.js';

const INVALID = { refused: 'invalid_grant' };

describe('the code with which the command line opens a page', () => {
  const place = opened(openAccessPlace);

  const makeCode = async () => createOpeningCode(place.database, (await addPerson(place)).pid);
  const redeem = (code: string) => signInByCode(place.api.pool, code);

  it('starts a session for the person that it was created for, and cannot be used a second time', async () => {
    const { pid } = await addPerson(place);
    const code = await createOpeningCode(place.database, pid);
    expect(code).to.match(/^(?:[A-HJ-NP-Z2-9]{4}-){3}[A-HJ-NP-Z2-9]{4}$/);
    const session = issuedBy(await redeem(code));
    expect(await findAccessToken(place.api.pool, session.accessToken)).to.include({ pid, clientId: null });
    const [listed] = (await listAccessTokens(place.database)).filter((token) => token.pid === pid);
    expect(listed).to.include({ kind: 'page', state: 'valid' });
    expect(await redeem(code)).to.deep.equal(INVALID);
  });

  it('is accepted in lower case and without hyphens, but in no other form', async () => {
    const code = await makeCode();
    for (const wrong of [
      '',
      '-',
      code.slice(1),
      `${code}A`,
      `${code} `,
      code.replace(/.$/, '1'),
      `\0${code}`,
    ]) {
      expect(await redeem(wrong), wrong).to.deep.equal(INVALID);
    }
    issuedBy(await redeem(code.toLowerCase().replaceAll('-', '')));
  });

  it('works only once, even if many requests use it at the same time', async () => {
    const code = await makeCode();
    const results = await allAtOnce(place, 'SELECT FROM access_tokens FOR UPDATE', () => redeem(code));
    expect(results.filter((result) => 'issued' in result).length).to.equal(1);
  });

  it('cannot be used as a token, and a token cannot be used as a code', async () => {
    const code = await makeCode();
    const { rows } = await place.database.pool.query<{ hash: Buffer }>(
      'SELECT token_sha256 AS hash FROM access_tokens ORDER BY access_token_id DESC LIMIT 1',
    );
    const found = await place.api.pool.query('SELECT FROM takt.find_access_token($1)', [rows[0]?.hash]);
    expect(found.rowCount).to.equal(0);
    expect((await listAccessTokens(place.database)).length).to.equal((await countTokens()) - 1);
    const session = issuedBy(await redeem(code));
    const again = await place.api.pool.query<{ refused: string }>(
      "SELECT refused FROM takt.sign_in_by_code(sha256(convert_to($1, 'UTF8')), sha256('other'))",
      [session.accessToken],
    );
    expect(again.rows).to.deep.equal([INVALID]);
    expect(await findAccessToken(place.api.pool, session.accessToken)).not.to.equal(undefined);
  });
  const countTokens = async () =>
    (await place.database.pool.query('SELECT FROM access_tokens')).rowCount ?? 0;

  it('is refused after 10 minutes, and after its person was disabled or lost all companies', async () => {
    const expired = await makeCode();
    const { rows } = await place.database.pool.query<{ seconds: number }>(
      `SELECT extract(epoch FROM expires_at - created_at)::float8 AS seconds FROM access_tokens
       ORDER BY access_token_id DESC LIMIT 1`,
    );
    expect(rows).to.deep.equal([{ seconds: 600 }]);
    await expireTokens(place, 1);
    expect(await redeem(expired)).to.deep.equal(INVALID);
    const disabled = await addPerson(place);
    const ofDisabled = await createOpeningCode(place.database, disabled.pid);
    await disableUser(place.database, disabled.pid);
    expect(await redeem(ofDisabled)).to.deep.equal(INVALID);
    await enableUser(place.database, disabled.pid);
    expect(await redeem(ofDisabled)).to.deep.equal(INVALID);
    const poor = await addPerson(place);
    const ofPoor = await createOpeningCode(place.database, poor.pid);
    await place.database.pool.query('DELETE FROM user_companies WHERE pid = $1', [poor.pid]);
    expect(await redeem(ofPoor)).to.deep.equal(INVALID);
  });

  it('cannot be created with the log-in of an app', async () => {
    const { pid } = await addPerson(place);
    const made = createOpeningCode(place.api, pid).catch((error: Error) => error.message);
    expect(await made).to.match(/permission denied/);
  });
});
