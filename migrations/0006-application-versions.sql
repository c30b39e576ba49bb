CREATE TABLE takt.application_versions (
  company_id integer NOT NULL REFERENCES takt.companies,
  application_version_id bigint NOT NULL,
  application_id bigint NOT NULL,
  changed_at timestamptz NOT NULL,
  status integer,
  type text NOT NULL,
  name text NOT NULL,
  descriptive_name text,
  description text,
  namespace text,
  master_url text,
  lookup_key text,
  lookup_priority integer,
  content_type text,
  change_description text,
  created_at timestamptz,
  created_by_user_id bigint,
  created_by_first_name text,
  created_by_name text,
  restricted_to_company_id bigint,
  restricted_to_database text,
  permission_id bigint,
  permission_name text,
  scope text,
  is_changed boolean,
  changed_by_user_id bigint,
  changed_by_first_name text,
  changed_by_name text,
  is_pending_deployment boolean,
  field_order text,
  PRIMARY KEY (company_id, application_version_id)
);
COMMENT ON COLUMN takt.application_versions.changed_at IS
  'newest application-version.changed.v1 taken in';
COMMENT ON COLUMN takt.application_versions.field_order IS
  'CustomFieldOrder.FieldOrder: JSON as its writer sent it, never parsed here';

GRANT SELECT, INSERT, UPDATE ON takt.application_versions TO takt_worker;
GRANT SELECT ON takt.application_versions TO takt_api;

-- Takes a batch of application-version.changed.v1 in, in the caller's transaction; the newest changedAt wins, of
-- two at the same instant the first to arrive stays.
--
-- events: JSON array of objects whose keys are the columns above, with database in place of company_id.
-- Returns a row for what had no effect: its position in the array (from 0) and why, stale or unknown-company.
CREATE FUNCTION takt.apply_application_version_changes(events json)
RETURNS TABLE ("position" integer, outcome text)
LANGUAGE sql
BEGIN ATOMIC
  WITH event AS (
    SELECT item.ordinality AS ordinal, company.company_id AS known_company_id, change.*
    FROM json_array_elements(events) WITH ORDINALITY AS item
    LEFT JOIN takt.companies company ON company.code = item.value ->> 'database'
    CROSS JOIN LATERAL json_populate_record(NULL::takt.application_versions, item.value) AS change
  ), newest AS (
    SELECT DISTINCT ON (known_company_id, application_version_id) *
    FROM event WHERE known_company_id IS NOT NULL
    ORDER BY known_company_id, application_version_id, changed_at DESC, ordinal
  ), written AS (
    INSERT INTO takt.application_versions AS known (company_id, application_version_id, application_id, changed_at,
      status, type, name, descriptive_name, description, namespace, master_url, lookup_key, lookup_priority,
      content_type, change_description, created_at, created_by_user_id, created_by_first_name, created_by_name,
      restricted_to_company_id, restricted_to_database, permission_id, permission_name, scope, is_changed,
      changed_by_user_id, changed_by_first_name, changed_by_name, is_pending_deployment, field_order)
    SELECT known_company_id, application_version_id, application_id, changed_at,
      status, type, name, descriptive_name, description, namespace, master_url, lookup_key, lookup_priority,
      content_type, change_description, created_at, created_by_user_id, created_by_first_name, created_by_name,
      restricted_to_company_id, restricted_to_database, permission_id, permission_name, scope, is_changed,
      changed_by_user_id, changed_by_first_name, changed_by_name, is_pending_deployment, field_order
    FROM newest
    ORDER BY known_company_id, application_version_id
    ON CONFLICT (company_id, application_version_id) DO UPDATE SET
      application_id = excluded.application_id, changed_at = excluded.changed_at, status = excluded.status,
      type = excluded.type, name = excluded.name, descriptive_name = excluded.descriptive_name,
      description = excluded.description, namespace = excluded.namespace, master_url = excluded.master_url,
      lookup_key = excluded.lookup_key, lookup_priority = excluded.lookup_priority,
      content_type = excluded.content_type, change_description = excluded.change_description,
      created_at = excluded.created_at, created_by_user_id = excluded.created_by_user_id,
      created_by_first_name = excluded.created_by_first_name, created_by_name = excluded.created_by_name,
      restricted_to_company_id = excluded.restricted_to_company_id,
      restricted_to_database = excluded.restricted_to_database, permission_id = excluded.permission_id,
      permission_name = excluded.permission_name, scope = excluded.scope, is_changed = excluded.is_changed,
      changed_by_user_id = excluded.changed_by_user_id, changed_by_first_name = excluded.changed_by_first_name,
      changed_by_name = excluded.changed_by_name, is_pending_deployment = excluded.is_pending_deployment,
      field_order = excluded.field_order
    WHERE known.changed_at < excluded.changed_at
    RETURNING new.company_id, new.application_version_id
  )
  SELECT (event.ordinal - 1)::integer, CASE WHEN known_company_id IS NULL THEN 'unknown-company' ELSE 'stale' END
  FROM event
  WHERE NOT EXISTS (
    SELECT FROM newest JOIN written ON written.company_id = newest.known_company_id
      AND written.application_version_id = newest.application_version_id
    WHERE newest.ordinal = event.ordinal)
  ORDER BY event.ordinal;
END;

REVOKE EXECUTE ON FUNCTION takt.apply_application_version_changes(json) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.apply_application_version_changes(json) TO takt_worker;
