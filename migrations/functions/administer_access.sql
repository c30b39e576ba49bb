-- Changes of people, clients and tokens. The command line, which runs as the owner, calls these functions directly; the
-- dashboard calls takt.administer. Each returns false if the person, client or token does not exist.

-- Replaces a person's companies; the first is the default. Ends the person's grants if a company is missing now.
CREATE FUNCTION takt.set_user_companies(person integer, companies integer[])
RETURNS boolean
LANGUAGE plpgsql STRICT
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  before text[];
  after text[];
  subject text;
BEGIN
  -- Makes concurrent changes of the same person wait for each other.
  SELECT concat_ws(' ', 'person', pid, first_name, name) INTO subject FROM takt.users WHERE pid = person FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  before := takt.company_codes(person, NULL);
  PERFORM set_config('takt.notes_companies', 'off', true);
  DELETE FROM takt.user_companies WHERE pid = person;
  INSERT INTO takt.user_companies (pid, ordinal, company_id)
  SELECT person, ordinal, id FROM unnest(companies) WITH ORDINALITY AS given (id, ordinal);
  PERFORM set_config('takt.notes_companies', '', true);
  after := takt.company_codes(person, NULL);
  PERFORM takt.note_audit('person-changed', subject,
    jsonb_build_object('companies', jsonb_build_object('from', before, 'to', after)));
  IF NOT before <@ after THEN
    PERFORM takt.end_grants(person, NULL);
  END IF;
  RETURN true;
END $$;

-- Lets a disabled person sign in again. Ends the person's earlier tokens and sessions: they are only refused while the
-- person is disabled, so they would become valid again.
CREATE FUNCTION takt.enable_person(person integer)
RETURNS boolean
LANGUAGE plpgsql STRICT
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM FROM takt.users WHERE pid = person AND disabled_at IS NOT NULL FOR UPDATE;
  IF FOUND THEN
    PERFORM takt.end_grants(person, NULL);
    UPDATE takt.access_tokens SET revoked_at = now() WHERE pid = person AND revoked_at IS NULL;
  END IF;
  UPDATE takt.users SET disabled_at = NULL WHERE pid = person;
  RETURN FOUND;
END $$;

-- Ends all tokens and sessions of a person and prevents sign-in. Safe to repeat.
CREATE FUNCTION takt.disable_person(person integer)
RETURNS boolean
LANGUAGE plpgsql STRICT
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE takt.users SET disabled_at = least(disabled_at, now()) WHERE pid = person;
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
    PERFORM takt.end_grants(NULL, client);
    UPDATE takt.access_tokens SET revoked_at = now() WHERE api_client_id = client AND revoked_at IS NULL;
  END IF;
  UPDATE takt.api_clients SET disabled_at = NULL WHERE api_client_id = client;
  RETURN FOUND;
END $$;

CREATE FUNCTION takt.disable_client(client integer)
RETURNS boolean
LANGUAGE plpgsql STRICT
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE takt.api_clients SET disabled_at = least(disabled_at, now()) WHERE api_client_id = client;
  RETURN FOUND;
END $$;

-- Revokes a token, by its id or its hash, with all tokens of the same sign-in. The time of the first revocation stays.
CREATE FUNCTION takt.end_token(token_id bigint, given_sha256 bytea)
RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  ended record;
BEGIN
  -- The family is locked before its token, as everywhere.
  PERFORM FROM takt.token_families WHERE token_family_id = (
    SELECT token_family_id FROM takt.access_tokens WHERE access_token_id = token_id OR token_sha256 = given_sha256) FOR UPDATE;
  SELECT * INTO ended FROM takt.access_tokens WHERE access_token_id = token_id OR token_sha256 = given_sha256 FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF ended.revoked_at IS NULL THEN
    PERFORM takt.end_sign_in(ended.token_sha256);
    -- A trigger logs the end of a token of the command line.
    IF ended.kind <> 'command-line' THEN
      PERFORM takt.note_audit('token-revoked', 'token ' || ended.access_token_id,
        jsonb_strip_nulls(jsonb_build_object('pid', ended.pid, 'api_client_id', ended.api_client_id)));
    END IF;
  END IF;
  RETURN true;
END $$;

-- Returns the companies that a change of a person, a client or a token concerns; null if it may concern any company: of
-- somebody who operates all companies, and of somebody without companies, who may get any.
CREATE FUNCTION takt.companies_concerned(change text, id bigint)
RETURNS integer[]
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE
    WHEN change LIKE '%-client' AND EXISTS (SELECT FROM takt.api_clients client WHERE client.api_client_id = id
      AND 'operate-all-companies' = ANY (takt.duties_with_roles(client.duties, client.roles))) THEN NULL
    WHEN change LIKE '%-client' THEN (
      SELECT array_agg(own.company_id) FROM takt.api_client_companies own WHERE own.api_client_id = id)
    WHEN change = 'revoke-token' THEN takt.companies_of_token(id)
    WHEN EXISTS (SELECT FROM takt.users person
      WHERE person.pid = id AND 'operate-all-companies' = ANY (takt.duties_with_roles(person.duties, person.roles))) THEN NULL
    ELSE (SELECT array_agg(own.company_id) FROM takt.user_companies own WHERE own.pid = id)
  END
$$;

-- The same for a token: the companies of all tokens that end with it, because they are of the same sign-in, and those of
-- its person, whom the next token of the sign-in would give them.
CREATE FUNCTION takt.companies_of_token(id bigint)
RETURNS integer[]
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  WITH ending AS (
    SELECT token.* FROM takt.access_tokens given JOIN takt.access_tokens token
      ON token.access_token_id = given.access_token_id OR token.token_family_id = given.token_family_id
    WHERE given.access_token_id = id
  )
  SELECT CASE
    WHEN EXISTS (
      SELECT FROM ending LEFT JOIN takt.users person USING (pid) LEFT JOIN takt.api_clients client USING (api_client_id)
      WHERE (ending.duties IS NULL OR 'operate-all-companies' = ANY (ending.duties))
        AND coalesce('operate-all-companies' = ANY (CASE
          WHEN ending.pid IS NOT NULL THEN takt.duties_with_roles(person.duties, person.roles)
          WHEN ending.api_client_id IS NOT NULL THEN takt.duties_with_roles(client.duties, client.roles)
        END), true)) THEN NULL
    ELSE (
      SELECT array_agg(company_id) FROM (
        SELECT listed.company_id FROM ending JOIN takt.access_token_companies listed USING (access_token_id)
        UNION
        SELECT own.company_id FROM ending JOIN takt.user_companies own USING (pid)) AS all_of_them)
  END
$$;

-- Sets the roles of a person. A trigger ends the person's grants if a duty is missing now.
CREATE FUNCTION takt.set_user_roles(person integer, given_roles text[])
RETURNS boolean
LANGUAGE plpgsql STRICT
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE takt.users SET roles = ARRAY(SELECT role FROM takt.roles WHERE role = ANY (given_roles) ORDER BY role)
  WHERE pid = person;
  RETURN FOUND;
END $$;

-- Sets the e-mail address of a person; null removes it.
CREATE FUNCTION takt.set_user_email(person integer, address text)
RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE takt.users SET email = address WHERE pid = person;
  RETURN FOUND;
END $$;

-- Stores an invitation, with which the person may set a password once, within 7 days. An earlier one ends. Like the code of
-- sign_in_by_code, it is a session that has not begun.
CREATE FUNCTION takt.invite_person(person integer, code_sha256 bytea)
RETURNS boolean
LANGUAGE plpgsql STRICT
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  invited record;
BEGIN
  SELECT * INTO invited FROM takt.users WHERE pid = person FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  DELETE FROM takt.access_tokens WHERE pid = person AND description = 'invitation';
  INSERT INTO takt.access_tokens (token_sha256, kind, pid, description, expires_at)
  VALUES (code_sha256, 'page', person, 'invitation', now() + interval '7 days');
  PERFORM takt.note_audit('person-invited', takt.audit_subject('person', person::text, to_jsonb(invited)), '{}');
  RETURN true;
END $$;

-- Returns whether a token may change access, and the companies whose people, clients and tokens it may change and which it
-- may give; null stands for all companies.
CREATE FUNCTION takt.find_administrator(given_sha256 bytea, OUT pid integer, OUT is_allowed boolean, OUT own integer[])
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  asker record;
BEGIN
  SELECT * INTO asker FROM takt.find_access_token(given_sha256);
  pid := asker.pid;
  -- A token with a client is refused: the client would be limited to its permissions, but changing access is a duty of
  -- a person.
  is_allowed := asker.duties IS NOT NULL AND asker.api_client_id IS NULL AND 'manage-access' = ANY (asker.duties);
  IF NOT 'operate-all-companies' = ANY (asker.duties) THEN
    own := ARRAY(SELECT (listed ->> 'company_id')::integer FROM json_array_elements(asker.companies) AS listed);
  END IF;
END $$;

-- True if an administrator of these companies may give roles: no more than the rights in these companies.
CREATE FUNCTION takt.may_give_roles(own integer[], given_roles text[])
RETURNS boolean
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT own IS NULL OR NOT 'operate-all-companies' = ANY (takt.duties_with_roles('{}', coalesce(given_roles, '{}')))
$$;

-- A change made on the dashboard. The session's token proves the right to make it. Returns null on success, otherwise
-- not-allowed, unknown, yourself, or other-companies: without the duty operate-all-companies, an administrator reaches
-- only people, clients and tokens whose companies are all their own, and gives only these. The details are the new roles,
-- the e-mail address, or the hash of an invitation.
CREATE FUNCTION takt.administer(given_sha256 bytea, change text, id bigint, companies integer[] DEFAULT NULL,
  details jsonb DEFAULT NULL)
RETURNS text
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  asker record;
  given_roles text[] := ARRAY(SELECT jsonb_array_elements_text(details -> 'roles'));
  was_found boolean;
BEGIN
  SELECT * INTO asker FROM takt.find_administrator(given_sha256);
  IF asker.is_allowed IS NOT TRUE THEN
    RETURN 'not-allowed';
  END IF;
  -- Administrators cannot lock themselves out.
  IF change IN ('disable-person', 'set-person-companies', 'set-person-roles') AND id = asker.pid THEN
    RETURN 'yourself';
  END IF;
  -- The row is locked before the check, so that a change of companies by somebody else cannot come between.
  IF change LIKE '%person%' THEN
    PERFORM FROM takt.users WHERE pid = id FOR UPDATE;
  ELSIF change LIKE '%-client' THEN
    PERFORM FROM takt.api_clients WHERE api_client_id = id FOR UPDATE;
  ELSE
    PERFORM FROM takt.token_families
    WHERE token_family_id = (SELECT token_family_id FROM takt.access_tokens WHERE access_token_id = id) FOR UPDATE;
    PERFORM FROM takt.access_tokens WHERE access_token_id = id FOR UPDATE;
  END IF;
  IF NOT FOUND THEN
    RETURN 'unknown';
  END IF;
  -- The asker may have lost rights or companies while this waited.
  SELECT * INTO asker FROM takt.find_administrator(given_sha256);
  IF asker.is_allowed IS NOT TRUE THEN
    RETURN 'not-allowed';
  END IF;
  IF asker.own IS NOT NULL AND ((takt.companies_concerned(change, id) <@ asker.own) IS NOT TRUE
    OR NOT coalesce(companies, '{}') <@ asker.own OR NOT takt.may_give_roles(asker.own, given_roles)) THEN
    RETURN 'other-companies';
  END IF;
  PERFORM takt.act_as(given_sha256);
  was_found := CASE change
    WHEN 'disable-person' THEN takt.disable_person(id::integer)
    WHEN 'enable-person' THEN takt.enable_person(id::integer)
    WHEN 'set-person-companies' THEN takt.set_user_companies(id::integer, companies)
    WHEN 'set-person-roles' THEN takt.set_user_roles(id::integer, given_roles)
    WHEN 'set-person-email' THEN takt.set_user_email(id::integer, details ->> 'email')
    WHEN 'invite-person' THEN takt.invite_person(id::integer, decode(details ->> 'code_sha256', 'hex'))
    WHEN 'disable-client' THEN takt.disable_client(id::integer)
    WHEN 'enable-client' THEN takt.enable_client(id::integer)
    WHEN 'revoke-token' THEN takt.end_token(id, NULL)
  END;
  RETURN CASE WHEN was_found IS NOT TRUE THEN 'unknown' END;
END $$;

-- Adds a person on the dashboard, with an invitation: nobody knows the password until the person has set one. Returns the
-- PID, or the reason of a refusal as administer does.
CREATE FUNCTION takt.add_person(given_sha256 bytea, person_first_name text, person_name text, address text,
  companies integer[], given_roles text[], code_sha256 bytea, OUT refused text, OUT added integer)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  asker record;
BEGIN
  SELECT * INTO asker FROM takt.find_administrator(given_sha256);
  IF asker.is_allowed IS NOT TRUE THEN
    refused := 'not-allowed';
  ELSIF asker.own IS NOT NULL AND (companies <@ asker.own AND takt.may_give_roles(asker.own, given_roles)) IS NOT TRUE THEN
    refused := 'other-companies';
  ELSE
    PERFORM takt.act_as(given_sha256);
    -- Two additions at a time would take the same number.
    LOCK TABLE takt.users IN SHARE ROW EXCLUSIVE MODE;
    INSERT INTO takt.users (pid, first_name, name, email, roles, password)
    SELECT greatest(max(pid), 1000) + 1, person_first_name, person_name, address,
      ARRAY(SELECT role FROM takt.roles WHERE role = ANY (given_roles) ORDER BY role),
      ROW(substr(sha256(uuid_send(gen_random_uuid())), 1, 16), 16384, 8, 5,
        sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())))::takt.slow_hash
    FROM takt.users
    RETURNING pid INTO added;
    INSERT INTO takt.user_companies (pid, ordinal, company_id)
    SELECT added, ordinal, id FROM unnest(companies) WITH ORDINALITY AS given (id, ordinal);
    PERFORM takt.invite_person(added, code_sha256);
  END IF;
END $$;

-- Sets the actor of this transaction's audit entries to the holder of a token, even a revoked one. Returns true if the
-- token exists.
CREATE FUNCTION takt.act_as(given_sha256 bytea)
RETURNS boolean
LANGUAGE sql
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT count(set_config('takt.actor',
    CASE WHEN person.pid IS NULL THEN 'token ' || token.access_token_id
      ELSE concat_ws(' ', 'PID', person.pid, person.first_name, person.name) END, true)) = 1
  FROM takt.access_tokens token LEFT JOIN takt.users person USING (pid)
  WHERE token.token_sha256 = given_sha256
$$;

-- Logs an import, or a change of rejected events, a queue or a job, made on the dashboard by the holder of a token. Changes of rights
-- have entries of their own, which no app can write.
CREATE FUNCTION takt.note_audit_of(given_sha256 bytea, action text, subject text, details jsonb)
RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF action !~ '^(rejected|queue|job|import)-[a-z]+$' THEN
    RAISE EXCEPTION 'the action % is not of an operator', action;
  END IF;
  IF takt.act_as(given_sha256) THEN
    PERFORM takt.note_audit(action, subject, details);
  END IF;
END $$;

REVOKE EXECUTE ON FUNCTION takt.set_user_companies(integer, integer[]), takt.enable_person(integer), takt.disable_person(integer),
  takt.enable_client(integer), takt.disable_client(integer), takt.end_token(bigint, bytea), takt.act_as(bytea),
  takt.companies_concerned(text, bigint), takt.companies_of_token(bigint),
  takt.set_user_roles(integer, text[]), takt.set_user_email(integer, text), takt.invite_person(integer, bytea),
  takt.find_administrator(bytea), takt.may_give_roles(integer[], text[]),
  takt.add_person(bytea, text, text, text, integer[], text[], bytea),
  takt.administer(bytea, text, bigint, integer[], jsonb), takt.note_audit_of(bytea, text, text, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.administer(bytea, text, bigint, integer[], jsonb),
  takt.add_person(bytea, text, text, text, integer[], text[], bytea),
  takt.note_audit_of(bytea, text, text, jsonb) TO takt_dashboard;
