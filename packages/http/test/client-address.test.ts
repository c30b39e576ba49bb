import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { exchange, request, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { createClientAddresses } from '../src/client-address.js';
import { expectError, startFixture } from './served-fixture.js';

const TRUSTED = ['10.0.0.0/8', '192.0.2.1', 'fd00::/8', '2001:db8::7'];
const REMOTE = '10.1.1.1';

/** Returns the client address of a request from `remote` with these headers. */
function addressOf(headers: Readonly<Record<string, string>>, remote = REMOTE, trusted = TRUSTED): string {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remote });
  const request = Object.assign(new IncomingMessage(socket), { headers });
  return createClientAddresses(trusted).addressOf(request);
}
const forwardedFor = (value: string, remote?: string) => addressOf({ 'x-forwarded-for': value }, remote);

describe('The address of a client', () => {
  it('is the remote address, unless the remote is a trusted proxy', () => {
    const headers = { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' };
    expect(addressOf(headers, REMOTE, [])).to.equal(REMOTE);
    expect(addressOf(headers, '203.0.113.1')).to.equal('203.0.113.1');
    expect(addressOf(headers, '')).to.equal('');
  });

  it('is the right-most address that is no trusted proxy, because clients can forge the other addresses', () => {
    expect(forwardedFor('203.0.113.9')).to.equal('203.0.113.9');
    expect(forwardedFor('10.9.9.9, 1.1.1.1, 203.0.113.9, 10.2.2.2, 192.0.2.1')).to.equal('203.0.113.9');
    expect(forwardedFor('10.2.2.2, 10.3.3.3'), 'all of them are trusted').to.equal('10.2.2.2');
    expect(addressOf({})).to.equal(REMOTE);
  });

  it('is read from IPv4 and IPv6 entries, even with ports and brackets', () => {
    for (const [text, address] of [
      ['203.0.113.9:4711', '203.0.113.9'],
      ['2001:DB8::9', '2001:db8::9'],
      ['[2001:db8::9]', '2001:db8::9'],
      ['[2001:db8::9]:4711', '2001:db8::9'],
      ['2001:0db8:0:0:0::9', '2001:db8::9'],
      ['::ffff:203.0.113.9', '203.0.113.9'],
      ['::ffff:cb00:7109', '203.0.113.9'],
      ['[0:0:0:0:0:FFFF:cb00:7109]:80', '203.0.113.9'],
      ['::ffff:0001:0203', '0.1.2.3'],
    ] as const) {
      expect(forwardedFor(text), text).to.equal(address);
    }
    for (const remote of ['::ffff:10.1.1.1', '::ffff:a01:101', 'fd00::1', '2001:db8::7']) {
      expect(forwardedFor('203.0.113.9', remote), remote).to.equal('203.0.113.9');
    }
    expect(forwardedFor('203.0.113.9', 'fe80::1%eth0')).to.equal('fe80::1');
  });

  it('is the address of a trusted proxy if the entry to its left is hidden or malformed', () => {
    for (const odd of ['unknown', '_hidden', '', '203.0.113', '203.0.113.9:x', '[2001:db8::9', '"', 'a b']) {
      expect(forwardedFor(`203.0.113.9, ${odd}, 10.2.2.2`), odd).to.equal('10.2.2.2');
    }
  });

  it('is never read from the header Forwarded, because proxies do not change that header', () => {
    const forwarded = 'for=203.0.113.9';
    expect(addressOf({ forwarded })).to.equal(REMOTE);
    for (const odd of ['', ' ', 'unknown']) {
      expect(addressOf({ forwarded, 'x-forwarded-for': odd }), odd).to.equal(REMOTE);
    }
    expect(addressOf({ forwarded, 'x-forwarded-for': '203.0.113.1' })).to.equal('203.0.113.1');
  });
});

describe('Clients behind a trusted proxy', () => {
  it('have limits of their own, and a route with forms receives the address of the client', async () => {
    const limits = { maxInFlight: 4 };
    const fixture = await startFixture({ limits, trustedProxies: ['127.0.0.1'] });
    const from = (client: string, target: string) =>
      exchange(fixture.port, request(target, { 'X-Forwarded-For': client }));
    const running = [1, 2, 3].map(() => from('203.0.113.1', '/slow'));
    await waitUntil('three requests wait', () => fixture.waiting() === 3);
    expectError(await from('203.0.113.1', '/things'), 500, 'overloaded');
    expect((await from('203.0.113.2', '/things')).status).to.equal(200);
    fixture.release();
    for (const answer of await Promise.all(running)) expect(answer.status).to.equal(200);
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': '3' };
    const form = request('/form', { ...headers, 'X-Forwarded-For': '[2001:db8::9]:80' }, 'POST');
    const { body } = await exchange(fixture.port, `${form}a=b`);
    expect(JSON.parse(body.toString())).to.deep.equal({ formText: 'a=b', address: '2001:db8::9' });
    await fixture.close();
  });

  it('have the limits of their token if they state one, whichever addresses they use', async () => {
    const fixture = await startFixture({ limits: { maxInFlight: 4 }, trustedProxies: ['127.0.0.1'] });
    const from = (client: string, target: string, headers = {}) =>
      exchange(fixture.port, request(target, { 'X-Forwarded-For': client, ...headers }));
    for (const [target, headers] of [
      ['', { Authorization: 'Bearer one' }],
      ['?$access_token=one', {}],
    ] as const) {
      const running = [1, 2, 3].map((last) => from(`203.0.113.${last}`, `/slow${target}`, headers));
      await waitUntil('three requests wait', () => fixture.waiting() === 3);
      expectError(await from('203.0.113.4', `/things${target}`, headers), 500, 'overloaded');
      const other = await from('203.0.113.1', '/things', { Authorization: 'Bearer two' });
      expect(other.status).to.equal(200);
      fixture.release();
      for (const answer of await Promise.all(running)) expect(answer.status).to.equal(200);
    }
    await fixture.close();
  });
});
