-- breaks no program: each session sees the rows that it saw.
--
-- A Citus cluster takes no policy with a subquery. The planner knows session_company() for STABLE: it compares the company
-- that a statement asks for with it once, and calls it once for a scan of an index.
ALTER POLICY of_session_company ON takt.products USING (company_id = takt.session_company());
ALTER POLICY of_session_company ON takt.product_structure_versions USING (company_id = takt.session_company());
ALTER POLICY of_session_company ON takt.monthly_figures USING (company_id = takt.session_company());
ALTER POLICY of_session_company ON takt.work_order_operations USING (company_id = takt.session_company());
ALTER POLICY of_session_company ON takt.application_versions USING (company_id = takt.session_company());
ALTER POLICY of_session_company ON takt.list_sizes USING (company_id = takt.session_company());
ALTER POLICY of_session_company ON takt.company_changes
  USING (company_id = 0 OR company_id = takt.session_company());

-- Nor does a node call a function of SQL whose body is no text.
CREATE OR REPLACE FUNCTION takt.session_company() RETURNS integer
LANGUAGE sql STABLE PARALLEL SAFE SECURITY DEFINER AS $$
  SELECT company_id FROM takt.companies
  WHERE access_key = nullif(current_setting('takt.company_key', true), '')::uuid
$$;
