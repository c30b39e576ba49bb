-- Rejected events as rows of one table (packages/rejections).
-- breaks no program: a table is added, and takt.rejected_events and takt.resolved_rejections stay for programs of 1.0.0

-- One row for each rejected event. It is written in the transaction that applies the other events of its batch, so it is as
-- exact as a figure. The data are text as received: jsonb would refuse NUL and lone surrogates, and would write numbers in
-- another way.
CREATE TABLE takt.rejections (
  company_id integer NOT NULL,
  rejection_id bigint NOT NULL,
  content_sha256 bytea NOT NULL,
  queue text NOT NULL,
  company text,
  event_source text,
  event_id text,
  event_type text,
  data text NOT NULL,
  reason text NOT NULL,
  rule text NOT NULL,
  problems json,
  first_at timestamptz NOT NULL DEFAULT now(),
  last_at timestamptz NOT NULL DEFAULT now(),
  times integer NOT NULL DEFAULT 1,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'corrected', 'discarded')),
  resolved_at timestamptz,
  resolved_by text,
  run text,
  replacement_queue text,
  replacement_job_id text,
  PRIMARY KEY (company_id, rejection_id),
  UNIQUE (company_id, content_sha256),
  CHECK ((state = 'open') = (resolved_at IS NULL))
);
CREATE SEQUENCE takt.rejections_rejection_id_seq OWNED BY takt.rejections.rejection_id;
ALTER TABLE takt.rejections ALTER rejection_id SET DEFAULT nextval('takt.rejections_rejection_id_seq');
COMMENT ON COLUMN takt.rejections.company_id IS
  '0 if the event names no registered company, so that such rows have a place on a cluster too';
COMMENT ON COLUMN takt.rejections.rejection_id IS 'unique among all companies';
COMMENT ON COLUMN takt.rejections.content_sha256 IS
  'SHA-256 of queue and event, so that an event that is delivered or published again stays one row';
COMMENT ON COLUMN takt.rejections.company IS 'company code as the event has it; null if it has none that is a text';
COMMENT ON COLUMN takt.rejections.data IS 'the event as received, usually JSON';
COMMENT ON COLUMN takt.rejections.reason IS 'the reason in English, with the values of the event';
COMMENT ON COLUMN takt.rejections.rule IS 'the reason in English without the values of the event';
COMMENT ON COLUMN takt.rejections.problems IS
  'the broken rules as phrases and their values, from which pages make the reason in the language of their reader';
COMMENT ON COLUMN takt.rejections.times IS 'how often the event was rejected';
COMMENT ON COLUMN takt.rejections.run IS 'groups rejections that were resolved together';
COMMENT ON COLUMN takt.rejections.replacement_job_id IS 'job with the corrected event';

-- Lists show the newest rejections of all companies first, so these indexes do not begin with the company.
CREATE INDEX rejections_open ON takt.rejections (last_at, rejection_id) WHERE state = 'open';
CREATE INDEX rejections_resolved ON takt.rejections (resolved_at, rejection_id) WHERE state <> 'open';
CREATE INDEX rejections_by_id ON takt.rejections (rejection_id);
CREATE INDEX rejections_of_run ON takt.rejections (run) WHERE run IS NOT NULL;

-- The worker writes rows, and reads only the columns that ON CONFLICT names, not the events.
GRANT INSERT, UPDATE, SELECT (company_id, content_sha256, times, last_at, reason, rule, problems) ON takt.rejections TO takt_worker;
-- People correct, retry, discard and restore rejected events on the dashboard.
GRANT SELECT, UPDATE, DELETE ON takt.rejections TO takt_dashboard;
GRANT USAGE ON SEQUENCE takt.rejections_rejection_id_seq TO takt_worker;

-- The worker moves what programs of 1.0.0 still put into the tables of before.
GRANT SELECT, DELETE ON takt.rejected_events, takt.resolved_rejections TO takt_worker;
