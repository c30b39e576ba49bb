import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

interface ClientAddresses {
  /** Is it the address of a proxy whose headers count? */
  isProxy(address: string): boolean;
  /** Remote address of the client: behind trusted proxies, as they tell. */
  addressOf(request: IncomingMessage): string;
}

/**
 * Behind trusted proxies a client has the right-most address that none of them has, of X-Forwarded-For or Forwarded: what
 * stands left of it was written by whoever sent the request. An entry that cannot be read ends the search at the one before.
 * Proxies set one of the two headers and pass the other on as it came, so where both are there they must agree.
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
  const follow = (
    remote: string,
    entries: readonly string[],
    read: (entry: string) => string | undefined,
  ) => {
    let address = remote;
    for (const entry of entries.toReversed()) {
      const before = isProxy(address) ? read(entry) : undefined;
      if (before === undefined) break;
      address = before;
    }
    return address;
  };
  return {
    isProxy: (address) => isProxy(plain(address)),
    addressOf: ({ socket, headers }) => {
      const remote = plain(socket.remoteAddress ?? '');
      if (!isProxy(remote)) return remote;
      const entriesOf = (name: string) => headers[name]?.toString().split(',') ?? [];
      const told = [
        follow(remote, entriesOf('x-forwarded-for'), readNode),
        follow(remote, entriesOf('forwarded'), readForwarded),
      ].filter((address) => address !== remote);
      return new Set(told).size === 1 ? (told[0] ?? remote) : remote;
    },
  };
}

/** The `for` of an element of Forwarded (RFC 7239). */
function readForwarded(element: string): string | undefined {
  const nodes = element
    .split(';')
    .map((pair) => /^\s*for=(?:"([^"]*)"|([^\s"]*))\s*$/i.exec(pair))
    .filter((match) => match !== null);
  const [match] = nodes;
  return nodes.length === 1 ? readNode(match?.[1] ?? match?.[2] ?? '') : undefined;
}

const BRACKETED = /^\[([^\]]*)\](?::\d{1,5})?$/;
const WITH_PORT = /^([\d.]+):\d{1,5}$/;

/** The address of `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` and `[2001:db8::1]:80`; undefined of anything else. */
function readNode(entry: string): string | undefined {
  const text = entry.trim();
  const address = BRACKETED.exec(text)?.[1] ?? WITH_PORT.exec(text)?.[1] ?? text;
  return isIP(address) === 0 ? undefined : plain(address);
}

/** Without the interface of a link, and an IPv4 address as such where a socket of both families tells it. */
function plain(address: string): string {
  return address
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .toLowerCase();
}
