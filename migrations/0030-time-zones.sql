-- Each company has a time zone, in which its months are.

ALTER TABLE takt.companies ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC';
COMMENT ON COLUMN takt.companies.time_zone IS 'IANA name; figures by month follow it once they are rebuilt';

-- The time zone in which the figures by month of a company are kept. No row: UTC.
--
-- Beside the companies, not in them: on a cluster a batch reads this row on the node of its company, where a step of a
-- rebuild writes it in the transaction of the figures.
CREATE TABLE takt.month_zones (
  company_id integer PRIMARY KEY REFERENCES takt.companies,
  time_zone text NOT NULL,
  time_zone_before text,
  rebuilt_to bigint,
  CHECK ((time_zone_before IS NULL) = (rebuilt_to IS NULL))
);
COMMENT ON COLUMN takt.month_zones.rebuilt_to IS
  'while months are rebuilt: structure versions above this id still have months in time_zone_before';

GRANT SELECT ON takt.month_zones TO takt_worker, takt_api;
ALTER TABLE takt.month_zones ENABLE ROW LEVEL SECURITY;
CREATE POLICY of_session_company ON takt.month_zones FOR SELECT TO takt_api
  USING (company_id = takt.session_company());
CREATE POLICY of_all_companies ON takt.month_zones TO takt_worker USING (true) WITH CHECK (true);

COMMENT ON COLUMN takt.pruned_figures.month IS 'in the time zone of the months when the operations were pruned';

-- breaks no program: only functions read it, and they are made anew as soon as this is committed. In between workers of the
-- version before try again.
--
-- Pruning locks a company's months against batches now, so that a batch need not find out that a step was committed meanwhile.
ALTER TABLE takt.prunings DROP COLUMN steps;
