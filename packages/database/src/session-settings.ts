type SessionSettings = Readonly<Record<string, string>>;

/** Settings of every session. All SQL of Takt relies on them. */
export const BASIC_SETTINGS: SessionSettings = { search_path: 'takt,public', TimeZone: 'UTC' };

interface AppSessions {
  readonly statementTimeoutMs: number;
  readonly settings: SessionSettings;
}

/**
 * Settings of the sessions of each app. The app sends them when it connects. The log-in of the app has the same
 * settings, because a pooler may not pass on what the app sends.
 */
export const appSessions = {
  api: {
    // The API promises an answer within 3 s, of which connecting may take 0.8 s.
    statementTimeoutMs: 1_900,
    settings: {
      // JIT compilation is off, because compiling a statement takes longer than reading a page.
      jit: 'off',
      // Waiting for a lock ends before the limit of the statement, so that the log names the lock as the reason.
      lock_timeout: '1500',
      idle_in_transaction_session_timeout: '5000',
    },
  },
  worker: { statementTimeoutMs: 20_000, settings: {} },
  // The limit is low, because the intake only looks up tokens.
  intake: { statementTimeoutMs: 1_500, settings: {} },
  dashboard: { statementTimeoutMs: 8_000, settings: { jit: 'off' } },
} as const satisfies Readonly<Record<string, AppSessions>>;

export function settingsOf(app: keyof typeof appSessions): SessionSettings {
  const { statementTimeoutMs, settings } = appSessions[app];
  return { ...BASIC_SETTINGS, statement_timeout: String(statementTimeoutMs), ...settings };
}
