import { spawn } from 'node:child_process';
import { pause } from '@takt/run/waiting';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Some systems open the browser in the background, and others wait until the browser is closed. So after this time the
 * address counts as opened.
 */
const OPENED_AFTER_MS = 3_000;

/**
 * Opens an address without `&` in the browser of the desktop. Returns false if there is no browser or opening fails.
 */
export async function openInBrowser(
  url: string,
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  const line = openerOf(environment, platform);
  if (line === undefined) return false;
  const [program, ...args] = line;
  const child = spawn(program, [...args, url], {
    detached: true,
    stdio: 'ignore',
    env: { ...environment },
    // On Windows, the arguments of `start` contain an empty title in quotes. Node.js must not quote it a second time.
    windowsVerbatimArguments: true,
  });
  child.unref();
  const ended = new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
  const waiting = new AbortController();
  const isOpen = await Promise.race([ended, pause(OPENED_AFTER_MS, waiting.signal).then(() => true)]);
  waiting.abort();
  return isOpen;
}

function openerOf(environment: Environment, platform: NodeJS.Platform): [string, ...string[]] | undefined {
  if (platform === 'darwin') return ['open'];
  // `start` would take a quoted address for the title of the window, so an empty title precedes the address.
  if (platform === 'win32') return ['cmd', '/c', 'start', '""'];
  const hasDisplay = ['DISPLAY', 'WAYLAND_DISPLAY'].some((name) => (environment[name] ?? '') !== '');
  return hasDisplay ? ['xdg-open'] : undefined;
}
