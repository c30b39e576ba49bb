import { clientPermissions, duties as everyDuty, revokeAccessToken } from '@takt/access';
import { resourceFamilies } from '@takt/catalogue/resources';
import { opened, someOf, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import type { HttpAnswer } from '../support/http-client.js';
import { SERVED_AT, serveApi } from '../support/serve-api.js';
import {
  CONTENT_TYPES,
  expectBatch,
  expectRefusal,
  expectResource,
  formats,
  type Refused,
  resourceAt,
} from './expect-answer.js';
import {
  asking,
  dutiesOf,
  FORMS,
  insertTargets,
  noMoreThan,
  type ResourceRule,
  RULES,
} from './resource-rules.js';

const IN_HEADER = 'in the header';

/** Functions that put a token into a request, by the place of the token. They add nothing for a missing token. */
const carriers: Readonly<Record<string, (token: string | undefined) => Carried>> = {
  [IN_HEADER]: (token) => ({
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    parameters: '',
  }),
  'in the session of a browser': (token) => ({
    headers: token === undefined ? {} : { cookie: `__Host-takt_session=${token}` },
    parameters: '',
  }),
  'in the address': (token) => ({
    headers: {},
    parameters: token === undefined ? '' : `&$access_token=${encodeURIComponent(token)}`,
  }),
};

interface Carried {
  readonly headers: Readonly<Record<string, string>>;
  readonly parameters: string;
}

/**
 * A kind of token, further parameters of the request, and the expected error. The error is undefined if the request
 * succeeds.
 */
interface Kind {
  readonly name: string;
  readonly token: string | undefined;
  readonly parameters?: string;
  readonly refused: Refused | undefined;
}

/**
 * Returns the expected error for a batch as HTML, because batches have no HTML format. Returns undefined for everything
 * else.
 */
function refusedBatch(format: string): Refused | undefined {
  const parameters = ['$format', format];
  return format === 'html' ? { code: 'invalidParameterValue', parameters } : undefined;
}

const swapCase = (text: string) =>
  text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );

describe('the access rules of all routes', () => {
  const api = opened(serveApi);
  let invalid: readonly Kind[];
  let valid: string;
  const limited = new Map<string, string>();
  const tokenOf = (name: string) => {
    const token = limited.get(name);
    if (token === undefined) throw new Error(`there is no token ${name}`);
    return token;
  };

  before(async () => {
    await insertTargets(api.owner);
    valid = await api.createToken('TEM-NO');
    for (const permission of clientPermissions) {
      const permissions = clientPermissions.filter((one) => one !== permission);
      limited.set(`without ${permission}`, await api.createToken('TEM-NO', { permissions }));
      limited.set(
        `without ${permission} and duties`,
        await api.createToken('TEM-NO', { permissions, duties: [] }),
      );
    }
    for (const duty of everyDuty) {
      const duties = everyDuty.filter((one) => one !== duty);
      limited.set(`without ${duty}`, await api.createToken('TEM-NO', { duties }));
    }
    for (const rule of Object.values(RULES)) {
      if (!('target' in rule)) continue;
      const permissions = rule.permission === undefined ? [] : [rule.permission];
      const rights = { permissions, duties: dutiesOf(rule) };
      limited.set(noMoreThan(rule), await api.createToken('TEM-NO', rights));
    }
    const revoked = await api.createToken('TEM-NO');
    await revokeAccessToken(api.database, revoked);
    // This token is created last, because creating a token deletes expired tokens.
    const expired = await api.createToken('TEM-NO', {}, 1);
    const isExpired = async () => {
      const { rows } = await api.owner.query('SELECT FROM takt.access_tokens WHERE expires_at <= now()');
      return rows.length > 0;
    };
    await waitUntil('the token has expired', isExpired);
    const refused = { code: 'invalidAccessToken', parameters: [] } as const;
    invalid = Object.entries({
      none: undefined,
      malformed: 'takt_!',
      unknown: `takt_${'A'.repeat(43)}`,
      expired,
      revoked,
      truncated: valid.slice(0, -1),
      'with one sign more': `${valid}A`,
      'in the other case': `takt_${swapCase(valid.slice('takt_'.length))}`,
      'in capitals': valid.toUpperCase(),
    }).map(([name, token]) => ({ name, token, refused }));
  });

  /**
   * Requests an address as a browser does, and follows a redirect. An HTML page without a company in the address
   * redirects to the same page with the company.
   */
  const follow = async (target: string, headers: Carried['headers']): Promise<HttpAnswer> => {
    const answer = await api.client.get(target, headers);
    const {
      status,
      headers: { location = '' },
    } = answer;
    if (status !== 303) return answer;
    expect(location, target).to.match(/[?&]\$db=TEM-NO$/);
    return await api.client.get(location.slice(SERVED_AT.length), headers);
  };

  /**
   * Returns the expected result for every kind of token at a resource. Some requests would also fail a later check. The
   * answer must report the first failure.
   */
  const kindsFor = (rule: ResourceRule): readonly Kind[] => {
    const { permission } = rule;
    const lacksCompany = (database: string) =>
      ({ code: 'companyNotPermitted', parameters: [database] }) as const;
    const foreign = '&$db=OTHER';
    const wrong = '&$lang=%00';
    return [
      ...invalid,
      ...invalid
        .filter(({ name }) => name === 'revoked')
        .map((kind) => ({ ...kind, parameters: foreign + wrong })),
      ...['', foreign + wrong].flatMap((parameters): readonly Kind[] => [
        ...(permission === undefined ? [] : ['', ' and duties']).map((more) => ({
          ...{
            name: `without permission${more}`,
            token: tokenOf(`without ${permission}${more}`),
            parameters,
          },
          refused: { code: 'permissionMissing', parameters: [permission ?? ''] } as const,
        })),
        ...dutiesOf(rule).map((one) => ({
          ...{ name: `without ${one}`, token: tokenOf(`without ${one}`), parameters },
          refused: { code: 'dutyMissing', parameters: [one] } as const,
        })),
      ]),
      { name: 'for another company', token: valid, parameters: foreign, refused: lacksCompany('OTHER') },
      { name: 'for no company', token: valid, parameters: '&$db=MISSING', refused: lacksCompany('MISSING') },
      {
        name: 'for another company',
        token: valid,
        parameters: foreign + wrong,
        refused: lacksCompany('OTHER'),
      },
      {
        name: 'right, with a wrong parameter',
        token: valid,
        parameters: wrong,
        refused: { code: 'controlCharacter', parameters: ['$lang', '1'] },
      },
      { name: 'right', token: valid, refused: undefined },
      {
        name: 'right and with no right more',
        token: tokenOf(noMoreThan(rule)),
        refused: undefined,
      },
    ];
  };

  it('exist for every route, but for no other path', () => {
    expect([...api.paths].sort()).to.deep.equal(Object.keys(RULES).sort());
    expect([...api.formPaths].sort()).to.deep.equal(Object.keys(FORMS).sort());
    for (const { path } of resourceFamilies) expect(RULES[path], path).to.have.property('target');
  });

  for (const [path, statuses] of Object.entries(FORMS)) {
    it(`do not apply to ${path}, so a request with any token gets the status of a missing form`, async () => {
      const ended = await api.createToken('TEM-NO');
      for (const { name, token } of [...invalid, { name: 'right', token: ended }]) {
        const { headers } = carriers['in the session of a browser']?.(token) ?? { headers: {} };
        const { status } = await api.client.send('POST', path, headers);
        expect(status, name).to.be.oneOf([...statuses]);
      }
    });
  }

  for (const [path, rule] of Object.entries(RULES)) {
    for (const format of someOf(formats)) {
      if ('target' in rule) {
        it(`allow or refuse each kind of token at ${path} as ${format}`, async () => {
          for (const [carrier, carry] of Object.entries(carriers)) {
            // Every request reads its token in one place, so one place of the token tries all kinds.
            const isTried = ({ name }: Kind) =>
              carrier === IN_HEADER || ['right', 'unknown', 'none'].includes(name);
            for (const kind of kindsFor(rule).filter(isTried)) {
              const what = `a token ${kind.name}, ${carrier}${kind.parameters ?? ''}`;
              const { headers, parameters } = carry(kind.token);
              const query = `$format=${format}${kind.parameters ?? ''}${parameters}`;
              const target = asking(rule.target, query);
              const answer = await follow(target, headers);
              // The answer must not contain the token. HTML pages are an exception, because their links keep the token
              // of the request.
              if (kind.token !== undefined && format !== 'html') {
                expect(answer.text + JSON.stringify(answer.headers), what).not.to.include(kind.token);
              }
              const refused = kind.refused ?? (path === '/batch' ? refusedBatch(format) : undefined);
              if (refused !== undefined) {
                expectRefusal(answer, format, refused, what);
              } else if (path === '/batch') {
                expectBatch(answer, format, what);
              } else {
                expectResource(answer, format, resourceAt(path), what);
              }
              // Only requests with the token in the header compare HEAD with GET. The service treats all requests alike
              // once it has read the token.
              if (carrier !== IN_HEADER) continue;
              const head = await api.client.send('HEAD', target, headers);
              expect([head.status, head.text], what).to.deep.equal([answer.status, '']);
            }
          }
        });
      } else {
        it(`admit requests to ${path} as ${format} with and without any token`, async () => {
          for (const carry of Object.values(carriers)) {
            for (const { name, token } of [...invalid, { name: 'right', token: valid }]) {
              const { headers, parameters } = carry(token);
              // The address / redirects signed-in people to another page. The view of the list of resources is an
              // exception.
              const view = path === '/' ? '&view=resources' : '';
              const { status, headers: answered } = await follow(
                `${path}?$format=${format}${view}${parameters}`,
                headers,
              );
              expect(status, name).to.equal(200);
              expect(answered['www-authenticate'], name).to.equal(undefined);
              const expected = rule.type === 'by format' ? CONTENT_TYPES[format] : rule.type;
              const type = String(answered['content-type']);
              expect(expected instanceof RegExp ? expected.test(type) : expected === type, type).to.equal(
                true,
              );
            }
          }
        });
      }
    }
  }
});
