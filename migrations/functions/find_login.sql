-- Returns the PID of the person who signs in with a text: a PID, an e-mail address, or a name with or without the first
-- name. Case does not matter. If nobody or more than one person has the name, returns a negative number that stands for
-- the text. It is no PID, and failures are counted by it, so that an answer does not reveal who exists.
CREATE FUNCTION takt.find_login(login text)
RETURNS integer
LANGUAGE sql STABLE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(
    CASE WHEN login ~ '^[0-9]{1,9}$' THEN login::integer
      WHEN login LIKE '%@%' THEN (SELECT pid FROM takt.users WHERE lower(email) = lower(login))
      ELSE (
        SELECT min(pid) FROM takt.users
        WHERE disabled_at IS NULL AND lower(login) IN (lower(name), lower(concat_ws(' ', first_name, name)))
        HAVING count(*) = 1)
    END,
    -1 - (hashtext(lower(login)) & 2147483646))
$$;

REVOKE EXECUTE ON FUNCTION takt.find_login(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.find_login(text) TO takt_api, takt_dashboard;
