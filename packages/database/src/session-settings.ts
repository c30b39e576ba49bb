/** Settings of PostgreSQL by name. */
type SessionSettings = Readonly<Record<string, string>>;

/** What the SQL of this product reads and writes by, whoever runs it. */
export const BASIC_SETTINGS: SessionSettings = { search_path: 'takt,public', TimeZone: 'UTC' };

/** The sessions of an app. */
interface AppSessions {
  readonly statementTimeoutMs: number;
  readonly settings: SessionSettings;
}

/** An app sends these settings when it connects. Its log-in has them too, for a pooler may not pass them on. */
export const appSessions = {
  api: {
    // An answer is promised within 3 s, of which up to 0.8 s are spent on a connection.
    statementTimeoutMs: 1_900,
    settings: {
      // To compile a statement takes longer than a page.
      jit: 'off',
      // Ended before the statement, so that the log tells of the lock.
      lock_timeout: '1500',
      idle_in_transaction_session_timeout: '5000',
    },
  },
  worker: { statementTimeoutMs: 20_000, settings: {} },
  // Tokens are looked up, nothing else.
  intake: { statementTimeoutMs: 1_500, settings: {} },
  dashboard: { statementTimeoutMs: 8_000, settings: { jit: 'off' } },
} as const satisfies Readonly<Record<string, AppSessions>>;

/** All settings that the sessions of an app are to have. */
export function settingsOf(app: keyof typeof appSessions): SessionSettings {
  const { statementTimeoutMs, settings } = appSessions[app];
  return { ...BASIC_SETTINGS, statement_timeout: String(statementTimeoutMs), ...settings };
}
