import type pg from 'pg';

/** One run of `takt audit`. */
export interface AuditRun {
  /** When it ended. */
  readonly at: Date;
  /** Code of the one company that was audited; null: all. */
  readonly database: string | null;
  readonly structureVersions: number;
  /** Figures that are not what the stored operations give: anything but 0 is to be looked into. */
  readonly differences: number;
  readonly seconds: number;
}

/** Keeps that an audit has ended just now, and forgets those that ended a year ago. For the owner. */
export async function noteAudit(pool: pg.Pool, run: Omit<AuditRun, 'at'>): Promise<void> {
  await pool.query(
    `WITH forgotten AS (DELETE FROM takt.audit_runs WHERE at < now() - interval '1 year')
     INSERT INTO takt.audit_runs (database, structure_versions, differences, seconds) VALUES ($1, $2, $3, $4)`,
    [run.database, run.structureVersions, run.differences, run.seconds],
  );
}

/** The audit that ended last, of one company or of all; undefined where none was. The role takt_dashboard is enough. */
export async function readLastAudit(pool: pg.Pool): Promise<AuditRun | undefined> {
  const { rows } = await pool.query<AuditRun>(
    `SELECT at, database, structure_versions::float8 AS "structureVersions", differences::float8 AS differences, seconds
     FROM takt.audit_runs ORDER BY at DESC, audit_run_id DESC LIMIT 1`,
  );
  return rows[0];
}
