-- Changes of people and clients, for the command line of the owner: an app changes nobody's rights. Each gives false where there
-- is no such person or client.

-- Gives a person these companies in place of those before, the first as the default.
CREATE FUNCTION takt.set_user_companies(person integer, companies integer[])
RETURNS boolean
LANGUAGE plpgsql STRICT
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  -- Two changes of one person wait for each other here.
  PERFORM FROM takt.users WHERE pid = person FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  DELETE FROM takt.user_companies WHERE pid = person;
  INSERT INTO takt.user_companies (pid, ordinal, company_id)
  SELECT person, ordinal, id FROM unnest(companies) WITH ORDINALITY AS given (id, ordinal);
  RETURN true;
END $$;

-- Lets a person who was disabled sign in again. Tokens and sessions from before stay ended: being disabled is looked up, so
-- they would else be valid again.
CREATE FUNCTION takt.enable_person(person integer)
RETURNS boolean
LANGUAGE plpgsql STRICT
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM FROM takt.users WHERE pid = person AND disabled_at IS NOT NULL FOR UPDATE;
  IF FOUND THEN
    UPDATE takt.token_families SET revoked_at = now() WHERE pid = person AND revoked_at IS NULL;
    UPDATE takt.access_tokens SET revoked_at = now() WHERE pid = person AND revoked_at IS NULL;
  END IF;
  UPDATE takt.users SET disabled_at = NULL WHERE pid = person;
  RETURN FOUND;
END $$;

-- The same for a client.
CREATE FUNCTION takt.enable_client(client integer)
RETURNS boolean
LANGUAGE plpgsql STRICT
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM FROM takt.api_clients WHERE api_client_id = client AND disabled_at IS NOT NULL FOR UPDATE;
  IF FOUND THEN
    UPDATE takt.token_families SET revoked_at = now() WHERE api_client_id = client AND revoked_at IS NULL;
    UPDATE takt.access_tokens SET revoked_at = now() WHERE api_client_id = client AND revoked_at IS NULL;
  END IF;
  UPDATE takt.api_clients SET disabled_at = NULL WHERE api_client_id = client;
  RETURN FOUND;
END $$;
