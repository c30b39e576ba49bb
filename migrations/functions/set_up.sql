-- The first person and company. They are registered on a page of the dashboard, with a code of the command line: a token
-- without companies, person and duties, which grants nothing else.

-- Returns true if no person is registered, and the hash is that of a valid code (state set-up), or of a secret that begin_set_up
-- has put in its place (set-up-begun).
CREATE FUNCTION takt.may_set_up(secret_sha256 bytea, state text)
RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT NOT EXISTS (SELECT FROM takt.users) AND EXISTS (
    SELECT FROM takt.access_tokens code
    WHERE token_sha256 = secret_sha256 AND kind = 'command-line' AND description = state AND pid IS NULL
      AND api_client_id IS NULL AND expires_at > now() AND revoked_at IS NULL
      AND NOT EXISTS (SELECT FROM takt.access_token_companies WHERE access_token_id = code.access_token_id))
$$;

-- Opens the page once: exchanges a code for a secret that only the browser knows, and which lasts for half an hour. The code
-- may be in histories, process lists and logs of proxies. Returns false if the code is not valid.
CREATE FUNCTION takt.begin_set_up(code_sha256 bytea, secret_sha256 bytea)
RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE takt.access_tokens SET token_sha256 = secret_sha256, description = 'set-up-begun',
    expires_at = now() + interval '30 minutes'
  WHERE token_sha256 = code_sha256 AND takt.may_set_up(code_sha256, 'set-up');
  RETURN FOUND;
END $$;

-- Registers the company, and the person as administrator and planner of all companies. Returns the number of the person;
-- null if the secret is not valid, or if somebody else was first.
CREATE FUNCTION takt.set_up(secret_sha256 bytea, company text, company_name text, zone text, person_first_name text,
  person_name text, person_password takt.slow_hash)
RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  added record;
  first_pid CONSTANT integer := 1001;
BEGIN
  LOCK TABLE takt.users IN SHARE ROW EXCLUSIVE MODE;
  IF NOT takt.may_set_up(secret_sha256, 'set-up-begun') THEN
    RETURN NULL;
  END IF;
  PERFORM set_config('takt.actor', concat_ws(' ', 'person', first_pid, person_first_name, person_name), true);
  INSERT INTO takt.companies (code, name, time_zone) VALUES (company, company_name, zone)
  ON CONFLICT (code) DO NOTHING RETURNING company_id, code, name, time_zone INTO added;
  IF FOUND THEN
    PERFORM takt.note_audit('company-added', 'company ' || added.code,
      jsonb_build_object('name', added.name, 'time_zone', added.time_zone));
    PERFORM takt.begin_time_zone(added.company_id, zone), takt.rebuild_months(added.company_id, NULL);
  END IF;
  INSERT INTO takt.users (pid, first_name, name, roles, password)
  VALUES (first_pid, person_first_name, person_name, '{administrator,planner}', person_password);
  INSERT INTO takt.user_companies (pid, ordinal, company_id)
  SELECT first_pid, row_number() OVER (ORDER BY code <> company, code), company_id FROM takt.companies;
  UPDATE takt.access_tokens SET revoked_at = now() WHERE kind = 'command-line' AND description IN ('set-up', 'set-up-begun')
    AND pid IS NULL AND revoked_at IS NULL;
  RETURN first_pid;
END $$;

REVOKE EXECUTE ON FUNCTION takt.may_set_up(bytea, text), takt.begin_set_up(bytea, bytea),
  takt.set_up(bytea, text, text, text, text, text, takt.slow_hash) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.may_set_up(bytea, text), takt.begin_set_up(bytea, bytea),
  takt.set_up(bytea, text, text, text, text, text, takt.slow_hash) TO takt_dashboard;
