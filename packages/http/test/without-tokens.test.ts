import { processorMsOf } from '@takt/test-support';
import { expect } from 'chai';
import { pathWithoutTokens, withoutTokens } from '../src/http-request.js';

const TOKEN = 'takt_0aB1-cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX2yZ3_4';
const OTHER = 'c0ffee-secret';

describe('A path in an answer or a log', () => {
  for (const before of [
    ...['/no/$access_token=', '/no&$access_token=', '/no/%24access_token=', '/no/%24access%5Ftoken%3D'],
    ...[
      '/no/%2524access_token%253D',
      '/no/%252574oken%25252F',
      '/no/access_token=',
      '/no/$acces_token=',
      '/no/$acess_token=',
      '/no/$accesstoken=',
    ],
    ...[
      '/no/$accessToken=',
      '/no/$ACCESS_TOKEN=',
      '/no/token/',
      '/no/Bearer%20',
      '/no/bearer+',
      '/no/Authorization:',
    ],
    ...['/no;access_token=', '/no/$access_tokne='],
    ...[
      '/oauth2/access_token&client_secret=',
      '/oauth2&password=',
      '/oauth2/pasword=',
      '/oauth2;pwd:',
      '/no/Secret/',
    ],
    ...[
      '/oauth2&code=',
      '/oauth2/code_verifier%3D',
      '/oauth2,state=',
      '/no/client_assertion=',
      '/no/Basic%20',
    ],
    ...['/oauth2/refresh_token=', '/oauth2/tokens/', '/oauth2/clientSecret='],
  ]) {
    it(`contains no token after ${before}`, () => {
      for (const token of [TOKEN, OTHER, encodeURIComponent(`${OTHER}/=`)]) {
        expect(pathWithoutTokens(before + token))
          .to.not.contain('c0ffee')
          .and.not.contain('takt_');
      }
    });
  }

  for (const path of [
    `/${TOKEN}`,
    `/no/${TOKEN}/x`,
    `/no/${TOKEN.replace('_', '%5F')}`,
    `/${TOKEN.slice(5)}`,
  ]) {
    it(`contains no token in any other part of ${path}`, () => {
      expect(pathWithoutTokens(path)).to.contain('[redacted]').and.not.contain('cD2eF3gH4iJ5');
    });
  }

  for (const path of [
    ...[
      '/',
      '*',
      '/things/a%2Fb%00',
      '/%E0%A4%A',
      '/%25',
      '/<script>"',
      '/oauth2/access_token',
      '/oauth2/logout',
    ],
    ...['/codes/12', '/state/x', '/basic-things', '/docs/encoder', '/.well-known/oauth-authorization-server'],
    ...[
      '/product/structure-versions/aggregated-production-times',
      `/${'x'.repeat(300)}`,
      `/${'9'.repeat(80)}`,
    ],
  ]) {
    it(`is unchanged if it contains no token: ${path.slice(0, 60)}`, () => {
      expect(pathWithoutTokens(path)).to.equal(path);
    });
  }

  it('is cleaned in a time that grows only linearly', () => {
    const spentMs = processorMsOf(() => {
      for (const piece of ['token', 'access_', '%2', '%25', 'a', 'aA0', '[redacted]', 'bearer_']) {
        pathWithoutTokens(piece.repeat(16_384 / piece.length));
      }
    });
    expect(spentMs).to.be.lessThan(500);
  });
});

describe('A value in an error', () => {
  it('contains no token, but is otherwise unchanged', () => {
    expect(withoutTokens(`x ${TOKEN} y`)).to.equal('x [redacted] y');
    expect(withoutTokens(`x ${TOKEN.replace('_', '%25255F')} y`)).to.equal('x [redacted] y');
    expect(withoutTokens('100% of RunTime %41')).to.equal('100% of RunTime %41');
  });
});
