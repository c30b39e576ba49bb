-- Rejected events that somebody discarded or corrected, for 30 days, so that it can be undone. A table of its own: everything that
-- reads takt.rejected_events means what is rejected still.
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
COMMENT ON TABLE takt.resolved_rejections IS 'those of the last 30 days; older ones go when the next is added';
COMMENT ON COLUMN takt.resolved_rejections.run IS 'of those that were resolved together';
COMMENT ON COLUMN takt.resolved_rejections.replacement_job_id IS 'the job that holds the corrected event';
CREATE INDEX resolved_rejections_by_time ON takt.resolved_rejections (resolved_at);
CREATE INDEX resolved_rejections_of_run ON takt.resolved_rejections (run) WHERE run IS NOT NULL;

GRANT SELECT, INSERT, DELETE ON takt.resolved_rejections TO takt_dashboard;
GRANT INSERT ON takt.rejected_events TO takt_dashboard;
