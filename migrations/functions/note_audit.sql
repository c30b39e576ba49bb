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

-- Trigger that logs a new, changed or removed row with its public columns. Its arguments are the kind of thing, the key,
-- the columns, and the column of a secret, of which only a renewal is logged. For a new row it runs at commit, when the
-- companies of the row have been stored; for others at once, so that the actor cannot change in between.
CREATE FUNCTION takt.note_row()
RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  made boolean := TG_OP = 'INSERT';
  after jsonb := to_jsonb(CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END);
  before jsonb := CASE WHEN NOT made THEN to_jsonb(OLD) END;
  id text := after ->> TG_ARGV[1];
  noted jsonb;
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM takt.note_audit(TG_ARGV[0] || '-removed', takt.audit_subject(TG_ARGV[0], id, after), '{}');
    RETURN NULL;
  END IF;
  SELECT jsonb_object_agg(column_name, CASE WHEN made THEN after -> column_name
    ELSE jsonb_build_object('from', before -> column_name, 'to', after -> column_name) END)
  INTO noted
  FROM unnest(TG_ARGV[2]::text[]) AS column_name
  WHERE CASE WHEN made THEN after -> column_name NOT IN ('null', '[]', 'false')
    ELSE before -> column_name <> after -> column_name END;
  IF NOT made AND before -> TG_ARGV[3] <> after -> TG_ARGV[3] THEN
    noted := coalesce(noted, '{}') || jsonb_build_object(TG_ARGV[3], 'renewed');
  END IF;
  IF made AND TG_ARGV[0] <> 'role' THEN
    noted := coalesce(noted, '{}') || jsonb_build_object('companies', CASE TG_ARGV[0]
      WHEN 'person' THEN takt.company_codes(id::integer, NULL)
      WHEN 'client' THEN takt.company_codes(NULL, id::integer)
      ELSE ARRAY(SELECT company.code FROM takt.access_token_companies own JOIN takt.companies company USING (company_id)
        WHERE own.access_token_id = id::bigint ORDER BY own.ordinal) END);
  END IF;
  IF noted IS NOT NULL THEN
    PERFORM takt.note_audit(TG_ARGV[0] || CASE WHEN made THEN '-added' ELSE '-changed' END,
      takt.audit_subject(TG_ARGV[0], id, after), noted);
  END IF;
  RETURN NULL;
END $$;

-- Returns how entries name a person, a client, a token or a role, e.g. "person 7 Nora Nilsen".
CREATE FUNCTION takt.audit_subject(kind text, id text, stored jsonb)
RETURNS text
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT concat_ws(' ', kind, id, stored ->> 'first_name', stored ->> 'name')
$$;

-- Trigger that logs that a token was revoked, or is valid again.
CREATE FUNCTION takt.note_token_end()
RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM takt.note_audit(CASE WHEN NEW.revoked_at IS NULL THEN 'token-restored' ELSE 'token-revoked' END,
    'token ' || NEW.access_token_id,
    jsonb_strip_nulls(jsonb_build_object('description', NEW.description, 'pid', NEW.pid, 'api_client_id', NEW.api_client_id)));
  RETURN NULL;
END $$;

-- Trigger that logs one company that a person, a client or a token got or lost by a statement of its own, and ends the
-- grants of who lost one. It is silent for new and removed owners, which have an entry with all their companies, and
-- where takt.notes_companies is off, because the caller does both for all companies together.
CREATE FUNCTION takt.note_company_of()
RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  id text := to_jsonb(CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END) ->> TG_ARGV[1];
  owner jsonb;
BEGIN
  IF TG_OP = 'UPDATE' AND to_jsonb(OLD) ->> TG_ARGV[1] <> id THEN
    RAISE EXCEPTION 'a row of takt.% cannot be given to another owner: delete it and insert another', TG_TABLE_NAME;
  END IF;
  IF current_setting('takt.notes_companies', true) = 'off' THEN
    RETURN NULL;
  END IF;
  EXECUTE format('SELECT to_jsonb(owner) FROM takt.%I owner WHERE %I = $1::bigint AND created_at <> now()', TG_ARGV[2], TG_ARGV[1])
  INTO owner USING id;
  IF owner IS NOT NULL THEN
    IF TG_OP <> 'INSERT' AND TG_ARGV[0] <> 'token' THEN
      PERFORM takt.end_grants((owner ->> 'pid')::integer, (owner ->> 'api_client_id')::integer);
    END IF;
    PERFORM takt.note_audit(TG_ARGV[0] || '-changed', takt.audit_subject(TG_ARGV[0], id, owner), jsonb_build_object('company',
      jsonb_build_object(
        'from', CASE WHEN TG_OP <> 'INSERT' THEN (SELECT code FROM takt.companies WHERE company_id = OLD.company_id) END,
        'to', CASE WHEN TG_OP <> 'DELETE' THEN (SELECT code FROM takt.companies WHERE company_id = NEW.company_id) END)));
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER note_new_person AFTER INSERT ON takt.users DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
EXECUTE FUNCTION takt.note_row('person', 'pid', '{first_name,name,email,roles,duties,disabled_at}', '');

CREATE TRIGGER note_person AFTER UPDATE OR DELETE ON takt.users FOR EACH ROW
EXECUTE FUNCTION takt.note_row('person', 'pid', '{first_name,name,email,roles,duties,disabled_at}', 'password');

CREATE CONSTRAINT TRIGGER note_new_client AFTER INSERT ON takt.api_clients DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
EXECUTE FUNCTION takt.note_row('client', 'api_client_id',
  '{name,is_public,redirect_uris,permissions,roles,duties,disabled_at}', '');

CREATE TRIGGER note_client AFTER UPDATE OR DELETE ON takt.api_clients FOR EACH ROW
EXECUTE FUNCTION takt.note_row('client', 'api_client_id',
  '{name,is_public,redirect_uris,permissions,roles,duties,disabled_at}', 'secret');

-- Logs a change of the hash alone. The first hash of a client is no change: a client from before 1.0.0 gets it when it
-- authenticates.
CREATE TRIGGER note_client_secret AFTER UPDATE ON takt.api_clients FOR EACH ROW
WHEN (OLD.secret_sha256 IS DISTINCT FROM NEW.secret_sha256 AND OLD.secret_sha256 IS NOT NULL
  AND OLD.secret IS NOT DISTINCT FROM NEW.secret)
EXECUTE FUNCTION takt.note_row('client', 'api_client_id', '{}', 'secret_sha256');

-- Tokens that are created by signing in are not logged, because they do not change rights. Nor is their end, unless
-- somebody else ends them.
CREATE CONSTRAINT TRIGGER note_new_token AFTER INSERT ON takt.access_tokens DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
WHEN (NEW.kind = 'command-line')
EXECUTE FUNCTION takt.note_row('token', 'access_token_id',
  '{description,expires_at,api_client_id,pid,duties,may_publish}', '');

CREATE TRIGGER note_token AFTER UPDATE ON takt.access_tokens FOR EACH ROW
WHEN ('command-line' IN (OLD.kind, NEW.kind) AND
  (OLD.kind, OLD.description, OLD.token_sha256, OLD.duties, OLD.may_publish, OLD.expires_at, OLD.pid, OLD.api_client_id) IS DISTINCT FROM
  (NEW.kind, NEW.description, NEW.token_sha256, NEW.duties, NEW.may_publish, NEW.expires_at, NEW.pid, NEW.api_client_id))
EXECUTE FUNCTION takt.note_row('token', 'access_token_id', '{kind,description,expires_at,api_client_id,pid,duties,may_publish}',
  'token_sha256');

CREATE TRIGGER note_token_end AFTER UPDATE ON takt.access_tokens FOR EACH ROW
WHEN (NEW.kind = 'command-line' AND (OLD.revoked_at IS NULL) <> (NEW.revoked_at IS NULL))
EXECUTE FUNCTION takt.note_token_end();

CREATE TRIGGER note_token_removal AFTER DELETE ON takt.access_tokens FOR EACH ROW
WHEN (OLD.kind = 'command-line' AND OLD.revoked_at IS NULL AND OLD.expires_at > now())
EXECUTE FUNCTION takt.note_row('token', 'access_token_id', '{}', '');

-- Roles are on every node of a cluster, where Citus allows no triggers.
DO $$
BEGIN
  IF NOT takt.is_cluster() THEN
    CREATE TRIGGER note_role AFTER INSERT OR UPDATE OR DELETE ON takt.roles FOR EACH ROW
    EXECUTE FUNCTION takt.note_row('role', 'role', '{role,duties,description}', '');
  END IF;
END $$;

CREATE TRIGGER note_company_of_person AFTER INSERT OR UPDATE OR DELETE ON takt.user_companies FOR EACH ROW
EXECUTE FUNCTION takt.note_company_of('person', 'pid', 'users');

CREATE TRIGGER note_company_of_client AFTER INSERT OR UPDATE OR DELETE ON takt.api_client_companies FOR EACH ROW
EXECUTE FUNCTION takt.note_company_of('client', 'api_client_id', 'api_clients');

CREATE TRIGGER note_company_of_token AFTER INSERT OR UPDATE OR DELETE ON takt.access_token_companies FOR EACH ROW
EXECUTE FUNCTION takt.note_company_of('token', 'access_token_id', 'access_tokens');

REVOKE EXECUTE ON FUNCTION takt.note_audit(text, text, jsonb), takt.company_codes(integer, integer), takt.note_row(),
  takt.audit_subject(text, text, jsonb), takt.note_company_of(), takt.note_token_end() FROM PUBLIC;
