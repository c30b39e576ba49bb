-- The networks from which a person has signed in: the last 8 IPv4 addresses or IPv6 networks, as the app names them.
-- They are stored as keyed hashes, so that the table does not reveal where people are.

CREATE FUNCTION takt.is_known_network(person integer, network text)
RETURNS boolean
LANGUAGE sql STABLE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT EXISTS (
    SELECT FROM takt.users known
    WHERE known.pid = person AND takt.network_hash(person, network) = ANY (known.known_networks))
$$;

-- Stores the network of the person who has signed in within the last minute, and so got this token.
CREATE FUNCTION takt.note_network_of_sign_in(given_sha256 bytea, network text)
RETURNS void
LANGUAGE plpgsql STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  person integer := (SELECT token.pid FROM takt.access_tokens token
    WHERE token.token_sha256 = given_sha256 AND token.kind IN ('page', 'person') AND token.revoked_at IS NULL
      AND token.created_at > now() - interval '1 minute');
  hash bytea := takt.network_hash(person, network);
  networks bytea[] := (SELECT known_networks FROM takt.users WHERE pid = person FOR UPDATE);
BEGIN
  IF networks IS NULL THEN
    RETURN;
  END IF;
  -- The array is truncated here, because Citus 14 crashes on an array slice in a statement.
  networks := (array_prepend(hash, array_remove(networks, hash)))[1:8];
  UPDATE takt.users SET known_networks = networks WHERE pid = person;
END $$;

-- Apps of version 1.0.0, which may run during an upgrade, call this for any person and network. It does nothing.
CREATE FUNCTION takt.note_known_network(person integer, network text)
RETURNS void
LANGUAGE sql
SET search_path = pg_catalog, pg_temp
AS $$ $$;

CREATE FUNCTION takt.network_hash(person integer, network text)
RETURNS bytea
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT substr(sha256(key.secret || convert_to(format('network %s %s', person, network), 'UTF8')), 1, 16)
  FROM takt.salt_secret key
$$;

REVOKE EXECUTE ON FUNCTION takt.is_known_network(integer, text), takt.note_known_network(integer, text),
  takt.note_network_of_sign_in(bytea, text),
  takt.network_hash(integer, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.is_known_network(integer, text), takt.note_known_network(integer, text),
  takt.note_network_of_sign_in(bytea, text) TO takt_api, takt_dashboard;
