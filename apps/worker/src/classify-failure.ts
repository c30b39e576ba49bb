import pg from 'pg';

export interface Failure {
  /** True: trying the same events again cannot help, one of them is at fault. */
  readonly isOfTheData: boolean;
  readonly reason: string;
}

/**
 * SQLSTATE classes with which PostgreSQL says that a value is at fault: data exception, integrity constraint
 * violation, program limit exceeded. All else (no connection, shutdown, deadlock, time-out, missing privilege or
 * table) passes or is mended by an operator, and the events are kept until then.
 */
const DATA_CLASSES: ReadonlySet<string> = new Set(['22', '23', '54']);

export function classifyFailure(error: unknown): Failure {
  const isOfTheData = error instanceof pg.DatabaseError && DATA_CLASSES.has((error.code ?? '').slice(0, 2));
  const reason = error instanceof Error ? error.message : String(error);
  return { isOfTheData, reason: isOfTheData ? `the database cannot hold the event: ${reason}` : reason };
}
