import {
  type AccessTokenRequest,
  createAccessToken,
  createApiClient,
  createUser,
  disableUser,
  duties as everyDuty,
  revokeAccessToken,
} from '@takt/access';
import { eventDefinitions } from '@takt/events/internal';
import { completion } from '@takt/test-support';
import { expect } from 'chai';
import { openTestIntake, type TestIntake } from './support/open-test-intake.js';
import { expectError, post } from './support/post.js';

/** The right to use a route. Everybody has it, or the holders of the right to publish. Add a rule here for each new route. */
const RULES: Readonly<Record<string, 'everybody' | 'publishers'>> = {
  '/': 'everybody',
  '/openapi.json': 'everybody',
  ...Object.fromEntries(eventDefinitions.map(({ type }) => [`/schemas/${type}.schema.json`, 'everybody'])),
  '/health/live': 'everybody',
  '/health/ready': 'everybody',
  '/metrics': 'everybody',
  '/events': 'publishers',
};

describe('the access rules of all routes of the intake', () => {
  let intake: TestIntake;
  /** The error of each kind of token; undefined if its holder may publish. */
  const kinds = new Map<string, { readonly token: string | undefined; readonly error: number | undefined }>();
  const [INVALID, PERMISSION_MISSING] = [100_100, 100_102];

  before(async function () {
    intake = await openTestIntake('PostgreSQL', this);
    const { database } = intake;
    const companyCodes = ['TEM-NO'];
    const create = async (rights: Partial<AccessTokenRequest>) =>
      (await createAccessToken(database, { companyCodes, expiresInMs: 3_600_000, ...rights })).token;
    const addClient = async (permissions: readonly string[]) =>
      (await createApiClient(database, { name: 'MES', isPublic: true, permissions, companyCodes })).clientId;
    const addPerson = () =>
      createUser(database, {
        name: 'Person',
        companyCodes,
        duties: everyDuty,
        password: 'correct horse battery',
      });
    const pid = await addPerson();
    const [publishing, reading] = [
      await addClient(['publish-events']),
      await addClient(['production-times']),
    ];
    const disabled = await addPerson();
    const ofDisabled = await create({ pid: disabled, mayPublish: true });
    await disableUser(database, disabled);
    const revoked = await create({ mayPublish: true });
    await revokeAccessToken(database, revoked);
    for (const [name, token, error] of [
      ['of nobody, to publish', await create({ mayPublish: true }), undefined],
      ['of a client that may publish', await create({ clientId: publishing }), undefined],
      ['of a person, to publish', await create({ pid, mayPublish: true }), undefined],
      ['of nobody, to read', await create({}), PERMISSION_MISSING],
      ['of a person with all duties', await create({ pid }), PERMISSION_MISSING],
      ['of a client that may only read', await create({ clientId: reading }), PERMISSION_MISSING],
      ['of a disabled person', ofDisabled, INVALID],
      ['that was revoked', revoked, INVALID],
      ['that is unknown', `takt_${'A'.repeat(43)}`, INVALID],
      ['that is malformed', 'takt_!', INVALID],
      ['that is missing', undefined, INVALID],
    ] as const) {
      kinds.set(name, { token, error });
    }
  });
  after(() => intake?.close());

  it('exist for every route in the index, but for no other', async () => {
    const index = await (await fetch(`${intake.origin}/`)).text();
    const found = [...index.matchAll(/"(\/[\w./-]*)"/g)].map(([, path = '']) => path);
    expect(found).to.include('/events');
    expect(Object.keys(RULES)).to.include.members(found);
    for (const path of Object.keys(RULES)) {
      const { status } = await fetch(`${intake.origin}${path}`);
      expect(status, path).to.equal(path === '/events' ? 404 : 200);
    }
  });

  for (const [path, rule] of Object.entries(RULES)) {
    it(`allow or refuse each kind of token at ${path}`, async () => {
      for (const [name, { token, error }] of kinds) {
        if (rule === 'everybody') {
          const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
          expect((await fetch(`${intake.origin}${path}`, { headers })).status, name).to.equal(200);
          continue;
        }
        for (const event of [completion(1), [completion(2)], { no: 'event' }]) {
          const answer = await post(intake, event, { token });
          const expected = 'no' in event ? 400 : 202;
          expect(answer.status, name).to.equal(error === undefined ? expected : 403);
          if (error !== undefined) expectError(answer, 403, error);
        }
        for (const foreign of ['OTHER', 'NOBODY']) {
          const answer = await post(intake, completion(3, { database: foreign }), { token });
          expectError(answer, 403, error ?? 100_402);
        }
      }
      const jobs = (await intake.queued()).length;
      const accepted = [...kinds.values()].filter(({ error }) => error === undefined).length;
      expect(jobs > 0, 'only those who may have published').to.equal(rule === 'publishers' && accepted > 0);
      await intake.drain();
    });
  }
});
