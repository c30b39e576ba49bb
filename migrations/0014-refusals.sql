-- Refusals of the intake, counted by producer and reason (packages/rejections).
-- breaks no program: a table is added

-- The intake stores no event that it refuses: its producer gets the reason with the answer. Only the numbers are kept, for 30
-- days, so that people see which producers must be mended.
CREATE TABLE takt.refusals (
  day date NOT NULL,
  producer text NOT NULL,
  reason text NOT NULL,
  companies text[] NOT NULL,
  error json NOT NULL,
  times bigint NOT NULL,
  last_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (day, producer, reason)
);
COMMENT ON COLUMN takt.refusals.day IS 'in UTC';
COMMENT ON COLUMN takt.refusals.producer IS 'name of the client or person of the token, otherwise its description';
COMMENT ON COLUMN takt.refusals.reason IS 'code of the error; for events with field and rule, in English';
COMMENT ON COLUMN takt.refusals.companies IS 'codes of the companies of the token; who may see none of them does not see the row';
COMMENT ON COLUMN takt.refusals.error IS 'the reason as code, field and rule, from which pages make it in the language of their reader';
COMMENT ON COLUMN takt.refusals.times IS 'refused events, or refused requests if the error is not of one event';

GRANT SELECT ON takt.refusals TO takt_dashboard;
