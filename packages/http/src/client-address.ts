import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

interface ClientAddresses {
  /** Is it the address of a proxy whose headers count? */
  isProxy(address: string): boolean;
  /** Remote address of the client: behind trusted proxies, as they tell. */
  addressOf(request: IncomingMessage): string;
}

/**
 * Behind trusted proxies a client has the right-most address of X-Forwarded-For that none of them has: what stands left of it
 * was written by whoever sent the request. An entry that cannot be read ends the search at the one before. Forwarded (RFC
 * 7239) does not count: proxies that do not set it pass it on as a client wrote it.
 * @param trustedProxies addresses and ranges such as `10.0.0.0/8`
 */
export function createClientAddresses(trustedProxies: readonly string[]): ClientAddresses {
  const trusted = new BlockList();
  for (const text of trustedProxies) {
    const [address = '', prefix] = text.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) {
      trusted.addAddress(address, family);
    } else {
      trusted.addSubnet(address, Number(prefix), family);
    }
  }
  const isProxy = (address: string) => {
    const family = trustedProxies.length === 0 ? 0 : isIP(address);
    return family !== 0 && trusted.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
  return {
    isProxy: (address) => isProxy(plain(address)),
    addressOf: ({ socket, headers }) => {
      let address = plain(socket.remoteAddress ?? '');
      const entries = isProxy(address) ? (headers['x-forwarded-for']?.toString().split(',') ?? []) : [];
      for (const entry of entries.toReversed()) {
        const before = isProxy(address) ? readNode(entry) : undefined;
        if (before === undefined) break;
        address = before;
      }
      return address;
    },
  };
}

const BRACKETED = /^\[([^\]]*)\](?::\d{1,5})?$/;
const WITH_PORT = /^([\d.]+):\d{1,5}$/;

/** The address of `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` and `[2001:db8::1]:80`; undefined of anything else. */
function readNode(entry: string): string | undefined {
  const text = entry.trim();
  const address = BRACKETED.exec(text)?.[1] ?? WITH_PORT.exec(text)?.[1] ?? text;
  return isIP(address) === 0 ? undefined : plain(address);
}

const MAPPED = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/;

/** An IPv6 address in its one short form, without the interface of a link; an IPv4 address as such, also mapped to IPv6. */
function plain(address: string): string {
  if (!address.includes(':')) return address;
  // Sockets of both families tell it so.
  const dotted = /^::ffff:(\d+\.[\d.]+)$/i.exec(address)?.[1];
  if (dotted !== undefined) return dotted;
  const short = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
  const [, high, low] = MAPPED.exec(short) ?? [];
  if (high === undefined || low === undefined) return short;
  const bytes = Buffer.from(high.padStart(4, '0') + low.padStart(4, '0'), 'hex');
  return bytes.join('.');
}
