-- Returns the person of an invitation that can still be used; no row otherwise.
CREATE FUNCTION takt.find_invited(code_sha256 bytea)
RETURNS TABLE (pid integer, person_name text)
LANGUAGE sql STABLE STRICT SECURITY DEFINER ROWS 1
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT person.pid, concat_ws(' ', person.first_name, person.name)
  FROM takt.access_tokens code JOIN takt.users person USING (pid)
  WHERE code.token_sha256 = code_sha256 AND code.description = 'invitation' AND code.kind = 'page'
    AND code.expires_at > now() AND code.revoked_at IS NULL AND person.disabled_at IS NULL
$$;

-- Sets the password of an invited person, once. Returns the PID; null if the invitation cannot be used any more.
CREATE FUNCTION takt.accept_invitation(code_sha256 bytea, new_password takt.slow_hash)
RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  invited record;
BEGIN
  -- A concurrent use waits for this lock, and then finds no invitation.
  PERFORM FROM takt.users WHERE pid = (SELECT found.pid FROM takt.find_invited(code_sha256) AS found) FOR UPDATE;
  SELECT * INTO invited FROM takt.find_invited(code_sha256);
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  PERFORM set_config('takt.actor', concat_ws(' ', 'PID', invited.pid, invited.person_name), true),
    takt.change_password(invited.pid, new_password);
  RETURN invited.pid;
END $$;

REVOKE EXECUTE ON FUNCTION takt.find_invited(bytea), takt.accept_invitation(bytea, takt.slow_hash) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.find_invited(bytea), takt.accept_invitation(bytea, takt.slow_hash) TO takt_dashboard;
