-- Ends everything that was granted by the sign-ins of a person, or by those through a client; the other argument is null:
-- the sessions of pages, the tokens of clients, and the codes that could still become one of these. Every change after
-- which a grant must not go on calls this function. A code that was used already stays: its second use is noticed.
CREATE FUNCTION takt.end_grants(person integer, client integer) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  DELETE FROM takt.authorization_codes WHERE (pid = person OR api_client_id = client) AND used_at IS NULL;
  UPDATE takt.token_families SET revoked_at = now()
  WHERE (pid = person OR api_client_id = client) AND revoked_at IS NULL;
  UPDATE takt.access_tokens SET revoked_at = now()
  WHERE (pid = person OR api_client_id = client) AND (kind IN ('page', 'client') OR token_family_id IS NOT NULL)
    AND revoked_at IS NULL AND description IS DISTINCT FROM 'invitation';
END $$;

-- Triggers that end the grants of a person or a client who has fewer duties or permissions than before, or is enabled
-- again. Otherwise an old grant would have them again when they are given back.
CREATE FUNCTION takt.end_grants_of_person()
RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF NOT takt.duties_with_roles(OLD.duties, OLD.roles) <@ takt.duties_with_roles(NEW.duties, NEW.roles)
    OR OLD.disabled_at IS NOT NULL AND NEW.disabled_at IS NULL THEN
    PERFORM takt.end_grants(NEW.pid, NULL);
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION takt.end_grants_of_client()
RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF NOT takt.duties_with_roles(OLD.duties, OLD.roles) <@ takt.duties_with_roles(NEW.duties, NEW.roles)
    OR NOT OLD.permissions <@ NEW.permissions OR OLD.disabled_at IS NOT NULL AND NEW.disabled_at IS NULL THEN
    PERFORM takt.end_grants(NULL, NEW.api_client_id);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER end_grants AFTER UPDATE OF roles, duties, disabled_at ON takt.users FOR EACH ROW
EXECUTE FUNCTION takt.end_grants_of_person();
CREATE TRIGGER end_grants AFTER UPDATE OF roles, duties, permissions, disabled_at ON takt.api_clients FOR EACH ROW
EXECUTE FUNCTION takt.end_grants_of_client();

-- Revokes an access or refresh token on behalf of its holder. Unknown tokens are ignored.
CREATE FUNCTION takt.revoke_token(given_sha256 bytea)
RETURNS void
LANGUAGE plpgsql STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM takt.act_as(given_sha256);
  PERFORM takt.end_sign_in(given_sha256);
END $$;

-- Revokes an access or refresh token together with all tokens of the same sign-in, so that a client which signs out
-- keeps no refresh token. With the session of a page, the codes end that the person has not used yet. If a token was revoked
-- before, the time of that revocation stays.
CREATE FUNCTION takt.end_sign_in(given_sha256 bytea)
RETURNS void
LANGUAGE plpgsql STRICT
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM takt.revoke_family(token.token_family_id) FROM takt.access_tokens token WHERE token.token_sha256 = given_sha256;
  PERFORM takt.revoke_family(token.token_family_id) FROM takt.refresh_tokens token WHERE token.token_sha256 = given_sha256;
  UPDATE takt.access_tokens SET revoked_at = least(revoked_at, now()) WHERE token_sha256 = given_sha256;
  DELETE FROM takt.authorization_codes code USING takt.access_tokens session
  WHERE session.token_sha256 = given_sha256 AND session.kind = 'page' AND code.pid = session.pid AND code.used_at IS NULL;
END $$;

-- The same for a client that authenticates itself (RFC 7009, 2.1). Returns an error code of OAuth 2 in refused if the
-- client's proof is wrong (see is_client), or if the token belongs to another client.
CREATE FUNCTION takt.revoke_client_token(client integer, client_proof bytea, given_sha256 bytea, OUT refused text)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF NOT takt.is_client(client, client_proof) THEN
    refused := 'invalid_client';
  ELSIF EXISTS (
    SELECT FROM takt.access_tokens token WHERE token.token_sha256 = given_sha256 AND token.api_client_id IS DISTINCT FROM client
    UNION ALL
    SELECT FROM takt.refresh_tokens token JOIN takt.token_families family USING (token_family_id)
    WHERE token.token_sha256 = given_sha256 AND family.api_client_id <> client) THEN
    refused := 'invalid_grant';
  ELSE
    PERFORM set_config('takt.actor', concat_ws(' ', 'client', known.api_client_id, known.name), true)
    FROM takt.api_clients known WHERE known.api_client_id = client;
    PERFORM takt.end_sign_in(given_sha256);
  END IF;
END $$;

CREATE FUNCTION takt.revoke_family(family bigint)
RETURNS void
LANGUAGE sql STRICT
SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE takt.token_families SET revoked_at = least(revoked_at, now()) WHERE token_family_id = family;
$$;

-- Stores the current time as the last use of tokens, which the caller names by their hashes, because it has received
-- them. Rows that another call has locked are skipped, because otherwise two calls could wait for each other's rows.
CREATE FUNCTION takt.note_use_of_tokens(given_sha256s bytea[])
RETURNS void
LANGUAGE sql STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE takt.access_tokens SET last_used_at = now() WHERE access_token_id IN (
    SELECT access_token_id FROM takt.access_tokens WHERE token_sha256 = ANY (given_sha256s) FOR UPDATE SKIP LOCKED);
$$;

-- Apps of version 1.0.0, which may run during an upgrade, call this with ids that anybody can guess. It does nothing.
CREATE FUNCTION takt.note_token_use(token_ids bigint[])
RETURNS void
LANGUAGE sql
SET search_path = pg_catalog, pg_temp
AS $$ $$;

REVOKE EXECUTE ON FUNCTION takt.revoke_token(bytea), takt.end_sign_in(bytea), takt.revoke_client_token(integer, bytea, bytea),
  takt.revoke_family(bigint), takt.end_grants(integer, integer), takt.end_grants_of_person(),
  takt.end_grants_of_client(), takt.note_token_use(bigint[]), takt.note_use_of_tokens(bytea[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.revoke_token(bytea) TO takt_api, takt_dashboard;
GRANT EXECUTE ON FUNCTION takt.revoke_client_token(integer, bytea, bytea) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.note_token_use(bigint[]), takt.note_use_of_tokens(bytea[]) TO takt_api, takt_dashboard, takt_intake;
