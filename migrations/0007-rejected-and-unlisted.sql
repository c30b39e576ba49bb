-- Rejected events that were moved out of their queues, the oldest first, once there were too many or they were too old:
-- a queue in memory stays bounded whatever its producers send, and nothing is lost. No company: an event may be
-- rejected because it names none. Data is text, as the queue had it: jsonb would refuse NUL and half surrogate pairs,
-- and write numbers in another way.
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
  'SHA-256 of queue, job id and data: a job that is moved again after a crash stays one row';
COMMENT ON COLUMN takt.rejected_events.data IS 'the job''s data as JSON text: mostly one event';
COMMENT ON COLUMN takt.rejected_events.event_source IS 'source of the event; null where it has none that is text';

CREATE INDEX rejected_events_by_time ON takt.rejected_events (rejected_at, rejected_event_id);
-- Ids are as long as their producer likes; a B-tree would refuse the long ones.
CREATE INDEX rejected_events_of_job ON takt.rejected_events USING hash (job_id);

-- The worker adds and can neither read nor change what it has added: ON CONFLICT DO NOTHING needs no more.
GRANT INSERT ON takt.rejected_events TO takt_worker;

-- Figures whose structure version was never announced: few rows, which are counted every half a minute.
CREATE INDEX unlisted_structure_versions ON takt.product_structure_versions
  (company_id, product_structure_version_id) WHERE changed_at IS NULL;

-- Companies that `takt start` made for its demo data. Only for these it hands out a token that nobody asked for.
ALTER TABLE takt.companies ADD COLUMN is_demo boolean NOT NULL DEFAULT false;
UPDATE takt.companies SET is_demo = true
WHERE (code, name) IN (('TEM-NO', 'Tempus Norge'), ('TEM-SE', 'Tempus Sverige'));
