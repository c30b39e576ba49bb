-- How events flowed, of the last hour, day and month: alarms are told by rates, and an operator sees what happened
-- at night. Workers write it with their reports, by note_worker_report alone.
--
-- Three rings of slots for each queue: 180 of 20 s, 288 of 300 s, 360 of 7,200 s. A slot that comes round again begins at
-- 0, so the table holds 828 rows a queue and nothing has to be deleted. A slot that no worker reported in has
-- no row, or one that begins earlier: it is drawn as a gap and not as 0.
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
COMMENT ON COLUMN takt.flow_history.slot IS 'place in the ring of slots of this length, from 0';
COMMENT ON COLUMN takt.flow_history.applied IS 'events of all workers in the slot, as the three below';
COMMENT ON COLUMN takt.flow_history.completion_lag_seconds IS
  'longest of the medians that workers reported in the slot; null without applied events';
COMMENT ON COLUMN takt.flow_history.publishing_lag_seconds IS 'the same, from when their jobs came into the queue';
COMMENT ON COLUMN takt.flow_history.waiting_jobs IS 'most that a worker counted in the slot; null where none could count';

GRANT SELECT ON takt.flow_history TO takt_dashboard;

ALTER TABLE takt.worker_reports
  ADD duplicate_before bigint,
  ADD stale_before bigint,
  ADD rejected_before bigint,
  ADD waiting_jobs bigint;
COMMENT ON COLUMN takt.worker_reports.waiting_jobs IS 'of the queue, as the worker counted them; null where it could not';
