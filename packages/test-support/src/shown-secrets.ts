/** Matches an access token, and the password in a database URL. Nothing else in a log looks like these. */
const SECRETS = [
  /\btakt_(?=[\w-]*\d)(?=[\w-]*[A-Z])[\w-]{43}(?![\w-])/,
  /\bpostgres(?:ql)?:\/\/[^\s:@/]+:[^\s@]{8,}@/,
];

const shownBy: string[] = [];

/** Searches a text for secrets. The text is the complete output of a program, or a log. */
export function lookForSecrets(what: string, text: string): void {
  if (SECRETS.some((secret) => secret.test(text))) shownBy.push(what);
}

/**
 * Throws if any text that was searched since the last call contained a secret. Neither the log of a program in a test
 * nor the output of its crash may show a secret.
 */
export function assertNoSecretsShown(): void {
  const shown = shownBy.splice(0);
  if (shown.length > 0) throw new Error(`a token or password was shown by:\n${shown.join('\n')}`);
}
