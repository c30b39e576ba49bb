import { messageOf } from './embedded-server-error.js';
import { type GuardianOptions, guard } from './guardian.js';
import { guardianArgument } from './running-server.js';

/*
 * The program of the guardian: started by whoever needs the server first, it ends by itself after the last. To its
 * starter it says nothing but why it failed.
 */

const stopping = new AbortController();
const starterLeft = new AbortController();
process.on('SIGTERM', () => stopping.abort());
process.on('SIGINT', () => stopping.abort());
process.on('disconnect', () => starterLeft.abort());
// It may have been killed while this program was being loaded.
if (!process.connected) starterLeft.abort();

const [options = '', argument = ''] = process.argv.slice(2);
const home = argument.slice(guardianArgument('').length);
const parsed: GuardianOptions = JSON.parse(options);
try {
  await guard(home, parsed, { starterLeft: starterLeft.signal, stopping: stopping.signal });
} catch (error) {
  process.exitCode = 1;
  // With nobody left to hear it, it is written to the log.
  if (!process.connected) {
    console.error(messageOf(error));
  } else {
    await new Promise<void>((resolve) => process.send?.(messageOf(error), () => resolve()));
  }
}
process.exit();
