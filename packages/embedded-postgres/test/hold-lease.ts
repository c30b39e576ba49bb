import { leaseEmbeddedServer } from '../src/lease.js';

/* A process that leases the server of a home, prints its URL, and releases the lease when its input ends. */

const [home = '', settings = '{}'] = process.argv.slice(2);
const lease = await leaseEmbeddedServer({ home, settings: JSON.parse(settings) });
process.stdout.write(`${lease.url}\n`);
process.stdin.resume();
process.stdin.on('end', () => void lease.close());
