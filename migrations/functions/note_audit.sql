-- The audit log records who changed what, and when. The setting takt.actor contains the name of the actor; by default
-- it is the session's log-in.

CREATE FUNCTION takt.note_audit(action text, subject text, details jsonb)
RETURNS void
LANGUAGE sql
SET search_path = pg_catalog, pg_temp
AS $$
  INSERT INTO takt.audit_log (actor, action, subject, details)
  VALUES (coalesce(nullif(current_setting('takt.actor', true), ''), 'log-in ' || session_user), action, left(subject, 500),
    details)
$$;

-- Returns the codes of the companies of a person or a client, the default first.
CREATE FUNCTION takt.company_codes(person integer, client integer)
RETURNS text[]
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(array_agg(company.code ORDER BY own.ordinal), '{}')
  FROM (
    SELECT ordinal, company_id FROM takt.user_companies WHERE pid = person
    UNION ALL
    SELECT ordinal, company_id FROM takt.api_client_companies WHERE api_client_id = client
  ) own
  JOIN takt.companies company USING (company_id)
$$;

-- Trigger that logs a new or changed row with its public columns. Its arguments are the kind of thing, the key, the
-- columns, and the column of a secret, of which only a renewal is logged. It runs at commit, when the companies of a
-- new row have been stored.
CREATE FUNCTION takt.note_row()
RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  made boolean := TG_OP = 'INSERT';
  after jsonb := to_jsonb(NEW);
  before jsonb := CASE WHEN NOT made THEN to_jsonb(OLD) END;
  id text := after ->> TG_ARGV[1];
  noted jsonb;
BEGIN
  SELECT jsonb_object_agg(column_name, CASE WHEN made THEN after -> column_name
    ELSE jsonb_build_object('from', before -> column_name, 'to', after -> column_name) END)
  INTO noted
  FROM unnest(TG_ARGV[2]::text[]) AS column_name
  WHERE CASE WHEN made THEN after -> column_name NOT IN ('null', '[]', 'false')
    ELSE before -> column_name <> after -> column_name END;
  IF NOT made AND before -> TG_ARGV[3] <> after -> TG_ARGV[3] THEN
    noted := coalesce(noted, '{}') || jsonb_build_object(TG_ARGV[3], 'renewed');
  END IF;
  IF made THEN
    noted := coalesce(noted, '{}') || jsonb_build_object('companies', CASE TG_ARGV[0]
      WHEN 'person' THEN takt.company_codes(id::integer, NULL)
      WHEN 'client' THEN takt.company_codes(NULL, id::integer)
      ELSE ARRAY(SELECT company.code FROM takt.access_token_companies own JOIN takt.companies company USING (company_id)
        WHERE own.access_token_id = id::bigint ORDER BY own.ordinal) END);
  END IF;
  IF noted IS NOT NULL THEN
    PERFORM takt.note_audit(TG_ARGV[0] || CASE WHEN made THEN '-added' ELSE '-changed' END,
      concat_ws(' ', TG_ARGV[0], id, after ->> 'first_name', after ->> 'name'), noted);
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER note_person AFTER INSERT OR UPDATE ON takt.users DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
EXECUTE FUNCTION takt.note_row('person', 'pid', '{first_name,name,roles,duties,disabled_at}', 'password');

CREATE CONSTRAINT TRIGGER note_client AFTER INSERT OR UPDATE ON takt.api_clients DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
EXECUTE FUNCTION takt.note_row('client', 'api_client_id',
  '{name,is_public,redirect_uris,permissions,roles,duties,disabled_at}', 'secret');

-- Tokens that are created by signing in are not logged, because they do not change rights.
CREATE CONSTRAINT TRIGGER note_token AFTER INSERT ON takt.access_tokens DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
WHEN (NEW.kind = 'command-line')
EXECUTE FUNCTION takt.note_row('token', 'access_token_id',
  '{description,expires_at,api_client_id,pid,duties,may_publish}', '');

REVOKE EXECUTE ON FUNCTION takt.note_audit(text, text, jsonb), takt.company_codes(integer, integer), takt.note_row() FROM PUBLIC;
