-- Takes what a worker tells of itself: how it stands with each queue, and the newest event of each source that it heard
-- since its report before. Runs as the owner, so that the worker can neither remove rows nor read what others told.
--
-- What a producer invents does not fill the table: of each company the 1,000 sources heard last stay. Workers that were
-- not seen for a day go. Rows that another worker removes at this moment are left to it.
CREATE FUNCTION takt.note_worker_report(report json, heard_sources json)
RETURNS void
LANGUAGE plpgsql STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  INSERT INTO takt.worker_reports AS known
    (worker_id, queue, host, pid, version, applied, duplicate, stale, rejected,
     completion_lag_seconds, publishing_lag_seconds, last_commit_at)
  SELECT worker.worker_id, told.queue, worker.host, worker.pid, worker.version, told.applied, told.duplicate, told.stale,
    told.rejected, told.completion_lag_seconds, told.publishing_lag_seconds, told.last_commit_at
  FROM json_to_record(report) AS worker (worker_id uuid, host text, pid integer, version text, queues json),
    json_to_recordset(worker.queues) AS told (queue text, applied bigint, duplicate bigint, stale bigint,
      rejected bigint, completion_lag_seconds double precision, publishing_lag_seconds double precision,
      last_commit_at timestamptz)
  ON CONFLICT (worker_id, queue) DO UPDATE SET
    seen_at = now(),
    applied_before = known.applied, seen_before = known.seen_at,
    applied = excluded.applied, duplicate = excluded.duplicate, stale = excluded.stale, rejected = excluded.rejected,
    completion_lag_seconds = excluded.completion_lag_seconds,
    publishing_lag_seconds = excluded.publishing_lag_seconds,
    last_commit_at = excluded.last_commit_at;

  DELETE FROM takt.worker_reports WHERE (worker_id, queue) IN (
    SELECT worker_id, queue FROM takt.worker_reports WHERE seen_at < now() - interval '1 day' FOR UPDATE SKIP LOCKED);

  -- In the order of the key, so that two workers do not wait for each other.
  INSERT INTO takt.event_sources AS known (company_id, source, last_event_at, last_event_id)
  SELECT company.company_id, told.source, least(told.last_event_at, now()), told.last_event_id
  FROM json_to_recordset(heard_sources) AS told (database text, source text, last_event_at timestamptz,
      last_event_id text)
  JOIN takt.companies company ON company.code = told.database
  ORDER BY company.company_id, told.source
  ON CONFLICT (company_id, source) DO UPDATE SET
    last_event_at = excluded.last_event_at, last_event_id = excluded.last_event_id
  WHERE excluded.last_event_at > known.last_event_at;

  DELETE FROM takt.event_sources WHERE (company_id, source) IN (
    SELECT crowded.company_id, surplus.source
    FROM (SELECT company_id FROM takt.event_sources GROUP BY company_id HAVING count(*) > 1000) AS crowded,
      LATERAL (SELECT source FROM takt.event_sources one WHERE one.company_id = crowded.company_id
        ORDER BY last_event_at DESC, source OFFSET 1000 FOR UPDATE SKIP LOCKED) AS surplus);
END $$;

REVOKE EXECUTE ON FUNCTION takt.note_worker_report(json, json) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.note_worker_report(json, json) TO takt_worker;
