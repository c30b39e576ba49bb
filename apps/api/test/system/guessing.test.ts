import { setTimeout as delay } from 'node:timers/promises';
import { createUser } from '@takt/access';
import { shareOf, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { cookieOf, type Form, openSignInPlace, PASSWORD, type SignInPlace } from '../oauth/sign-in-place.js';

const TOKENS = '/oauth2/access_token';
/** An address that honest clients and attackers share, as behind a proxy. In other tests their addresses differ. */
const SHARED = '127.0.0.9';
const HOME = '127.0.0.10';
const ATTACKERS = Array.from({ length: 120 }, (_, index) => `127.0.1.${index + 1}`);
/**
 * The time in milliseconds between two guesses from the same address. All attackers together make 120 guesses a second.
 */
const GUESS_EVERY_MS = 1_000;

describe('Guessing of passwords', () => {
  let place: SignInPlace;
  let retries: number;
  beforeEach(async () => {
    retries = 0;
    place = await openSignInPlace();
  });
  afterEach(() => place.close());

  const own = () => ({ client_id: place.client.id, client_secret: place.client.secret });
  const passwordOf = (pid: string, password = PASSWORD) => ({
    ...{ grant_type: 'password', client_id: place.publicClientId, username: pid, password },
  });
  /** Returns the error code of the answer, or an empty text if the answer contains tokens. */
  const errorOf = async (form: Form, address: string): Promise<string> => {
    return errorIn(await place.post(TOKENS, form, {}, address));
  };
  /**
   * Sends a request up to four times. Waits between the attempts for the time in Retry-After, but gives up if that time
   * exceeds 10 s. A password check on a busy machine may take seconds.
   */
  const askPatiently = async (path: string, form: Form, address: string): Promise<Response> => {
    for (let tries = 1; ; tries += 1) {
      const response = await place.post(path, form, {}, address);
      const retryAfterS = Number(response.headers.get('retry-after') ?? 0);
      if (retryAfterS === 0 || retryAfterS > 10 || tries === 4) return response;
      retries += 1;
      await delay(1_000 * retryAfterS);
    }
  };
  const patientErrorOf = async (form: Form, address: string) =>
    errorIn(await askPatiently(TOKENS, form, address));
  const signsInOnPage = async (address: string) =>
    cookieOf(await askPatiently('/oauth2', { login: place.pid, password: PASSWORD }, address)) !== '';
  const addPerson = async () => {
    const person = { name: 'Berg', companyCodes: ['TEM-NO'], roles: ['planner'], password: PASSWORD };
    return String(await createUser(place.database, person));
  };
  const refreshTokenOf = async (form: Form, address: string): Promise<string> =>
    JSON.parse(await (await askPatiently(TOKENS, form, address)).text()).refresh_token ?? '';

  it('does not lock out honest clients at the same address after 40 wrong passwords and 40 wrong secrets', async () => {
    const refreshToken = await refreshTokenOf(passwordOf(place.pid), HOME);
    const guesses = Array.from({ length: 40 }, (_, index) => passwordOf(String(500_000 + index), 'wrong'));
    const errors: string[] = [];
    const guess = async () => {
      for (let form = guesses.pop(); form !== undefined; form = guesses.pop()) {
        errors.push(await errorOf(form, SHARED));
      }
    };
    await Promise.all([guess(), guess(), guess()]);
    expect(errors).to.have.lengthOf(40);
    const ofClient = { ...own(), grant_type: 'client_credentials' };
    for (let index = 0; index < 40; index += 1) {
      expect(await errorOf({ ...ofClient, client_secret: 'wrong' }, SHARED)).to.equal('invalid_client');
    }
    expect(await patientErrorOf(ofClient, SHARED)).to.equal('');
    const refresh = { grant_type: 'refresh_token', refresh_token: refreshToken };
    expect(await patientErrorOf({ ...refresh, client_id: place.publicClientId }, SHARED)).to.equal('');
    expect(await patientErrorOf(passwordOf(place.pid), SHARED)).to.equal('');
    expect(await signsInOnPage(SHARED)).to.equal(true);
  });

  it('gets at most ten attempts per person from all addresses together, without locking out earlier users', async () => {
    expect(await signsInOnPage(HOME)).to.equal(true);
    const errors = await Promise.all(
      ATTACKERS.map(async (address) => {
        let error = 'slow_down';
        // The loop does not wait between attempts. If it waited as long as the answers ask, no guess would reach the
        // password check within this test.
        for (let tries = 0; tries < 3 && error === 'slow_down'; tries += 1) {
          error = await errorOf(passwordOf(place.pid, 'wrong'), address);
        }
        return error;
      }),
    );
    expect(errors.filter((error) => error === 'invalid_grant').length).to.be.within(1, 10);
    expect(await patientErrorOf(passwordOf(place.pid), HOME)).to.equal('');
    expect(await signsInOnPage(HOME)).to.equal(true);
    expect(await patientErrorOf(passwordOf(await addPerson()), '127.0.1.1'), 'another person').to.equal('');
  });

  it('does not keep honest clients from signing in during guesses from 120 addresses', async () => {
    const people = await Promise.all(Array.from({ length: shareOf(3) }, addPerson));
    expect(await signsInOnPage(HOME)).to.equal(true);
    let refreshToken = await refreshTokenOf(passwordOf(place.pid), HOME);
    let guesses = 0;
    let isOver = false;
    const attack = ATTACKERS.map(async (address, index) => {
      for (let round = 0; !isOver; round += 1) {
        await errorOf(passwordOf(String(600_000 + index * 1_000 + round), 'wrong'), address);
        guesses += 1;
        await delay(GUESS_EVERY_MS);
      }
    });
    await waitUntil('each has guessed a few times', () => guesses > 2 * ATTACKERS.length);
    const refused: string[] = [];
    let [slowestMs, askedAt] = [0, performance.now()];
    const note = (what: string, error: string) => {
      slowestMs = Math.max(slowestMs, performance.now() - askedAt);
      if (error !== '') refused.push(`${what}: ${error}`);
      askedAt = performance.now();
    };
    for (const [index, pid] of people.entries()) {
      note(
        'a person at an address of its own',
        await patientErrorOf(passwordOf(pid), `127.0.2.${index + 1}`),
      );
      note('a person who signs in again', await patientErrorOf(passwordOf(place.pid), HOME));
      note('a page', (await signsInOnPage(HOME)) ? '' : 'refused');
      note('a client', await patientErrorOf({ ...own(), grant_type: 'client_credentials' }, HOME));
      const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
      refreshToken = await refreshTokenOf({ ...form, client_id: place.publicClientId }, HOME);
      note('a refresh', refreshToken === '' ? 'refused' : '');
    }
    isOver = true;
    await Promise.all(attack);
    process.stdout.write(
      `      ${guesses} guesses; the slowest honest one took ${Math.round(slowestMs)} ms, ${retries} had to ask again\n`,
    );
    expect(refused).to.deep.equal([]);
  });
});

async function errorIn(response: Response): Promise<string> {
  const text = await response.text();
  return response.status === 200 ? '' : (/"error":"(\w+)"/.exec(text)?.[1] ?? text);
}
