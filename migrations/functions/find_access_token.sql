-- Returns the rights of a token: one row if the token is valid. No row if it is unknown, expired, revoked or without a
-- company, or if its client, its person or all of its companies are disabled. A revocation takes effect when it is
-- committed. So does every change of the rights of the client and the person, since the token has no copy of them.
--
-- token_sha256: the SHA-256 of the token. The look-up is by this hash, so its duration reveals nothing about the token.
-- companies: a JSON array of objects {company_id, code, name, time_zone, time_unit, key}, never empty, the default company first.
-- A session that sets the key sees the rows of that company.
-- person_name: the first name and the name of the person; empty without a person.
-- permissions: those of the client. Null without a client: then all are granted, except publishing, which requires
-- may_publish.
-- duties: those of the person, or of a client that acts for itself; null means all.
--
-- The caller needs no right on the tables: an app can only call this function, for a token that it knows. Expiry is
-- compared with the time of the statement rather than of the transaction: otherwise a token would outlive its expiry in
-- a long transaction.
CREATE FUNCTION takt.find_access_token(token_sha256 bytea)
RETURNS TABLE (access_token_id bigint, expires_at timestamptz, companies json, api_client_id integer, pid integer,
  person_name text, permissions text[], may_publish boolean, duties text[])
LANGUAGE sql STABLE STRICT SECURITY DEFINER ROWS 1
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT token.access_token_id, token.expires_at, granted.companies, token.api_client_id, token.pid,
    concat_ws(' ', person.first_name, person.name), client.permissions, token.may_publish, takt.narrowed_duties(trusted.duties, token.duties)
  FROM takt.access_tokens token
  LEFT JOIN takt.api_clients client ON client.api_client_id = token.api_client_id
  LEFT JOIN takt.users person ON person.pid = token.pid
  LEFT JOIN takt.token_families family ON family.token_family_id = token.token_family_id
  CROSS JOIN LATERAL (
    SELECT CASE
      WHEN token.pid IS NOT NULL THEN takt.duties_with_roles(person.duties, person.roles)
      WHEN token.kind = 'client' THEN takt.duties_with_roles(client.duties, client.roles)
    END AS duties
  ) trusted
  CROSS JOIN LATERAL (
    SELECT json_agg(json_build_object('company_id', company.company_id, 'code', company.code, 'name', company.name,
      'time_zone', company.time_zone, 'time_unit', company.time_unit, 'key', company.access_key) ORDER BY listed.ordinal) AS companies
    FROM takt.access_token_companies listed
    JOIN takt.companies company ON company.company_id = listed.company_id
    WHERE listed.access_token_id = token.access_token_id AND company.disabled_at IS NULL
      AND CASE
        WHEN token.kind <> 'command-line' OR token.pid IS NOT NULL THEN listed.company_id IN (
          SELECT common.company_id FROM takt.companies_in_common(token.api_client_id, token.pid) common)
        ELSE token.api_client_id IS NULL OR takt.is_for_company(token.api_client_id, listed.company_id)
      END
  ) granted
  WHERE token.token_sha256 = find_access_token.token_sha256
    AND token.expires_at > statement_timestamp()
    AND token.revoked_at IS NULL AND family.revoked_at IS NULL
    AND client.disabled_at IS NULL AND person.disabled_at IS NULL
    AND granted.companies IS NOT NULL
$$;

REVOKE EXECUTE ON FUNCTION takt.find_access_token(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.find_access_token(bytea) TO takt_api, takt_intake, takt_dashboard;
