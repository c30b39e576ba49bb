import { spawn } from 'node:child_process';
import { pause } from '@takt/run/waiting';

type Environment = Readonly<Record<string, string | undefined>>;

/** Some systems open in the background, some as long as the browser runs. */
const OPENED_AFTER_MS = 3_000;

/** Has the browser of the desktop open an address without a `&`; false: there is none, or it would not. */
export async function openInBrowser(
  url: string,
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  const line = openerOf(environment, platform);
  if (line === undefined) return false;
  const [program, ...args] = line;
  const child = spawn(program, [...args, url], {
    ...{ detached: true, stdio: 'ignore', env: { ...environment } },
    // Else the empty title would be quoted again.
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
  // The empty text is the title of the window, which `start` would take the address for.
  if (platform === 'win32') return ['cmd', '/c', 'start', '""'];
  const hasDisplay = ['DISPLAY', 'WAYLAND_DISPLAY'].some((name) => (environment[name] ?? '') !== '');
  return hasDisplay ? ['xdg-open'] : undefined;
}
