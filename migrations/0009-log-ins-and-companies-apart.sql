-- The role of the app that takes events over HTTP, made as the others are in 0001. An app logs in as a role of its own
-- that is granted one of these and nothing else (packages/database/src/logins.ts).
DO $$
BEGIN
  BEGIN
    CREATE ROLE takt_intake NOLOGIN;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN
    NULL;
  END;
  IF NOT pg_has_role(current_user, 'takt_intake', 'SET') THEN
    EXECUTE format('GRANT takt_intake TO %I', current_user);
  END IF;
END $$;

GRANT USAGE ON SCHEMA takt TO takt_intake;
GRANT SELECT ON takt.schema_migrations, takt.schema_functions TO takt_intake;

-- What a session of the API shows to see the rows of a company: 122 random bits that come with an access token of that
-- company and are readable nowhere else. A statement that was slipped in can set another key but cannot know one.
ALTER TABLE takt.companies ADD COLUMN access_key uuid NOT NULL UNIQUE DEFAULT gen_random_uuid();
COMMENT ON COLUMN takt.companies.access_key IS
  'secret: what a session sets as takt.company_key to see the rows of the company';

-- The API learns of companies by find_access_token alone, the worker needs no keys.
REVOKE SELECT ON takt.companies FROM takt_api, takt_worker;
GRANT SELECT (company_id, code) ON takt.companies TO takt_worker;

-- The company whose key the session has set; null where it set none, or one that there is not. Here and not among the
-- functions, because the policies below depend on it. SECURITY DEFINER: the caller can read no key.
CREATE FUNCTION takt.session_company() RETURNS integer
LANGUAGE sql STABLE PARALLEL SAFE SECURITY DEFINER
RETURN (
  SELECT company_id FROM takt.companies
  WHERE access_key = nullif(current_setting('takt.company_key', true), '')::uuid
);
REVOKE EXECUTE ON FUNCTION takt.session_company() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.session_company() TO takt_api;

-- The API sees the rows of the session's company; the subquery is asked once a statement, not once a row. The worker
-- takes events of all companies in and sees all rows: a policy that is constantly true is left out of its plans.
-- Not forced on the owner, who migrates, audits and rebuilds over all companies, and as whom the narrow functions of the
-- API run: an app's log-in is never the owner, and one that is does not start.
DO $$
DECLARE
  with_company text;
BEGIN
  FOREACH with_company IN ARRAY
    ARRAY['products', 'product_structure_versions', 'list_sizes', 'application_versions']
  LOOP
    EXECUTE format('ALTER TABLE takt.%I ENABLE ROW LEVEL SECURITY', with_company);
    EXECUTE format('CREATE POLICY of_session_company ON takt.%I FOR SELECT TO takt_api
      USING (company_id = (SELECT takt.session_company()))', with_company);
    EXECUTE format('CREATE POLICY of_all_companies ON takt.%I TO takt_worker USING (true) WITH CHECK (true)',
      with_company);
  END LOOP;
END $$;

-- What PUBLIC may call no longer (migrate withdraws it from all functions), the generated columns call for the worker.
GRANT EXECUTE ON FUNCTION takt.average_microhours(bigint, numeric),
  takt.population_deviation_microhours(bigint, numeric, numeric) TO takt_worker;
