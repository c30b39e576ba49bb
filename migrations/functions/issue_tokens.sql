-- Functions that store the tokens of a grant, after the functions of the grants have authenticated the caller. An
-- access token is valid for 1 h (the session of a page for 8 h), a refresh token for 30 days. The number of tokens per
-- person and client is limited, and the oldest are revoked. The limits are 100 sign-ins, each with the newest 20 access
-- tokens and 20 used refresh tokens; 100 tokens of a client for itself; and 100 page sessions of a person. Rows that
-- another transaction has locked are skipped, so that nobody waits; so the limits may briefly be exceeded by the number
-- of connections.

-- Stores an access token for the companies that client and person have in common. Returns its lifetime in seconds.
CREATE FUNCTION takt.issue_access_token(token_kind text, sha256 bytea, client integer, person integer, family bigint)
RETURNS integer
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  lifetime_s CONSTANT integer := CASE token_kind WHEN 'page' THEN 28800 ELSE 3600 END;
  made bigint;
BEGIN
  INSERT INTO takt.access_tokens (token_sha256, kind, api_client_id, pid, token_family_id, expires_at)
  VALUES (sha256, token_kind, client, person, family, now() + make_interval(secs => lifetime_s))
  RETURNING access_token_id INTO made;
  INSERT INTO takt.access_token_companies (access_token_id, ordinal, company_id)
  SELECT made, ordinal, company_id FROM takt.companies_in_common(client, person);
  DELETE FROM takt.access_tokens WHERE access_token_id IN (
    SELECT access_token_id FROM takt.access_tokens WHERE access_token_id IN (
      SELECT access_token_id FROM (
        SELECT access_token_id FROM takt.access_tokens WHERE token_family_id = family
        UNION ALL
        SELECT access_token_id FROM takt.access_tokens
        WHERE token_kind = 'client' AND kind = 'client' AND api_client_id = client
        UNION ALL
        SELECT access_token_id FROM takt.access_tokens WHERE token_kind = 'page' AND kind = 'page' AND pid = person
      ) own
      ORDER BY access_token_id DESC OFFSET CASE WHEN family IS NULL THEN 100 ELSE 20 END)
    FOR UPDATE SKIP LOCKED);
  PERFORM takt.sweep_expired_tokens();
  RETURN lifetime_s;
END $$;

-- Stores the next refresh token of a family, with the family's expiry. A second use of one of the last 20 tokens is
-- noticed; an older one is unknown and grants nothing.
CREATE FUNCTION takt.issue_refresh_token(sha256 bytea, family bigint)
RETURNS void
LANGUAGE sql
SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE takt.token_families SET expires_at = now() + interval '30 days' WHERE token_family_id = family;
  INSERT INTO takt.refresh_tokens (token_sha256, token_family_id, expires_at)
  VALUES (sha256, family, now() + interval '30 days');
  DELETE FROM takt.refresh_tokens WHERE refresh_token_id IN (
    SELECT refresh_token_id FROM takt.refresh_tokens WHERE refresh_token_id IN (
      SELECT refresh_token_id FROM takt.refresh_tokens WHERE token_family_id = family
      ORDER BY refresh_token_id DESC OFFSET 21)
    FOR UPDATE SKIP LOCKED);
$$;

-- Creates a family, for one sign-in of a person with a client. If there are too many families, the revoked ones are
-- deleted first, then those that were refreshed longest ago.
CREATE FUNCTION takt.begin_token_family(client integer, person integer)
RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  made bigint;
BEGIN
  INSERT INTO takt.token_families (api_client_id, pid, expires_at)
  VALUES (client, person, now() + interval '30 days')
  RETURNING token_family_id INTO made;
  DELETE FROM takt.token_families WHERE token_family_id IN (
    SELECT token_family_id FROM takt.token_families WHERE token_family_id IN (
      SELECT token_family_id FROM takt.token_families WHERE pid = person AND api_client_id = client
      ORDER BY revoked_at IS NOT NULL, expires_at DESC, token_family_id DESC OFFSET 100)
    FOR UPDATE SKIP LOCKED);
  RETURN made;
END $$;

-- Deletes at most 100 expired rows of each kind, so that the tables stay small and nobody waits long. Only one
-- transaction at a time does this, because two that delete families with their tokens could deadlock. An authorization
-- code is deleted one day after its expiry, so that a second use is noticed until then.
CREATE FUNCTION takt.sweep_expired_tokens()
RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('takt.sweep_expired_tokens', 0)) THEN
    RETURN;
  END IF;
  DELETE FROM takt.access_tokens WHERE access_token_id IN (
    SELECT access_token_id FROM takt.access_tokens WHERE expires_at <= now()
    ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED);
  DELETE FROM takt.refresh_tokens WHERE refresh_token_id IN (
    SELECT refresh_token_id FROM takt.refresh_tokens WHERE expires_at <= now()
    ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED);
  DELETE FROM takt.authorization_codes WHERE authorization_code_id IN (
    SELECT authorization_code_id FROM takt.authorization_codes WHERE expires_at <= now() - interval '1 day'
    ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED);
  DELETE FROM takt.token_families WHERE token_family_id IN (
    SELECT token_family_id FROM takt.token_families WHERE expires_at <= now()
    ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED);
END $$;

REVOKE EXECUTE ON FUNCTION takt.issue_access_token(text, bytea, integer, integer, bigint),
  takt.issue_refresh_token(bytea, bigint), takt.begin_token_family(integer, integer), takt.sweep_expired_tokens()
  FROM PUBLIC;
