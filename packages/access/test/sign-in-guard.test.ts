import { waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import type { GrantResult, KnownNetworks } from '../src/index.js';
import { type Attempt, createPlaces, createSignInGuard } from '../src/sign-in-guard.js';

const ISSUED: GrantResult = { issued: { accessToken: '', expiresInS: 1, refreshToken: undefined } };

/** Returns the result of a sign-in. Its token names the person, so that the networks can be kept by it. */
function resultFor({ pid }: Attempt, result: GrantResult): GrantResult {
  return 'issued' in result ? { issued: { ...result.issued, accessToken: String(pid) } } : result;
}
const WRONG: GrantResult = { refused: 'invalid_grant' };
const LIMITS = { failures: 3, maxWaiting: 4 };
const BUSY = { putOff: 'busy', retryAfterS: 2 };

/** Stores the known networks in memory. Another test covers the table in the database. */
function rememberNetworks(): KnownNetworks {
  const kept = new Set<string>();
  return {
    has: async (pid, network) => kept.has(`${pid} ${network}`),
    add: async (accessToken, network) => void kept.add(`${accessToken} ${network}`),
  };
}

describe('The guard of sign-ins', () => {
  const person = (pid: number, address = '192.0.2.1'): Attempt => ({ pid, address });
  let guard: ReturnType<typeof createSignInGuard>;
  let checked: number;
  beforeEach(() => {
    guard = createSignInGuard(rememberNetworks(), LIMITS);
    checked = 0;
  });
  const attempt = (who: Attempt, result: GrantResult = WRONG) =>
    guard.attempt(who, async () => {
      checked += 1;
      return resultFor(who, result);
    });
  const fail = async (times: number, who: (index: number) => Attempt) => {
    for (let index = 0; index < times; index += 1) await attempt(who(index));
  };
  const isPutOff = async (who: Attempt) => {
    const before = checked;
    const outcome = await attempt(who, ISSUED);
    if (!('putOff' in outcome)) return false;
    expect(checked).to.equal(before);
    expect(outcome.putOff).to.equal('failures');
    // The time of the test itself is subtracted.
    expect(outcome.retryAfterS).to.be.within(600, 900);
    return true;
  };
  /** Returns functions to start checks with names. Each check runs until the test ends it. */
  const slowly = () => {
    const running = new Map<string, () => void>();
    const begun: string[] = [];
    const ask = (name: string, who: Attempt, result: GrantResult = WRONG) =>
      guard.attempt(who, async () => {
        begun.push(name);
        await new Promise<void>((resolve) => running.set(name, resolve));
        running.delete(name);
        return resultFor(who, result);
      });
    return { ask, begun, running, end: (name: string) => running.get(name)?.() };
  };

  it('checks no password of a person after too many failures, and says when to retry', async () => {
    await fail(3, (index) => person(1, `192.0.2.${index}`));
    expect(await isPutOff(person(1, '192.0.2.77'))).to.equal(true);
    expect(await isPutOff(person(2, '192.0.2.77'))).to.equal(false);
  });

  it('still checks attempts from a network where the person has signed in before', async () => {
    expect(await isPutOff(person(1, '192.0.2.9'))).to.equal(false);
    await fail(9, (index) => person(1, `192.0.2.${100 + index}`));
    expect(checked).to.equal(1 + 3);
    expect(await isPutOff(person(1, '192.0.2.9'))).to.equal(false);
    await fail(3, () => person(1, '192.0.2.9'));
    expect(await isPutOff(person(1, '192.0.2.9'))).to.equal(true);
    expect(await isPutOff(person(2, '192.0.2.9'))).to.equal(false);
  });

  it('does not refuse a person because other people failed at the same address', async () => {
    await fail(50, (index) => person(100 + index));
    expect(checked).to.equal(50);
    expect(await isPutOff(person(1))).to.equal(false);
  });

  it('treats all addresses of an IPv6 network as one address, and an IPv4-mapped address as IPv4', async () => {
    expect(await isPutOff(person(1, '2001:db8::1:1'))).to.equal(false);
    await attempt(person(2, '::ffff:192.0.2.1'), ISSUED);
    await fail(3, (index) => person(1, `192.0.2.${index}`));
    await fail(3, (index) => person(2, `192.0.2.${100 + index}`));
    expect(await isPutOff(person(1, '2001:db8:0:0:ffff::1'))).to.equal(false);
    expect(await isPutOff(person(1, '2001:db8:0:1::1'))).to.equal(true);
    expect(await isPutOff(person(2, '192.0.2.1'))).to.equal(false);
  });

  it('resets the count of failures only for the person who signs in', async () => {
    await fail(2, () => person(1));
    await fail(2, () => person(2));
    await attempt(person(1), ISSUED);
    await fail(1, () => person(2));
    expect(await isPutOff(person(2))).to.equal(true);
    expect(await isPutOff(person(1))).to.equal(false);
  });

  it('counts wrong passwords, but no other failures', async () => {
    for (const refused of ['invalid_client', 'unauthorized_client'] as const) {
      for (let index = 0; index < 9; index += 1) await attempt(person(1), { refused });
    }
    const client: Attempt = { pid: undefined, address: '192.0.2.3' };
    for (let index = 0; index < 9; index += 1) await attempt(client);
    expect(checked).to.equal(27);
    expect(await isPutOff(person(1))).to.equal(false);
    expect(await isPutOff(client)).to.equal(false);
  });

  it('checks at most as many passwords of a person as failures are allowed, even if many attempts run at once', async () => {
    guard = createSignInGuard(rememberNetworks(), { ...LIMITS, maxWaiting: 100 });
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, index) => attempt(person(1, `192.0.2.${index}`))),
    );
    expect(checked).to.equal(LIMITS.failures);
    expect(
      outcomes.filter((outcome) => 'putOff' in outcome && outcome.putOff === 'failures').length,
    ).to.equal(57);
  });

  it('checks one attempt of an address at a time, but attempts of two addresses at the same time', async () => {
    const { ask, begun, end } = slowly();
    const all = [ask('a', person(1)), ask('b', person(2)), ask('c', person(3, '192.0.2.9'))];
    await waitUntil('two are checked', () => begun.length === 2);
    expect(begun).to.have.members(['a', 'c']);
    end('a');
    await waitUntil('the next is checked', () => begun.length === 3);
    for (const name of ['b', 'c']) end(name);
    await Promise.all(all);
  });

  it('reserves one of its two places for addresses without failures', async () => {
    for (const address of ['192.0.2.1', '192.0.2.2']) await fail(6, (index) => person(100 + index, address));
    const { ask, begun, end } = slowly();
    const all = [ask('a', person(1, '192.0.2.1')), ask('b', person(2, '192.0.2.2'))];
    await waitUntil('one is checked', () => begun.length === 1);
    all.push(ask('honest', person(3, '192.0.2.3'), ISSUED));
    await waitUntil('the honest one is checked', () => begun.length === 2);
    expect(begun).to.deep.equal(['a', 'honest']);
    end('a');
    await waitUntil('the other is checked', () => begun.length === 3);
    for (const name of ['b', 'honest']) end(name);
    await Promise.all(all);
  });

  it('prefers addresses with fewer failures when many attempts wait', async () => {
    await attempt(person(1, '192.0.2.9'), ISSUED);
    await fail(9, (index) => person(100 + index, '192.0.2.9'));
    await fail(3, (index) => person(200 + index, '192.0.2.7'));
    const { ask, begun, end } = slowly();
    const first = [ask('x', person(11, '192.0.2.11')), ask('y', person(12, '192.0.2.12'))];
    await waitUntil('both places are taken', () => begun.length === 2);
    const guesses = Array.from({ length: 4 }, (_, index) =>
      ask(`guess ${index}`, person(300 + index, '192.0.2.9')),
    );
    const failedLess = ask('failed less', person(4, '192.0.2.7'), ISSUED);
    const clean = ask('clean', person(5, '192.0.2.5'), ISSUED);
    const atHome = ask('at home', person(1, '192.0.2.9'), ISSUED);
    expect(await Promise.all(guesses.slice(1))).to.deep.equal([BUSY, BUSY, BUSY]);
    for (const [ended, next] of [
      ['x', 'at home'],
      ['y', 'clean'],
      ['at home', 'failed less'],
      ['clean', 'guess 0'],
    ] as const) {
      end(ended);
      await waitUntil(`${next} is checked`, () => begun.at(-1) === next);
    }
    for (const name of ['failed less', 'guess 0']) end(name);
    for (const one of [failedLess, clean, atHome]) expect(await one).to.have.property('issued');
    await Promise.all([...first, ...guesses]);
  });

  it('starts the next check if a check throws', async () => {
    const broken = guard.attempt(person(1), () => Promise.reject(new Error('broken')));
    expect(await broken.catch((error: Error) => error.message)).to.equal('broken');
    expect(await isPutOff(person(1))).to.equal(false);
  });

  it('uses limited memory, however many names and addresses it sees', () => {
    const placeOf = createPlaces();
    const kept = new Set(Array.from({ length: 200_000 }, (_, index) => placeOf(`person ${index} 192.0.2.1`)));
    expect(kept.size).to.be.within(60_000, 65_536);
    expect(createPlaces()('person 1 192.0.2.1'), 'foretold').not.to.equal(
      createPlaces()('person 1 192.0.2.1'),
    );
  });
});
