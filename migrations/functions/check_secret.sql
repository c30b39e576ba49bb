-- Salt and parameters with which the secret of a client ('client') or the password of a person ('person') is put
-- through scrypt before it is sent in. One row for every id: who does not exist, or has no secret, has a salt too, made
-- up and always the same, and the parameters of packages/access/src/slow-hash.ts.
--
-- The made-up salt is half of a SHA-256 over a secret, so that nobody can compute it or extend it.
CREATE FUNCTION takt.find_scrypt_parameters(of_what text, id integer)
RETURNS TABLE (salt bytea, cost integer, block_size integer, parallelization integer)
LANGUAGE sql STABLE STRICT SECURITY DEFINER ROWS 1
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT
    coalesce((own.hash).salt, substr(sha256(made_up.secret || convert_to(format('%s %s', of_what, id), 'UTF8')), 1, 16)),
    coalesce((own.hash).cost, 16384), coalesce((own.hash).block_size, 8), coalesce((own.hash).parallelization, 5)
  FROM takt.salt_secret made_up
  LEFT JOIN (
    SELECT client.secret AS hash FROM takt.api_clients client WHERE of_what = 'client' AND client.api_client_id = id
    UNION ALL
    SELECT person.password FROM takt.users person WHERE of_what = 'person' AND person.pid = id
  ) own ON true
$$;

-- Whether it is the live client `client`, as the result of scrypt over its secret proves; a public client sends none.
CREATE FUNCTION takt.is_client(client integer, proof bytea)
RETURNS boolean
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT EXISTS (
    SELECT FROM takt.api_clients known
    WHERE known.api_client_id = client AND known.disabled_at IS NULL
      AND CASE WHEN known.secret IS NULL THEN proof IS NULL ELSE (known.secret).sha256 = sha256(proof) END)
$$;

-- Whether it is the person `person`, not disabled, as the result of scrypt over the password proves. Then waits for who
-- changes the password at this moment, and lets nobody change it before what the caller gives is stored: change_password
-- would miss it. A wrong proof locks no row: that writes, and its time would tell who exists.
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

-- A new password, and the end of all that was signed in with the old one. False where there is no such person.
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
  UPDATE takt.token_families SET revoked_at = now() WHERE pid = person AND revoked_at IS NULL;
  UPDATE takt.access_tokens SET revoked_at = now() WHERE pid = person AND kind = 'page' AND revoked_at IS NULL;
  RETURN true;
END $$;

REVOKE EXECUTE ON FUNCTION takt.find_scrypt_parameters(text, integer), takt.is_client(integer, bytea),
  takt.is_person(integer, bytea), takt.change_password(integer, takt.slow_hash) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.find_scrypt_parameters(text, integer) TO takt_api, takt_dashboard;
