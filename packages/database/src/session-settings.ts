type SessionSettings = Readonly<Record<string, string>>;

/** All SQL of Takt relies on these. */
export const BASIC_SETTINGS: SessionSettings = { search_path: 'takt,public', TimeZone: 'UTC' };

interface AppSessions {
  readonly statementTimeoutMs: number;
  readonly settings: SessionSettings;
}

/** An app sends these settings when it connects. Its log-in has them too, because a pooler may not pass them on. */
export const appSessions = {
  api: {
    // An answer is promised within 3 s, of which connecting may take 0.8 s.
    statementTimeoutMs: 1_900,
    settings: {
      // JIT compilation of a statement takes longer than reading a page.
      jit: 'off',
      // Ends before the statement's limit, so that the log names the lock.
      lock_timeout: '1500',
      idle_in_transaction_session_timeout: '5000',
    },
  },
  worker: { statementTimeoutMs: 20_000, settings: {} },
  // The intake only looks up tokens.
  intake: { statementTimeoutMs: 1_500, settings: {} },
  dashboard: { statementTimeoutMs: 8_000, settings: { jit: 'off' } },
} as const satisfies Readonly<Record<string, AppSessions>>;

export function settingsOf(app: keyof typeof appSessions): SessionSettings {
  const { statementTimeoutMs, settings } = appSessions[app];
  return { ...BASIC_SETTINGS, statement_timeout: String(statementTimeoutMs), ...settings };
}
