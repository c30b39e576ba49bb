import { findProgram } from '@takt/test-support';
import { type Browser, chromium } from 'playwright-core';

/**
 * The Chromium of the machine, without its sandbox, which does not work as root. It takes `host` for this machine:
 * pages may behave otherwise on a loopback address.
 */
export async function openBrowser(host: string): Promise<Browser> {
  const executablePath = findProgram('chromium');
  if (executablePath === undefined) throw new Error('chromium is not on the PATH');
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', `--host-resolver-rules=MAP ${host} 127.0.0.1`],
  });
}
