-- The grants of OAuth 2. Each function authenticates the caller and stores the hashes of the new tokens in one call, or
-- refuses with an error code of OAuth 2. The result is expires_in_s, the lifetime of the access token, or refused, the
-- error code. The code is the only information about an error. Proofs: for a client see is_client; for a person the
-- result of scrypt, see find_scrypt_parameters.

CREATE FUNCTION takt.grant_client_credentials(client integer, client_proof bytea, access_sha256 bytea,
  OUT refused text, OUT expires_in_s integer)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF NOT takt.prove_client(client, client_proof) THEN
    refused := 'invalid_client';
  ELSIF client_proof IS NULL OR NOT EXISTS (SELECT FROM takt.companies_in_common(client, NULL)) THEN
    refused := 'unauthorized_client';
  ELSE
    expires_in_s := takt.issue_access_token('client', access_sha256, client, NULL, NULL);
  END IF;
END $$;

CREATE FUNCTION takt.grant_password(client integer, client_proof bytea, person integer, password_proof bytea,
  access_sha256 bytea, refresh_sha256 bytea, OUT refused text, OUT expires_in_s integer)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  family bigint;
BEGIN
  IF NOT takt.prove_client(client, client_proof) THEN
    refused := 'invalid_client';
  ELSIF NOT takt.is_person(person, password_proof) THEN
    refused := 'invalid_grant';
  ELSIF NOT EXISTS (SELECT FROM takt.companies_in_common(client, person)) THEN
    refused := 'unauthorized_client';
  ELSE
    family := takt.begin_token_family(client, person);
    PERFORM takt.issue_refresh_token(refresh_sha256, family);
    expires_in_s := takt.issue_access_token('person', access_sha256, client, person, family);
  END IF;
END $$;

-- Starts the session of a page: for a person, without a client, and without a refresh token. Refused with
-- unauthorized_client if the person has no company.
CREATE FUNCTION takt.sign_in(person integer, password_proof bytea, access_sha256 bytea,
  OUT refused text, OUT expires_in_s integer)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF NOT takt.is_person(person, password_proof) THEN
    refused := 'invalid_grant';
  ELSIF NOT EXISTS (SELECT FROM takt.companies_in_common(NULL, person)) THEN
    refused := 'unauthorized_client';
  ELSE
    expires_in_s := takt.issue_access_token('page', access_sha256, NULL, person, NULL);
  END IF;
END $$;

-- Starts the session of a page by a code that the command line, as the owner, has created for a person. Such a code is
-- a session that has not begun: a row of access_tokens without companies, which grants nothing and is deleted when it
-- expires. A code works once, even among concurrent uses, because its row is deleted.
CREATE FUNCTION takt.sign_in_by_code(given_code_sha256 bytea, access_sha256 bytea,
  OUT refused text, OUT expires_in_s integer)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  person integer;
BEGIN
  -- A change of the person waits for this lock, and then ends the session too. If it was first, the code has ended.
  PERFORM FROM takt.users known
  WHERE known.pid = (SELECT pid FROM takt.access_tokens WHERE token_sha256 = given_code_sha256) FOR SHARE;
  DELETE FROM takt.access_tokens code
  WHERE code.token_sha256 = given_code_sha256 AND code.kind = 'page' AND code.expires_at > now()
    AND code.revoked_at IS NULL AND code.description IS NULL
    AND NOT EXISTS (SELECT FROM takt.access_token_companies WHERE access_token_id = code.access_token_id)
    AND EXISTS (SELECT FROM takt.users known WHERE known.pid = code.pid AND known.disabled_at IS NULL)
    AND EXISTS (SELECT FROM takt.companies_in_common(NULL, code.pid))
  RETURNING code.pid INTO person;
  IF person IS NULL THEN
    refused := 'invalid_grant';
  ELSE
    expires_in_s := takt.issue_access_token('page', access_sha256, NULL, person, NULL);
  END IF;
END $$;

-- Exchanges a refresh token for new tokens. A refresh token works once and returns the next one. A second use means
-- that two parties have the token, and nobody knows which one is legitimate: the whole family is revoked, whoever came
-- first. This includes concurrent uses: the second one waits for the first, and then revokes the family. There is no
-- grace period, because a thief could use it too, and clients send one request at a time.
CREATE FUNCTION takt.grant_refresh_token(client integer, client_proof bytea, used_sha256 bytea, access_sha256 bytea,
  refresh_sha256 bytea, OUT refused text, OUT expires_in_s integer)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  family record;
  token record;
BEGIN
  IF NOT takt.prove_client(client, client_proof) THEN
    refused := 'invalid_client';
    RETURN;
  END IF;
  -- All transactions that change a family, including its deletion, first lock the person and the client, then the row of
  -- the family and then its tokens, so that they wait for each other and never in a circle.
  PERFORM FROM takt.users known WHERE known.pid = (
    SELECT own.pid FROM takt.refresh_tokens given JOIN takt.token_families own USING (token_family_id)
    WHERE given.token_sha256 = used_sha256) FOR SHARE;
  SELECT * INTO family FROM takt.token_families
  WHERE token_family_id = (SELECT token_family_id FROM takt.refresh_tokens WHERE token_sha256 = used_sha256)
    AND api_client_id = client
  FOR UPDATE;
  SELECT * INTO token FROM takt.refresh_tokens
  WHERE token_sha256 = used_sha256 AND token_family_id = family.token_family_id;
  IF token.used_at IS NOT NULL THEN
    PERFORM takt.revoke_family(family.token_family_id);
    refused := 'invalid_grant';
  ELSIF token.refresh_token_id IS NULL OR family.revoked_at IS NOT NULL OR token.expires_at <= now()
    OR NOT EXISTS (SELECT FROM takt.users WHERE pid = family.pid AND disabled_at IS NULL) THEN
    refused := 'invalid_grant';
  ELSIF NOT EXISTS (SELECT FROM takt.companies_in_common(client, family.pid)) THEN
    refused := 'unauthorized_client';
  ELSE
    UPDATE takt.refresh_tokens SET used_at = now() WHERE refresh_token_id = token.refresh_token_id;
    PERFORM takt.issue_refresh_token(refresh_sha256, family.token_family_id);
    expires_in_s :=
      takt.issue_access_token('person', access_sha256, client, family.pid, family.token_family_id);
  END IF;
END $$;

REVOKE EXECUTE ON FUNCTION takt.grant_client_credentials(integer, bytea, bytea),
  takt.grant_password(integer, bytea, integer, bytea, bytea, bytea), takt.sign_in(integer, bytea, bytea),
  takt.sign_in_by_code(bytea, bytea), takt.grant_refresh_token(integer, bytea, bytea, bytea, bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.grant_client_credentials(integer, bytea, bytea),
  takt.grant_password(integer, bytea, integer, bytea, bytea, bytea), takt.sign_in(integer, bytea, bytea),
  takt.sign_in_by_code(bytea, bytea), takt.grant_refresh_token(integer, bytea, bytea, bytea, bytea) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.sign_in(integer, bytea, bytea) TO takt_dashboard;
