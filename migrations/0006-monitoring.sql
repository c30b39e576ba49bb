-- The state of the workers, the flow of events, audits and alarms, as operators see them.

-- Workers write these reports only through note_worker_report.
CREATE TABLE takt.worker_reports (
  worker_id uuid NOT NULL,
  queue text NOT NULL,
  host text NOT NULL,
  pid integer NOT NULL,
  version text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now(),
  seen_before timestamptz,
  applied bigint NOT NULL DEFAULT 0,
  applied_before bigint,
  duplicate bigint NOT NULL DEFAULT 0,
  duplicate_before bigint,
  stale bigint NOT NULL DEFAULT 0,
  stale_before bigint,
  rejected bigint NOT NULL DEFAULT 0,
  rejected_before bigint,
  waiting_jobs bigint,
  completion_lag_seconds double precision,
  publishing_lag_seconds double precision,
  last_commit_at timestamptz,
  PRIMARY KEY (worker_id, queue)
) WITH (fillfactor = 50);
COMMENT ON TABLE takt.worker_reports IS 'one row per worker and queue; a restarted worker has another worker_id';
COMMENT ON COLUMN takt.worker_reports.applied IS
  'events since the start of the worker, like duplicate, stale and rejected';
COMMENT ON COLUMN takt.worker_reports.completion_lag_seconds IS
  'median time from the completion to the commit, of the events applied since the previous report; null without events';
COMMENT ON COLUMN takt.worker_reports.publishing_lag_seconds IS
  'median time from the publication of the job to the commit, of the same events';
COMMENT ON COLUMN takt.worker_reports.applied_before IS
  'applied in the previous report, so that one look shows a rate; null in the first report';
COMMENT ON COLUMN takt.worker_reports.waiting_jobs IS 'waiting jobs of the queue; null if the worker could not count them';

CREATE TABLE takt.event_sources (
  company_id integer NOT NULL REFERENCES takt.companies,
  source text NOT NULL CHECK (octet_length(source) <= 2048),
  last_event_at timestamptz NOT NULL,
  last_event_id text NOT NULL,
  PRIMARY KEY (company_id, source)
) WITH (fillfactor = 50);
COMMENT ON TABLE takt.event_sources IS 'newest event of each source; the 1,000 most recent sources of a company';
COMMENT ON COLUMN takt.event_sources.last_event_at IS 'publication of the job with the event';

CREATE TABLE takt.audit_runs (
  audit_run_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  database text,
  structure_versions bigint NOT NULL,
  differences bigint NOT NULL,
  seconds double precision NOT NULL
);
COMMENT ON COLUMN takt.audit_runs.at IS 'end of the audit';
COMMENT ON COLUMN takt.audit_runs.database IS 'code of the only audited company; null for all companies';

-- The flow of events in the last hour, day and month. Alarms compare its rates, and operators see what happened at night.
-- Workers write it with their reports, only through note_worker_report.
--
-- Each queue has three rings of slots: 180 of 20 s, 288 of 300 s, 360 of 7,200 s. When the position of a slot is used again,
-- the slot begins at 0. So the table has 828 rows per queue, and nothing must be deleted. A slot in which no worker
-- reported has no row, or a row that begins earlier; it is shown as a gap and not as 0.
CREATE TABLE takt.flow_history (
  queue text NOT NULL,
  slot_seconds integer NOT NULL,
  slot integer NOT NULL,
  begins_at timestamptz NOT NULL,
  applied bigint NOT NULL,
  duplicate bigint NOT NULL,
  stale bigint NOT NULL,
  rejected bigint NOT NULL,
  completion_lag_seconds double precision,
  publishing_lag_seconds double precision,
  waiting_jobs bigint,
  PRIMARY KEY (queue, slot_seconds, slot)
) WITH (fillfactor = 50);
COMMENT ON COLUMN takt.flow_history.slot IS 'position in the ring of slots with this length, from 0';
COMMENT ON COLUMN takt.flow_history.applied IS 'events of all workers in the slot, like duplicate, stale and rejected';
COMMENT ON COLUMN takt.flow_history.completion_lag_seconds IS
  'largest median that a worker reported in the slot; null without applied events';
COMMENT ON COLUMN takt.flow_history.publishing_lag_seconds IS 'like completion_lag_seconds, from the publication of the job';
COMMENT ON COLUMN takt.flow_history.waiting_jobs IS 'largest number that a worker counted; null if none could count';

-- Alarms that were found. The dashboard records and acknowledges them only through the functions of note_alarms.sql. It
-- does not read from here which alarms there are at the moment.
CREATE TABLE takt.alarms (
  alarm_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  subject text NOT NULL,
  begun_at timestamptz NOT NULL DEFAULT now(),
  found_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  measure double precision NOT NULL,
  facts json NOT NULL,
  acknowledged_at timestamptz,
  acknowledged_by text,
  acknowledgement text
) WITH (fillfactor = 50);
COMMENT ON TABLE takt.alarms IS 'alarms of the last 30 days, at most 500';
COMMENT ON COLUMN takt.alarms.name IS 'name in docs/operating/alarms.md';
COMMENT ON COLUMN takt.alarms.subject IS 'queue or node; empty if the alarm is about neither';
COMMENT ON COLUMN takt.alarms.found_at IS 'instant at which the alarm was last found';
COMMENT ON COLUMN takt.alarms.ended_at IS 'null while the alarm lasts';
COMMENT ON COLUMN takt.alarms.measure IS 'severity at its worst, comparable only between alarms of one name';
COMMENT ON COLUMN takt.alarms.facts IS 'values of the text at the worst moment';
COMMENT ON COLUMN takt.alarms.acknowledged_by IS 'name of the person';
CREATE UNIQUE INDEX alarms_that_go_on ON takt.alarms (name, subject) WHERE ended_at IS NULL;

-- Notices that the webhook has not accepted yet. A row is deleted when the notice was accepted or given up.
CREATE TABLE takt.alarm_notices (
  alarm_notice_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  alarm_id bigint NOT NULL REFERENCES takt.alarms ON DELETE CASCADE,
  is_end boolean NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
COMMENT ON COLUMN takt.alarm_notices.is_end IS 'false for the beginning of the alarm, true for its end';
CREATE INDEX alarm_notices_of_alarm ON takt.alarm_notices (alarm_id);

GRANT SELECT ON takt.worker_reports, takt.event_sources, takt.audit_runs, takt.flow_history, takt.alarms TO takt_dashboard;
