import { type GuardianOptions, startGuardian } from './guardian.js';
import type { GuardianNews } from './guardian-news.js';

/* The program of the guardian: started by whoever needs the server first, it ends by itself after the last. */

let told: Promise<void> = Promise.resolve();
const guardian = startGuardian(parseOptions(process.argv[2]), tell);

process.on('disconnect', guardian.starterLeft);
// It may have been killed while this program was being loaded.
if (!process.connected) guardian.starterLeft();
process.on('SIGTERM', guardian.stop);
process.on('SIGINT', guardian.stop);

await guardian.finished;
await told;
process.exit();

function tell(news: GuardianNews): void {
  const { send } = process;
  if (news.kind === 'failed') process.exitCode = 1;
  // The starter may have died meanwhile, which the disconnection tells.
  if (process.connected && send) told = new Promise((resolve) => send.call(process, news, () => resolve()));
}

function parseOptions(text = ''): GuardianOptions {
  const value: unknown = JSON.parse(text);
  if (isOptions(value)) return value;
  throw new Error('The guardian is started by Takt itself, not by hand.');
}

function isOptions(value: unknown): value is GuardianOptions {
  if (typeof value !== 'object' || value === null || !('home' in value && 'settings' in value)) return false;
  const { home, settings } = value;
  const portIsValid = !('fixedPort' in value) || Number.isInteger(value.fixedPort);
  return typeof home === 'string' && typeof settings === 'object' && settings !== null && portIsValid;
}
