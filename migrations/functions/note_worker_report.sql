-- Stores the report of a worker: its state for each queue, and the newest event of each source since its previous
-- report. Runs as the owner, so that a worker can neither delete rows nor read the reports of others.
--
-- Invented sources cannot fill the table: each company keeps the 1,000 sources with the newest events. Workers that
-- have sent no report for a day are deleted; rows that another worker is deleting are skipped. The numbers of events
-- since the previous report are added to the current slots of the flow history; see takt.flow_history.
CREATE FUNCTION takt.note_worker_report(report json, heard_sources json)
RETURNS void
LANGUAGE plpgsql STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  INSERT INTO takt.worker_reports AS known
    (worker_id, queue, host, pid, version, applied, duplicate, stale, rejected,
     completion_lag_seconds, publishing_lag_seconds, last_commit_at, waiting_jobs)
  SELECT worker.worker_id, told.queue, worker.host, worker.pid, worker.version, told.applied, told.duplicate, told.stale,
    told.rejected, told.completion_lag_seconds, told.publishing_lag_seconds, told.last_commit_at, told.waiting_jobs
  FROM json_to_record(report) AS worker (worker_id uuid, host text, pid integer, version text, queues json),
    json_to_recordset(worker.queues) AS told (queue text, applied bigint, duplicate bigint, stale bigint,
      rejected bigint, completion_lag_seconds double precision, publishing_lag_seconds double precision,
      last_commit_at timestamptz, waiting_jobs bigint)
  ON CONFLICT (worker_id, queue) DO UPDATE SET
    seen_at = now(),
    seen_before = known.seen_at, applied_before = known.applied, duplicate_before = known.duplicate,
    stale_before = known.stale, rejected_before = known.rejected,
    applied = excluded.applied, duplicate = excluded.duplicate, stale = excluded.stale, rejected = excluded.rejected,
    completion_lag_seconds = excluded.completion_lag_seconds,
    publishing_lag_seconds = excluded.publishing_lag_seconds,
    last_commit_at = excluded.last_commit_at, waiting_jobs = excluded.waiting_jobs;

  -- Written in the order of the key, so that two workers do not deadlock.
  INSERT INTO takt.flow_history AS known
    (queue, slot_seconds, slot, begins_at, applied, duplicate, stale, rejected,
     completion_lag_seconds, publishing_lag_seconds, waiting_jobs)
  SELECT told.queue, ring.slot_seconds, current.number % ring.slots, to_timestamp(current.number * ring.slot_seconds),
    told.applied - coalesce(told.applied_before, 0), told.duplicate - coalesce(told.duplicate_before, 0),
    told.stale - coalesce(told.stale_before, 0), told.rejected - coalesce(told.rejected_before, 0),
    told.completion_lag_seconds, told.publishing_lag_seconds, told.waiting_jobs
  FROM takt.worker_reports told,
    (VALUES (20, 180), (300, 288), (7200, 360)) AS ring (slot_seconds, slots),
    LATERAL (SELECT floor(extract(epoch FROM now()) / ring.slot_seconds)::bigint AS number) AS current
  WHERE told.worker_id = (report ->> 'worker_id')::uuid AND told.seen_at = now()
  ORDER BY told.queue, ring.slot_seconds
  ON CONFLICT (queue, slot_seconds, slot) DO UPDATE SET
    (begins_at, applied, duplicate, stale, rejected, completion_lag_seconds, publishing_lag_seconds, waiting_jobs) = (
      SELECT excluded.begins_at, coalesce(same.applied, 0) + excluded.applied,
        coalesce(same.duplicate, 0) + excluded.duplicate, coalesce(same.stale, 0) + excluded.stale,
        coalesce(same.rejected, 0) + excluded.rejected,
        greatest(same.completion_lag_seconds, excluded.completion_lag_seconds),
        greatest(same.publishing_lag_seconds, excluded.publishing_lag_seconds),
        greatest(same.waiting_jobs, excluded.waiting_jobs)
      FROM (SELECT) AS one LEFT JOIN (SELECT known.*) AS same ON known.begins_at = excluded.begins_at);

  DELETE FROM takt.worker_reports WHERE (worker_id, queue) IN (
    SELECT worker_id, queue FROM takt.worker_reports WHERE seen_at < now() - interval '1 day' FOR UPDATE SKIP LOCKED);

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
