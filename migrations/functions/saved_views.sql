-- Changes of saved views. The API may only read the table, so a change requires the session of a person's page, in one of
-- the companies of the session. Any other token only reads, so it is refused (no-person). The change is also refused if
-- the person already has the maximum number of views (full).

-- Returns the person and the company of a page's session; nulls if it is not valid for that company.
CREATE FUNCTION takt.person_in_company(given_sha256 bytea, company text, OUT pid integer, OUT company_id integer)
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT granted.pid, (listed ->> 'company_id')::integer
  FROM takt.find_access_token(given_sha256) AS granted
  JOIN takt.access_tokens session ON session.access_token_id = granted.access_token_id AND session.kind = 'page',
    json_array_elements(granted.companies) AS listed
  WHERE lower(listed ->> 'code') = lower(company)
$$;

-- Saves a view under a name, replacing the person's view of that name.
CREATE FUNCTION takt.save_view(given_sha256 bytea, company text, view_name text, view_path text, view_query text, shared boolean,
  OUT refused text)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  asker record;
BEGIN
  -- Views that are saved at the same moment are counted one after the other. The rights may end during the wait.
  PERFORM pg_advisory_xact_lock(hashtext('takt saved views'), pid) FROM takt.person_in_company(given_sha256, company);
  SELECT * INTO asker FROM takt.person_in_company(given_sha256, company);
  IF asker.pid IS NULL THEN
    refused := 'no-person';
  ELSIF (
    SELECT count(*) >= 100 FROM takt.saved_views AS known
    WHERE known.company_id = asker.company_id AND known.pid = asker.pid AND known.name <> view_name) THEN
    refused := 'full';
  ELSE
    INSERT INTO takt.saved_views AS known (company_id, pid, name, path, query, is_shared)
    VALUES (asker.company_id, asker.pid, view_name, view_path, view_query, shared)
    ON CONFLICT (company_id, pid, name) DO UPDATE SET
      path = excluded.path, query = excluded.query, is_shared = excluded.is_shared, saved_at = excluded.saved_at;
    PERFORM takt.note_changes(ARRAY[asker.company_id]);
  END IF;
END $$;

-- Shares or unshares a view of the person; if shared is null, deletes it. Returns false if the person has no such view.
CREATE FUNCTION takt.change_view(given_sha256 bytea, company text, view_id bigint, shared boolean) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  asker record;
  is_found boolean;
BEGIN
  SELECT * INTO asker FROM takt.person_in_company(given_sha256, company);
  IF shared IS NULL THEN
    DELETE FROM takt.saved_views AS known
    WHERE known.company_id = asker.company_id AND known.pid = asker.pid AND known.saved_view_id = view_id;
  ELSE
    UPDATE takt.saved_views AS known SET is_shared = shared
    WHERE known.company_id = asker.company_id AND known.pid = asker.pid AND known.saved_view_id = view_id;
  END IF;
  is_found := FOUND;
  PERFORM takt.note_changes(ARRAY[asker.company_id]) WHERE is_found;
  RETURN is_found;
END $$;

REVOKE EXECUTE ON FUNCTION takt.person_in_company(bytea, text), takt.save_view(bytea, text, text, text, text, boolean),
  takt.change_view(bytea, text, bigint, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.save_view(bytea, text, text, text, text, boolean),
  takt.change_view(bytea, text, bigint, boolean) TO takt_api;
