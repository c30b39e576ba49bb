-- The authorization code grant: a signed-in person allows a client to act in their name. The client then exchanges a
-- code for tokens.

-- Returns an enabled client by id, or no row: the public facts that the sign-in page shows and checks.
CREATE FUNCTION takt.find_api_client(client integer)
RETURNS TABLE (name text, redirect_uris text[], is_public boolean)
LANGUAGE sql STABLE STRICT SECURITY DEFINER ROWS 1
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT known.name, known.redirect_uris, known.secret IS NULL
  FROM takt.api_clients known WHERE known.api_client_id = client AND known.disabled_at IS NULL
$$;

-- Stores an authorization code, valid for 60 s, for the person of a page's session. Returns false if the session is
-- invalid, the client is unknown, the redirect URI is not exactly one of the client's, the challenge is not a SHA-256,
-- or client and person have no company in common. A client's token does not count as a session: a client could
-- otherwise get tokens for another client. The newest ten codes per person and client are stored. An older one is
-- refused, and its second use is not noticed.
CREATE FUNCTION takt.issue_authorization_code(session_sha256 bytea, client integer, client_redirect_uri text,
  challenge text, new_code_sha256 bytea)
RETURNS boolean
LANGUAGE plpgsql STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  person integer;
BEGIN
  -- A change of the person, the client or the session waits for these locks, and then ends the code too. If such a change
  -- was first, the session has ended, or the client is no longer found.
  PERFORM FROM takt.users known
  WHERE known.pid = (SELECT pid FROM takt.access_tokens WHERE token_sha256 = session_sha256) FOR SHARE;
  PERFORM FROM takt.api_clients known WHERE known.api_client_id = client FOR SHARE;
  PERFORM FROM takt.access_tokens session WHERE session.token_sha256 = session_sha256 FOR SHARE;
  SELECT session.pid INTO person
  FROM takt.find_access_token(session_sha256) live
  JOIN takt.access_tokens session ON session.access_token_id = live.access_token_id AND session.kind = 'page';
  IF person IS NULL OR challenge !~ '^[A-Za-z0-9_-]{43}$'
    OR NOT EXISTS (SELECT FROM takt.find_api_client(client) known WHERE client_redirect_uri = ANY (known.redirect_uris))
    OR NOT EXISTS (SELECT FROM takt.companies_in_common(client, person)) THEN
    RETURN false;
  END IF;
  INSERT INTO takt.authorization_codes (code_sha256, api_client_id, pid, redirect_uri, code_challenge, expires_at)
  VALUES (new_code_sha256, client, person, client_redirect_uri, challenge, now() + interval '60 seconds');
  DELETE FROM takt.authorization_codes WHERE authorization_code_id IN (
    SELECT authorization_code_id FROM takt.authorization_codes WHERE authorization_code_id IN (
      SELECT authorization_code_id FROM takt.authorization_codes WHERE pid = person AND api_client_id = client
      ORDER BY authorization_code_id DESC OFFSET 10)
    FOR UPDATE SKIP LOCKED);
  RETURN true;
END $$;

-- Exchanges a code for tokens, once; see grant_tokens for the result. A second use revokes the tokens of the first one.
-- PKCE: the caller must also know the text whose SHA-256 is the challenge.
--
-- The first use consumes the code, even if the use fails or another client sends the code: nobody can guess a code, so
-- it has leaked, and its holder gets no second attempt. A client that fails to authenticate does not consume the code,
-- so that a wrong setting of the client does not require the person to sign in again.
CREATE FUNCTION takt.grant_authorization_code(client integer, client_proof bytea, given_code_sha256 bytea,
  client_redirect_uri text, verifier text, access_sha256 bytea, refresh_sha256 bytea,
  OUT refused text, OUT expires_in_s integer)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  code record;
  family bigint;
BEGIN
  IF NOT takt.prove_client(client, client_proof) THEN
    refused := 'invalid_client';
    RETURN;
  END IF;
  -- A change of the password, or of the client or person being enabled, waits for these locks, and then ends the tokens of
  -- this exchange too. If such a change was first, it has deleted the code.
  PERFORM FROM takt.users known
  WHERE known.pid = (SELECT pid FROM takt.authorization_codes WHERE code_sha256 = given_code_sha256) FOR SHARE;
  PERFORM FROM takt.api_clients known WHERE known.api_client_id = client FOR SHARE;
  UPDATE takt.authorization_codes SET used_at = now() WHERE code_sha256 = given_code_sha256 AND used_at IS NULL
  RETURNING * INTO code;
  IF NOT FOUND THEN
    PERFORM takt.revoke_family(used.token_family_id) FROM takt.authorization_codes used
    WHERE used.code_sha256 = given_code_sha256;
    refused := 'invalid_grant';
  ELSIF code.api_client_id = client
    AND takt.is_code_usable(code.expires_at, code.redirect_uri = client_redirect_uri, code.code_challenge, verifier)
    AND EXISTS (SELECT FROM takt.users WHERE pid = code.pid AND disabled_at IS NULL)
    AND EXISTS (SELECT FROM takt.companies_in_common(client, code.pid)) THEN
    family := takt.begin_token_family(client, code.pid);
    UPDATE takt.authorization_codes SET token_family_id = family
    WHERE authorization_code_id = code.authorization_code_id;
    PERFORM takt.issue_refresh_token(refresh_sha256, family);
    expires_in_s := takt.issue_access_token('person', access_sha256, client, code.pid, family);
  ELSE
    refused := 'invalid_grant';
  END IF;
END $$;

-- False if anything is missing.
CREATE FUNCTION takt.is_code_usable(expires_at timestamptz, is_same_uri boolean, challenge text, verifier text)
RETURNS boolean
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(expires_at > now() AND is_same_uri AND verifier ~ '^[A-Za-z0-9._~-]{43,128}$'
    AND challenge = rtrim(translate(encode(sha256(convert_to(verifier, 'UTF8')), 'base64'), '+/', '-_'), '='), false)
$$;

REVOKE EXECUTE ON FUNCTION takt.find_api_client(integer),
  takt.issue_authorization_code(bytea, integer, text, text, bytea),
  takt.grant_authorization_code(integer, bytea, bytea, text, text, bytea, bytea),
  takt.is_code_usable(timestamptz, boolean, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.find_api_client(integer),
  takt.issue_authorization_code(bytea, integer, text, text, bytea),
  takt.grant_authorization_code(integer, bytea, bytea, text, text, bytea, bytea) TO takt_api;
