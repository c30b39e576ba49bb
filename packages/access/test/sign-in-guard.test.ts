import { waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import type { GrantResult } from '../src/index.js';
import { type Attempt, createPlaces, createSignInGuard } from '../src/sign-in-guard.js';

const ISSUED: GrantResult = { issued: { accessToken: 'a', expiresInS: 1, refreshToken: undefined } };
const WRONG: GrantResult = { refused: 'invalid_grant' };
const LIMITS = { failuresOfName: 3, failuresOfAddress: 5, maxWaiting: 2 };

describe('What holds back who guesses', () => {
  const person = (pid: number, address = '192.0.2.1'): Attempt => ({ clientId: undefined, pid, address });
  let guard: ReturnType<typeof createSignInGuard>;
  let checked: number;
  beforeEach(() => {
    guard = createSignInGuard(LIMITS);
    checked = 0;
  });
  const attempt = (who: Attempt, result: GrantResult = WRONG) =>
    guard.attempt(who, async () => {
      checked += 1;
      return result;
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
    expect(outcome.retryAfterS).to.be.within(1, 900);
    return true;
  };

  it('begins no check of a name that failed too often from an address, and says when to come again', async () => {
    await fail(3, () => person(1));
    expect(await isPutOff(person(1))).to.equal(true);
    expect(await isPutOff(person(2))).to.equal(false);
    expect(await isPutOff(person(1, '192.0.2.2'))).to.equal(false);
  });

  it('begins no check from an address that failed too often with whatever names', async () => {
    await fail(5, (index) => person(index));
    for (const pid of [1, 77]) expect(await isPutOff(person(pid))).to.equal(true);
    expect(await isPutOff(person(1, '192.0.2.2'))).to.equal(false);
  });

  it('takes all addresses of one IPv6 network as one, and a mapped address as what it is', async () => {
    await fail(5, (index) => person(index, `2001:db8::1:${index}`));
    expect(await isPutOff(person(9, '2001:db8:0:0:ffff::1'))).to.equal(true);
    expect(await isPutOff(person(9, '2001:db8:0:1::1'))).to.equal(false);
    await fail(5, (index) => person(index, '::ffff:192.0.2.1'));
    expect(await isPutOff(person(9, '192.0.2.1'))).to.equal(true);
  });

  it('forgets the failures of a name when it succeeds, and nobody else’s', async () => {
    await fail(2, () => person(1));
    await fail(2, () => person(2));
    await attempt(person(1), ISSUED);
    await fail(1, () => person(2));
    expect(await isPutOff(person(2))).to.equal(true);
    expect(await isPutOff(person(1))).to.equal(true, 'five have failed from this address');
  });

  it('counts a wrong secret for the client, a wrong password for the person, and no worn-out token', async () => {
    const both: Attempt = { clientId: 1, pid: 1, address: '192.0.2.1' };
    for (let index = 0; index < 3; index += 1) await attempt(both, { refused: 'invalid_client' });
    expect(await isPutOff({ ...both, pid: 2 })).to.equal(true);
    expect(await isPutOff({ ...both, clientId: 2 })).to.equal(false);
    const client: Attempt = { clientId: 3, pid: undefined, address: '192.0.2.3' };
    for (let index = 0; index < 9; index += 1) await attempt(client, WRONG);
    expect(await isPutOff(client)).to.equal(false);
  });

  it('checks one at a time of an address, so that no more are begun than may fail, and lets others through', async () => {
    const limited = createSignInGuard({ ...LIMITS, maxWaiting: 100 });
    const waiting: (() => void)[] = [];
    let running = 0;
    let most = 0;
    let begun = 0;
    const slow = (who: Attempt) =>
      limited.attempt(who, async () => {
        begun += 1;
        running += 1;
        most = Math.max(most, running);
        await new Promise<void>((resolve) => waiting.push(resolve));
        running -= 1;
        return WRONG;
      });
    let ended = 0;
    const all = Array.from({ length: 40 }, (_, pid) => slow(person(pid)).finally(() => (ended += 1)));
    await waitUntil('the first is checked', () => waiting.length === 1);
    const other = slow(person(1, '192.0.2.9'));
    await waitUntil('that of another address too', () => waiting.length === 2);
    while (ended < all.length) {
      for (const go of waiting.splice(0)) go();
      await new Promise(setImmediate);
    }
    await other;
    expect(begun).to.equal(LIMITS.failuresOfAddress + 1);
    expect(most).to.equal(2);
  });

  it('refuses at once what would wait too long, and takes the next when there is room', async () => {
    const waiting: (() => void)[] = [];
    const slow = () =>
      guard.attempt(person(1), async () => {
        await new Promise<void>((resolve) => waiting.push(resolve));
        return ISSUED;
      });
    const taken = [slow(), slow(), slow()];
    await waitUntil('the first is checked', () => waiting.length === 1);
    expect(await slow()).to.deep.equal({ putOff: 'busy', retryAfterS: 2 });
    for (const one of taken) {
      await waitUntil('one is checked', () => waiting.length === 1);
      waiting.pop()?.();
      await one;
    }
    expect(await isPutOff(person(1))).to.equal(false);
  });

  it('lets the next begin where a check breaks', async () => {
    const broken = guard.attempt(person(1), () => Promise.reject(new Error('broken')));
    expect(await broken.catch((error: Error) => error.message)).to.equal('broken');
    expect(await isPutOff(person(1))).to.equal(false);
  });

  it('keeps no more than it has places, however many names and addresses there are', () => {
    const placeOf = createPlaces();
    const kept = new Set(Array.from({ length: 200_000 }, (_, index) => placeOf(`person ${index} 192.0.2.1`)));
    expect(kept.size).to.be.within(60_000, 65_536);
    expect(createPlaces()('person 1 192.0.2.1'), 'foretold').not.to.equal(
      createPlaces()('person 1 192.0.2.1'),
    );
  });
});
