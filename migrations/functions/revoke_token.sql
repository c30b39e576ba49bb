-- Ends a token before its time, an access token or a refresh token, with all that the same sign-in gave: who signs out
-- of a client does not leave it a refresh token. An unknown one is nothing to do. The first revocation's time stays.
CREATE FUNCTION takt.revoke_token(given_sha256 bytea)
RETURNS void
LANGUAGE plpgsql STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM takt.revoke_family(token.token_family_id) FROM takt.access_tokens token WHERE token.token_sha256 = given_sha256;
  PERFORM takt.revoke_family(token.token_family_id) FROM takt.refresh_tokens token WHERE token.token_sha256 = given_sha256;
  UPDATE takt.access_tokens SET revoked_at = coalesce(revoked_at, now()) WHERE token_sha256 = given_sha256;
END $$;

CREATE FUNCTION takt.revoke_family(family bigint)
RETURNS void
LANGUAGE sql STRICT
SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE takt.token_families SET revoked_at = coalesce(revoked_at, now()) WHERE token_family_id = family;
$$;

-- Notes that tokens were used just now. Rows that another notes at this moment are left to it: two that wait for each
-- other's rows would be no use.
CREATE FUNCTION takt.note_token_use(token_ids bigint[])
RETURNS void
LANGUAGE sql STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE takt.access_tokens SET last_used_at = now() WHERE access_token_id IN (
    SELECT access_token_id FROM takt.access_tokens WHERE access_token_id = ANY (token_ids) FOR UPDATE SKIP LOCKED);
$$;

REVOKE EXECUTE ON FUNCTION takt.revoke_token(bytea), takt.revoke_family(bigint), takt.note_token_use(bigint[])
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.revoke_token(bytea) TO takt_api, takt_dashboard;
GRANT EXECUTE ON FUNCTION takt.note_token_use(bigint[]) TO takt_api, takt_dashboard, takt_intake;
