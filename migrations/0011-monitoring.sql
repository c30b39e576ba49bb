-- What operators see of the workers without asking each of them. Workers write by note_worker_report alone.
CREATE TABLE takt.worker_reports (
  worker_id uuid NOT NULL,
  queue text NOT NULL,
  host text NOT NULL,
  pid integer NOT NULL,
  version text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now(),
  applied bigint NOT NULL DEFAULT 0,
  duplicate bigint NOT NULL DEFAULT 0,
  stale bigint NOT NULL DEFAULT 0,
  rejected bigint NOT NULL DEFAULT 0,
  completion_lag_seconds double precision,
  publishing_lag_seconds double precision,
  last_commit_at timestamptz,
  PRIMARY KEY (worker_id, queue)
) WITH (fillfactor = 50);
COMMENT ON TABLE takt.worker_reports IS 'one row a worker and queue; a worker that is started anew is another one';
COMMENT ON COLUMN takt.worker_reports.applied IS 'events since the worker started, as the three below';
COMMENT ON COLUMN takt.worker_reports.completion_lag_seconds IS
  'from completed at to committed, median of the events applied since the report before; null without any';
COMMENT ON COLUMN takt.worker_reports.publishing_lag_seconds IS 'the same, from when their jobs came into the queue';

CREATE TABLE takt.event_sources (
  company_id integer NOT NULL REFERENCES takt.companies,
  source text NOT NULL CHECK (octet_length(source) <= 2048),
  last_event_at timestamptz NOT NULL,
  last_event_id text NOT NULL,
  PRIMARY KEY (company_id, source)
) WITH (fillfactor = 50);
COMMENT ON TABLE takt.event_sources IS 'the newest event of each source, of the 1,000 sources of a company heard last';
COMMENT ON COLUMN takt.event_sources.last_event_at IS 'when its job came into the queue';

CREATE TABLE takt.audit_runs (
  audit_run_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  database text,
  structure_versions bigint NOT NULL,
  differences bigint NOT NULL,
  seconds double precision NOT NULL
);
COMMENT ON COLUMN takt.audit_runs.at IS 'when it ended';
COMMENT ON COLUMN takt.audit_runs.database IS 'code of the one company audited; null: all';

GRANT SELECT ON takt.worker_reports, takt.event_sources, takt.audit_runs TO takt_dashboard;
GRANT SELECT (company_id, code) ON takt.companies TO takt_dashboard;
