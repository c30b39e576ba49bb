-- Removes a company with all of its rows. Its events are rejected from then on, as those of an unknown company. Tokens that
-- are for no other company end, and clients that have no other are disabled: a client without companies would have those of
-- the person who signs in.
CREATE FUNCTION takt.remove_company(company integer) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  emptied text;
  code text := (SELECT known.code FROM takt.companies known WHERE company_id = company);
BEGIN
  -- As takt.decide_naming, so that no event of the company is being applied.
  PERFORM pg_advisory_xact_lock(hashtext('takt months'), company % 64);
  UPDATE takt.api_clients client SET disabled_at = coalesce(disabled_at, now())
  WHERE EXISTS (SELECT FROM takt.api_client_companies own WHERE own.api_client_id = client.api_client_id AND company_id = company)
    AND NOT EXISTS (SELECT FROM takt.api_client_companies own WHERE own.api_client_id = client.api_client_id AND company_id <> company);
  DELETE FROM takt.access_tokens token
  WHERE EXISTS (SELECT FROM takt.access_token_companies own WHERE own.access_token_id = token.access_token_id AND company_id = company)
    AND NOT EXISTS (SELECT FROM takt.access_token_companies own WHERE own.access_token_id = token.access_token_id AND company_id <> company);
  -- Tables whose rows refer to others come first.
  FOREACH emptied IN ARRAY array['access_token_companies', 'api_client_companies', 'user_companies', 'import_changes', 'imports',
    'saved_views', 'application_versions', 'structure_version_texts', 'work_order_operations', 'monthly_figures',
    'pruned_figures', 'pruned_operations', 'prunings', 'month_zones', 'product_structure_versions', 'products', 'object_keys',
    'key_counters', 'list_sizes', 'company_changes', 'rejections', 'event_sources']
  LOOP
    EXECUTE format('DELETE FROM takt.%I WHERE company_id = $1', emptied) USING company;
  END LOOP;
  DELETE FROM takt.refusals WHERE companies <@ ARRAY[code];
  UPDATE takt.refusals SET companies = array_remove(companies, code) WHERE code = ANY (companies);
  DELETE FROM takt.companies WHERE company_id = company;
  PERFORM takt.note_changes('{0}');
  PERFORM takt.note_audit('company-removed', 'company ' || code, '{}');
END $$;

REVOKE EXECUTE ON FUNCTION takt.remove_company(integer) FROM PUBLIC;
