import { openEmbeddedServer } from '../src/embedded-server.js';

/*
 * This process opens the server of a home, and prints the URL of the server. It closes the server when its input
 * ends.
 */

const [home = '', settings = '{}'] = process.argv.slice(2);
const server = await openEmbeddedServer({ home, settings: JSON.parse(settings) });
process.stdout.write(`${server.url}\n`);
process.stdin.resume();
process.stdin.on('end', () => void server.close());
