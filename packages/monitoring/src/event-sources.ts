import type pg from 'pg';

/** The newest event of a source that a worker took in. */
export interface EventSource {
  /** Code of the company. */
  readonly database: string;
  /** As its events name it. */
  readonly source: string;
  /** When the job of the event came into the queue. */
  readonly lastEventAt: Date;
  readonly lastEventId: string;
}

/** The sources that were heard last, of all companies, the last one first. The role takt_dashboard is enough. */
export async function readEventSources(pool: pg.Pool, limit = 100): Promise<readonly EventSource[]> {
  const { rows } = await pool.query<EventSource>(
    `SELECT code AS database, source, last_event_at AS "lastEventAt", last_event_id AS "lastEventId"
     FROM takt.event_sources JOIN takt.companies USING (company_id)
     ORDER BY last_event_at DESC, code, source LIMIT $1`,
    [limit],
  );
  return rows;
}
