import { expect } from 'chai';
import {
  forgetSession,
  isOwnPost,
  operatorSession,
  readSession,
  returnAddress,
  writeSession,
} from '../src/sessions.js';

const TOKEN = `takt_${'a'.repeat(43)}`;

describe('The cookie of a session', () => {
  for (const [baseUrl, begin, attributes] of [
    ['http://127.0.0.1:3000', 'takt_session', 'Path=/; HttpOnly; SameSite=Lax'],
    ['http://intranet/takt', 'takt_session', 'Path=/takt; HttpOnly; SameSite=Lax'],
    ['https://takt.example', '__Host-takt_session', 'Path=/; HttpOnly; SameSite=Lax; Secure'],
    ['https://takt.example/api/v1', '__Secure-takt_session', 'Path=/api/v1; HttpOnly; SameSite=Lax; Secure'],
  ] as const) {
    it(`has a name and a scope that fit ${baseUrl}, and is read back unchanged`, () => {
      for (const isGiven of [false, true]) {
        const cookie = writeSession({ token: TOKEN, isGiven }, baseUrl);
        const [pair = '', ...rest] = cookie.split('; ');
        expect(pair.startsWith(`${begin}=${TOKEN}`)).to.equal(true);
        expect(rest.join('; ')).to.equal(attributes);
        expect(readSession({ cookie: `a=b; ${pair};c` }, baseUrl)).to.deep.equal({ token: TOKEN, isGiven });
        const forgotten = forgetSession(baseUrl);
        expect(forgotten).to.equal(`${begin}=; ${attributes}; Max-Age=0`);
        expect(readSession({ cookie: `${begin}=` }, baseUrl)).to.equal(undefined);
      }
    });
  }

  it('is shared with the pages of operators wherever the browser sends it to them too', () => {
    for (const [dashboardUrl, apiUrl, isShared] of [
      ['http://127.0.0.1:3001', 'http://127.0.0.1:3000', true],
      ['https://takt.example/operations', 'https://takt.example', true],
      ['https://takt.example/erp/operations', 'https://takt.example/erp', true],
      ['https://takt.example/erp2/operations', 'https://takt.example/erp', false],
      ['https://takt.example/operations', 'https://takt.example/api', false],
      ['https://ops.takt.example', 'https://takt.example', false],
      ['http://takt.example/operations', 'https://takt.example', false],
    ] as const) {
      expect(operatorSession(dashboardUrl, apiUrl), dashboardUrl).to.deep.equal(
        isShared
          ? { name: 'takt_session', baseUrl: apiUrl }
          : { name: 'takt_dashboard_session', baseUrl: dashboardUrl },
      );
    }
  });

  it('is refused if its name belongs to another base URL, or if the request contains it twice', () => {
    for (const cookie of [
      `takt_session=${TOKEN}`,
      `__Secure-takt_session=${TOKEN}`,
      `x__Host-takt_session=${TOKEN}`,
      `__Host-takt_session=${TOKEN}; __Host-takt_session=${TOKEN}`,
    ]) {
      expect(readSession({ cookie }, 'https://takt.example'), cookie).to.equal(undefined);
    }
    expect(readSession({}, 'https://takt.example')).to.equal(undefined);
  });
});

describe('The redirect after a sign-in', () => {
  const base = 'https://takt.example/api';

  it('leads to the requested page if it is below the base URL', () => {
    expect(returnAddress('/', base)).to.equal(`${base}/`);
    expect(returnAddress("/x?$filter=Name eq 'ø'&$top=5", base)).to.equal(
      `${base}/x?$filter=Name%20eq%20%27%C3%B8%27&$top=5`,
    );
    expect(returnAddress('/x/../y', base)).to.equal(`${base}/y`);
  });

  for (const path of [
    ...[undefined, '', 'x', '//evil.example/api/', '/\\evil.example', '\\\\evil.example', '///evil.example'],
    ...['https://evil.example/api/', '/../other', '/..', '/x/../../other', '/%2e%2e/other'],
    ...['/x\\..\\..\\evil', '@evil.example', '.evil.example', '\t//evil.example', '/\t/evil.example'],
    ...['/x\r\nSet-Cookie: a', '/\u0000', '?x', '#x', ':443', 'javascript:alert(1)'],
  ]) {
    it(`leads to the start page if the requested path is ${JSON.stringify(path)}`, () => {
      expect(returnAddress(path, base)).to.equal(`${base}/`);
    });
  }
});

describe('A posted form', () => {
  const BASE = 'https://takt.example/api';
  const posts: readonly (readonly [boolean, Readonly<Record<string, string>>])[] = [
    ...['same-origin', 'none'].map((site) => [true, { 'sec-fetch-site': site }] as const),
    ...['cross-site', 'same-site', 'nonsense'].map((site) => [false, { 'sec-fetch-site': site }] as const),
    [true, {}],
    [true, { origin: 'https://takt.example' }],
    ...['https://evil.example', 'null', 'https://takt.example.evil.example', 'http://takt.example'].map(
      (origin) => [false, { origin }] as const,
    ),
    [false, { 'sec-fetch-site': 'cross-site', origin: 'https://takt.example' }],
  ];
  for (const [isOwn, headers] of posts) {
    it(`counts as a form ${isOwn ? 'of a page of this service or of no browser' : 'of another site'} if its headers are ${JSON.stringify(headers)}`, () => {
      expect(isOwnPost(headers, BASE)).to.equal(isOwn);
    });
  }
});
