import { findProgram } from '@takt/test-support';
import { type Browser, chromium } from 'playwright-core';

/** The Chromium of the machine, without its sandbox, which does not work as root. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findProgram('chromium');
  if (executablePath === undefined) throw new Error('chromium is not on the PATH');
  return await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
}
