import { opened } from '@takt/test-support';
import { expect } from 'chai';
import {
  createAccessToken,
  findAccessToken,
  MAX_TOKEN_LIFETIME_MS,
  UnknownNamesError,
} from '../src/index.js';
import { expireTokens, openAccessPlace } from './support/access-place.js';

const HOUR_MS = 3_600_000;

describe('createAccessToken', () => {
  const place = opened(openAccessPlace);

  beforeEach(() => place.database.pool.query('TRUNCATE access_tokens CASCADE'));

  const countRows = async () => {
    const { rows } = await place.database.pool.query<{ tokens: number; companies: number }>(
      `SELECT (SELECT count(*)::integer FROM access_tokens) AS tokens,
         (SELECT count(*)::integer FROM access_token_companies) AS companies`,
    );
    return rows[0];
  };

  it('returns a different token for each call: takt_ and 256 random bits', async () => {
    const request = { companyCodes: ['TEM-NO'], expiresInMs: HOUR_MS };
    const made = await Promise.all([1, 2, 3].map(() => createAccessToken(place.database, request)));
    const tokens = made.map(({ token }) => token);
    expect(new Set(tokens).size).to.equal(3);
    for (const token of tokens) {
      expect(token).to.match(/^takt_[A-Za-z0-9_-]+$/);
      expect(Buffer.from(token.slice('takt_'.length), 'base64url').length).to.equal(32);
    }
  });

  it('sets the expiry by the clock of the database', async () => {
    const { token, expiresAt } = await createAccessToken(place.database, {
      companyCodes: ['TEM-NO'],
      expiresInMs: 90_500,
    });
    const { rows } = await place.database.pool.query(
      'SELECT expires_at, extract(epoch FROM expires_at - created_at)::float8 AS seconds FROM access_tokens',
    );
    expect(rows).to.deep.equal([{ expires_at: expiresAt, seconds: 90.5 }]);
    expect((await findAccessToken(place.api.pool, token))?.expiresAt).to.deep.equal(expiresAt);
  });

  it('stores a company that is given twice only once, at its first position', async () => {
    const { token } = await createAccessToken(place.database, {
      companyCodes: ['TEM-SE', 'TEM-DK', 'TEM-SE'],
      expiresInMs: HOUR_MS,
    });
    const grant = await findAccessToken(place.api.pool, token);
    expect(grant?.companies.map(({ code }) => code)).to.deep.equal(['TEM-SE', 'TEM-DK']);
  });

  it('stores nothing if a company is unknown, and lists the known companies in the error', async () => {
    const refusal = await createAccessToken(place.database, {
      companyCodes: ['TEM-NO', 'NOBODY', "x'; DROP TABLE takt.companies; --"],
      expiresInMs: HOUR_MS,
    }).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(UnknownNamesError);
    expect(refusal).to.deep.include({
      unknown: ['NOBODY', "x'; DROP TABLE takt.companies; --"],
      known: ['TEM-DK', 'TEM-NO', 'TEM-SE'],
    });
    expect(String(refusal)).to.match(/NOBODY.*not registered \(registered: TEM-DK, TEM-NO, TEM-SE\)$/);
    expect(await countRows()).to.deep.equal({ tokens: 0, companies: 0 });
  });

  it('rejects an empty list of companies, and a lifetime of zero or of more than a year', async () => {
    const lifetimes = [0, -1, Number.NaN, Number.POSITIVE_INFINITY, MAX_TOKEN_LIFETIME_MS + 1];
    const requests = [
      { companyCodes: [], expiresInMs: HOUR_MS },
      ...lifetimes.map((expiresInMs) => ({ companyCodes: ['TEM-NO'], expiresInMs })),
    ];
    for (const request of requests) {
      const refusal = await createAccessToken(place.database, request).catch((error: unknown) => error);
      expect(refusal, String(request.expiresInMs)).to.be.instanceOf(RangeError);
    }
    expect(await countRows()).to.deep.equal({ tokens: 0, companies: 0 });
  });

  it('deletes expired tokens, and no other tokens', async () => {
    const request = { companyCodes: ['TEM-NO', 'TEM-SE'], expiresInMs: HOUR_MS };
    await createAccessToken(place.database, request);
    await createAccessToken(place.database, request);
    await expireTokens(place, 0);
    const kept = await createAccessToken(place.database, request);
    await createAccessToken(place.database, request);
    expect(await countRows()).to.deep.equal({ tokens: 2, companies: 4 });
    expect(await findAccessToken(place.api.pool, kept.token)).not.to.equal(undefined);
  });
});
