import type { DemoToken } from './create-demo-token.js';
import { formatPages } from './format-pages.js';
import type { Page } from './start-apps.js';

/** What to say of a token: the token, and addresses that hold it and so can be opened as they are. */
export function describeDemoToken(
  { token, validDays, companyCodes }: DemoToken,
  examples: readonly Page[],
): readonly string[] {
  return [
    `Demo token, valid for ${validDays} days, for ${companyCodes.join(', ')}:`,
    '',
    `  ${token}`,
    '',
    'The production times with it, as',
    '',
    ...formatPages(examples.map(({ url, what }) => ({ what, url: `${url}&$access_token=${token}` }))),
    '',
  ];
}
