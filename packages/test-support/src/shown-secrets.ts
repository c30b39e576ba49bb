/** An access token, and the password in an address of a database: nothing else looks so that a log has. */
const SECRETS = [
  /\btakt_(?=[\w-]*\d)(?=[\w-]*[A-Z])[\w-]{43}(?![\w-])/,
  /\bpostgres(?:ql)?:\/\/[^\s:@/]+:[^\s@]{8,}@/,
];

const shownBy: string[] = [];

/** Looks through all that a program has written, or a log holds, at its end. */
export function lookForSecrets(what: string, text: string): void {
  if (SECRETS.some((secret) => secret.test(text))) shownBy.push(what);
}

/**
 * Throws where anything that was looked through since the last call held a secret: whatever a test drove a program to, its log,
 * and what a crash of it left, are to show none.
 */
export function assertNoSecretsShown(): void {
  const shown = shownBy.splice(0);
  if (shown.length > 0) throw new Error(`a token or password was shown by:\n${shown.join('\n')}`);
}
