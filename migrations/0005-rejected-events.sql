-- Rejected events that left their queues, and rejected events that somebody resolved.

-- Rejected events that were moved out of their queues, the oldest first, because there were too many or they were too old.
-- So a queue in memory stays limited whatever its producers send, and nothing is lost. The table has no company, because an
-- event may be rejected because it names none. The data are text as in the queue: jsonb would refuse NUL and lone
-- surrogates, and would write numbers in another way.
CREATE TABLE takt.rejected_events (
  rejected_event_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  content_sha256 bytea NOT NULL UNIQUE,
  queue text NOT NULL,
  job_id text NOT NULL,
  job_name text NOT NULL,
  event_source text,
  event_id text,
  event_type text,
  reason text NOT NULL,
  deliveries integer NOT NULL,
  data text NOT NULL,
  added_at timestamptz,
  rejected_at timestamptz NOT NULL,
  exported_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON COLUMN takt.rejected_events.content_sha256 IS
  'SHA-256 of queue, job id and data, so that a job that is moved again after a crash stays one row';
COMMENT ON COLUMN takt.rejected_events.data IS 'data of the job as JSON text, usually one event';
COMMENT ON COLUMN takt.rejected_events.event_source IS 'source of the event; null if it has none that is a text';

CREATE INDEX rejected_events_by_time ON takt.rejected_events (rejected_at, rejected_event_id);
-- Producers may choose ids of any length, and a B-tree would refuse long ones.
CREATE INDEX rejected_events_of_job ON takt.rejected_events USING hash (job_id);

-- The worker adds rows and can neither read nor change them. ON CONFLICT DO NOTHING needs no more.
GRANT INSERT ON takt.rejected_events TO takt_worker;
-- People correct, retry and discard rejected events on the dashboard, and restore resolved ones. The dashboard's rights in
-- the queues are in packages/events/src/queue/postgres-store.ts.
GRANT SELECT, INSERT, DELETE ON takt.rejected_events TO takt_dashboard;

-- Rejected events that somebody discarded or corrected, so that it can be undone. A table of its own, because every reader of
-- takt.rejected_events wants only events that are still rejected.
CREATE TABLE takt.resolved_rejections (
  resolved_rejection_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  resolution text NOT NULL CHECK (resolution IN ('discarded', 'corrected')),
  resolved_at timestamptz NOT NULL DEFAULT now(),
  resolved_by text NOT NULL,
  run text,
  replacement_queue text,
  replacement_job_id text,
  content_sha256 bytea NOT NULL,
  queue text NOT NULL,
  job_id text NOT NULL,
  job_name text NOT NULL,
  event_source text,
  event_id text,
  event_type text,
  reason text NOT NULL,
  deliveries integer NOT NULL,
  data text NOT NULL,
  added_at timestamptz,
  rejected_at timestamptz NOT NULL,
  CHECK ((resolution = 'corrected') = (replacement_job_id IS NOT NULL))
);
COMMENT ON TABLE takt.resolved_rejections IS
  'rejections that were resolved in the last 30 days; older rows are deleted when the next is added';
COMMENT ON COLUMN takt.resolved_rejections.run IS 'groups rejections that were resolved together';
COMMENT ON COLUMN takt.resolved_rejections.replacement_job_id IS 'job with the corrected event';
CREATE INDEX resolved_rejections_by_time ON takt.resolved_rejections (resolved_at);
CREATE INDEX resolved_rejections_of_run ON takt.resolved_rejections (run) WHERE run IS NOT NULL;

GRANT SELECT, INSERT, DELETE ON takt.resolved_rejections TO takt_dashboard;
