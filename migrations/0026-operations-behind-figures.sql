-- The API lists the completed operations behind the figures of a structure version.
--
-- breaks no program: nothing is taken away.
GRANT SELECT ON takt.work_order_operations TO takt_api;
ALTER TABLE takt.work_order_operations ENABLE ROW LEVEL SECURITY;
CREATE POLICY of_session_company ON takt.work_order_operations FOR SELECT TO takt_api
  USING (company_id = (SELECT takt.session_company()));
CREATE POLICY of_all_companies ON takt.work_order_operations TO takt_worker USING (true) WITH CHECK (true);
