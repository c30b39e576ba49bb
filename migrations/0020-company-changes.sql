-- Where the data of a company stand: whoever changes what the API serves stamps it in the same transaction
-- (functions/note_changes.sql). So equal stamps mean equal data, and an answer that was made of them is still true.
--
-- Each connection that writes has a row of its own, by its process: writers neither wait for each other nor lock in an
-- order. A company's data stand where all of its stamps together do, and those of company 0, which is none: there stands
-- what belongs to all companies. Stamps are random rather than counted, so that also a database that was restored or went
-- back in time never has one twice for other data.
--
-- Nothing is indexed but the key, so an update stays within its page while that has room. While an old snapshot is held, as
-- by a backup, all versions of a row stay, and whoever looks it up passes by them: every ten seconds a connection begins a
-- new row, so that it passes by those of ten seconds.
CREATE TABLE takt.company_changes (
  company_id integer NOT NULL,
  slot integer NOT NULL,
  period integer NOT NULL,
  stamp bigint NOT NULL,
  PRIMARY KEY (company_id, slot, period)
) WITH (
  fillfactor = 20,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0
);
COMMENT ON COLUMN takt.company_changes.company_id IS '0: all companies';
COMMENT ON COLUMN takt.company_changes.slot IS 'process of the connection that wrote';
COMMENT ON COLUMN takt.company_changes.period IS 'tens of seconds since 1970';

GRANT SELECT, INSERT, UPDATE, DELETE ON takt.company_changes TO takt_worker;
GRANT SELECT ON takt.company_changes TO takt_api;
ALTER TABLE takt.company_changes ENABLE ROW LEVEL SECURITY;
CREATE POLICY of_session_company ON takt.company_changes FOR SELECT TO takt_api
  USING (company_id = 0 OR company_id = (SELECT takt.session_company()));
CREATE POLICY of_all_companies ON takt.company_changes TO takt_worker USING (true) WITH CHECK (true);
