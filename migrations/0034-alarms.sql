-- Alarms that were found, and whom to tell. The dashboard notes and acknowledges them by the functions of note_alarms.sql
-- alone; what it finds now it does not read from here.
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
COMMENT ON TABLE takt.alarms IS 'those of the last 30 days, 500 at most';
COMMENT ON COLUMN takt.alarms.name IS 'as docs/operating/alarms.md calls it';
COMMENT ON COLUMN takt.alarms.subject IS 'queue or node that it is about; empty: none in particular';
COMMENT ON COLUMN takt.alarms.found_at IS 'when it was found last';
COMMENT ON COLUMN takt.alarms.ended_at IS 'null: it goes on';
COMMENT ON COLUMN takt.alarms.measure IS 'how bad it was at its worst; comparable within a name';
COMMENT ON COLUMN takt.alarms.facts IS 'values of its text, at its worst';
COMMENT ON COLUMN takt.alarms.acknowledged_by IS 'name of the person';
CREATE UNIQUE INDEX alarms_that_go_on ON takt.alarms (name, subject) WHERE ended_at IS NULL;

CREATE TABLE takt.alarm_notices (
  alarm_notice_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  alarm_id bigint NOT NULL REFERENCES takt.alarms ON DELETE CASCADE,
  is_end boolean NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
COMMENT ON TABLE takt.alarm_notices IS 'what the webhook has not taken yet: a row goes when it was taken, or given up';
COMMENT ON COLUMN takt.alarm_notices.is_end IS 'false: the alarm began';
CREATE INDEX alarm_notices_of_alarm ON takt.alarm_notices (alarm_id);

GRANT SELECT ON takt.alarms TO takt_dashboard;
