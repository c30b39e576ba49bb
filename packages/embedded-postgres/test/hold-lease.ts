import { leaseEmbeddedServer } from '../src/lease.js';

/*
 * This process leases the server of a home, and prints the URL of the server. It releases the lease when its input
 * ends.
 */

const [home = '', settings = '{}'] = process.argv.slice(2);
const lease = await leaseEmbeddedServer({ home, settings: JSON.parse(settings) });
process.stdout.write(`${lease.url}\n`);
process.stdin.resume();
process.stdin.on('end', () => void lease.close());
