import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

interface ClientAddresses {
  /** Returns true if the address is that of a proxy whose headers are trusted. */
  isProxy(address: string): boolean;
  /** Returns the remote address of the client. Behind trusted proxies, this is the forwarded address. */
  addressOf(request: IncomingMessage): string;
}

/**
 * Creates the functions that find the address of a client. Behind trusted proxies, the client is the right-most address
 * of X-Forwarded-For that is not a trusted proxy. Entries to the left of this address come from the sender and may be
 * forged. If an entry is unreadable, the address to its right counts as the client. The header Forwarded (RFC 7239) is
 * ignored, because a proxy that does not set it passes it on as the client wrote it.
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

/**
 * Returns the address in an entry of the form `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` or
 * `[2001:db8::1]:80`; undefined for any other form.
 */
function readNode(entry: string): string | undefined {
  const text = entry.trim();
  const address = BRACKETED.exec(text)?.[1] ?? WITH_PORT.exec(text)?.[1] ?? text;
  return isIP(address) === 0 ? undefined : plain(address);
}

const MAPPED = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/;

/**
 * Returns the shortest form of an IPv6 address, without a zone. An IPv4 address, also one that is mapped to IPv6, is
 * returned in dotted form.
 */
function plain(address: string): string {
  if (!address.includes(':')) return address;
  // Dual-stack sockets report IPv4 addresses in this form.
  const dotted = /^::ffff:(\d+\.[\d.]+)$/i.exec(address)?.[1];
  if (dotted !== undefined) return dotted;
  const short = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
  const [, high, low] = MAPPED.exec(short) ?? [];
  if (high === undefined || low === undefined) return short;
  const bytes = Buffer.from(high.padStart(4, '0') + low.padStart(4, '0'), 'hex');
  return bytes.join('.');
}
