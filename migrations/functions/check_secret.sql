-- Returns the salt and the scrypt parameters for the password of a person. Returns one row for any id. An unknown id gets
-- a salt that is made up but always the same, and the parameters of packages/access/src/secrets.ts. The made-up salt
-- is half of a SHA-256 whose input contains a secret, so that nobody can compute or extend it.
CREATE FUNCTION takt.find_scrypt_parameters(person integer)
RETURNS TABLE (salt bytea, cost integer, block_size integer, parallelization integer)
LANGUAGE sql STABLE STRICT SECURITY DEFINER ROWS 1
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT
    coalesce((own.password).salt, substr(sha256(made_up.secret || convert_to(format('person %s', person), 'UTF8')), 1, 16)),
    coalesce((own.password).cost, 16384), coalesce((own.password).block_size, 8),
    coalesce((own.password).parallelization, 5)
  FROM takt.salt_secret made_up LEFT JOIN takt.users own ON own.pid = person
$$;

-- True if the client is enabled and this is its secret. The proof is the SHA-256 of the secret. A public client has no
-- secret and sends no proof.
CREATE FUNCTION takt.is_client(client integer, proof bytea)
RETURNS boolean
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT EXISTS (
    SELECT FROM takt.api_clients known
    WHERE known.api_client_id = client AND known.disabled_at IS NULL
      AND CASE WHEN known.secret IS NULL THEN proof IS NULL
        ELSE sha256(proof) = known.secret_sha256 END)
$$;

-- The same for a grant. It then waits for a concurrent change of the client, and blocks later changes until the caller has
-- stored its tokens, as is_person does.
CREATE FUNCTION takt.prove_client(client integer, proof bytea)
RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM FROM takt.api_clients known WHERE known.api_client_id = client FOR SHARE;
  RETURN takt.is_client(client, proof);
END $$;

-- Checks an enabled client by the SHA-256 of its secret (null if it sent none). If that hash is not stored, as for a client from before 1.0.0, also
-- returns the salt and parameters for scrypt: the caller passes the result of scrypt to quicken_secret.
CREATE FUNCTION takt.check_client(client integer, given_sha256 bytea)
RETURNS TABLE (is_right boolean, salt bytea, cost integer, block_size integer, parallelization integer)
LANGUAGE sql STABLE SECURITY DEFINER ROWS 1
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT takt.is_client(client, given_sha256), (slow.hash).salt, (slow.hash).cost, (slow.hash).block_size,
    (slow.hash).parallelization
  FROM (SELECT) AS always
  LEFT JOIN (
    SELECT known.secret AS hash FROM takt.api_clients known
    WHERE known.api_client_id = client AND known.disabled_at IS NULL AND known.secret_sha256 IS NULL
      AND given_sha256 IS NOT NULL
  ) slow ON true
$$;

-- Stores the quick hash of a secret, if the result of scrypt proves that the secret is right. Otherwise returns false.
CREATE FUNCTION takt.quicken_secret(client integer, slow_proof bytea, given_sha256 bytea)
RETURNS boolean
LANGUAGE plpgsql STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE takt.api_clients SET secret_sha256 = sha256(given_sha256)
  WHERE api_client_id = client AND disabled_at IS NULL AND (secret).sha256 = sha256(slow_proof);
  RETURN FOUND;
END $$;

-- True if the person is enabled and the result of scrypt proves the password. It then waits for a concurrent change of
-- the password, and blocks later changes until the caller has stored its tokens: change_password would not end tokens
-- that are stored afterwards. A wrong proof locks no row, because the time of that write would reveal which persons
-- exist.
CREATE FUNCTION takt.is_person(person integer, proof bytea)
RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM FROM takt.users known
  WHERE known.pid = person AND known.disabled_at IS NULL AND (known.password).sha256 = sha256(proof)
  FOR SHARE;
  RETURN FOUND;
END $$;

-- Sets a password and ends everything signed in with the old one. False if the person does not exist.
CREATE FUNCTION takt.change_password(person integer, new_password takt.slow_hash)
RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE takt.users SET password = new_password WHERE pid = person;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM takt.end_grants(person, NULL);
  DELETE FROM takt.access_tokens WHERE pid = person AND description = 'invitation';
  RETURN true;
END $$;

REVOKE EXECUTE ON FUNCTION takt.find_scrypt_parameters(integer), takt.is_client(integer, bytea), takt.prove_client(integer, bytea),
  takt.check_client(integer, bytea), takt.quicken_secret(integer, bytea, bytea),
  takt.is_person(integer, bytea), takt.change_password(integer, takt.slow_hash) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.find_scrypt_parameters(integer) TO takt_api, takt_dashboard;
GRANT EXECUTE ON FUNCTION takt.check_client(integer, bytea), takt.quicken_secret(integer, bytea, bytea) TO takt_api;
