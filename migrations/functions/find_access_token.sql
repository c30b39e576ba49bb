-- What a token grants: one row where it is valid, none where it is unknown, expired, revoked or without a company.
-- A revocation counts from its commit on.
--
-- token_sha256: SHA-256 of the token. The look-up is by hash, so how long it takes tells nothing about a token.
-- companies: JSON array of objects {company_id, code, name, key}, never empty, the default company first; key is what a
--   session shows to see the rows of the company.
--
-- The caller needs no right on the tables: this function is all that the API can ask of them, one token at a time,
-- and only where it knows the token already. It takes the time of the statement and not of the transaction, because
-- in a long transaction a token would outlive its expiry.
CREATE FUNCTION takt.find_access_token(token_sha256 bytea)
RETURNS TABLE (access_token_id bigint, expires_at timestamptz, companies json)
LANGUAGE sql STABLE STRICT SECURITY DEFINER ROWS 1
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT token.access_token_id, token.expires_at,
    json_agg(json_build_object('company_id', company.company_id, 'code', company.code, 'name', company.name,
      'key', company.access_key) ORDER BY granted.ordinal)
  FROM takt.access_tokens token
  JOIN takt.access_token_companies granted ON granted.access_token_id = token.access_token_id
  JOIN takt.companies company ON company.company_id = granted.company_id
  WHERE token.token_sha256 = find_access_token.token_sha256
    AND token.expires_at > statement_timestamp()
    AND token.revoked_at IS NULL
  GROUP BY token.access_token_id
$$;

REVOKE EXECUTE ON FUNCTION takt.find_access_token(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.find_access_token(bytea) TO takt_api;
