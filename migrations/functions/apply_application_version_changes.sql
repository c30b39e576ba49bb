-- Applies a batch of application-version.changed.v1 in the caller's transaction. The newest changedAt wins. Of two events
-- with an equal changedAt, the one that arrived first wins; the other is a duplicate if it has the same content, and
-- otherwise a conflict. A stored changedAt that no event may have any more, because it is years ahead of the clock, loses
-- against every event.
--
-- only_company, companies: as for apply_work_order_operation_events.
-- events: a JSON array of objects. Their keys are the columns of takt.application_versions without company_id.
--
-- Returns a row for each event without effect: its position in the array (from 0), and the reason: unknown-company,
-- duplicate or stale. A conflict is stale with is_conflict, which workers of 1.0.0 do not know.
CREATE FUNCTION takt.apply_application_version_changes(only_company integer, companies integer[], events json)
RETURNS TABLE ("position" integer, outcome text, is_conflict boolean)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  effective bigint[];
BEGIN
  WITH newest AS (
    SELECT DISTINCT ON (company, application_version_id) *
    FROM ROWS FROM (unnest(companies), json_populate_recordset(NULL::takt.application_versions, events))
      WITH ORDINALITY AS event (company)
    WHERE company IS NOT NULL
    ORDER BY company, application_version_id, changed_at DESC, ordinality
  ), written AS (
    INSERT INTO takt.application_versions AS known
    SELECT company, application_version_id, application_id, changed_at,
      status, type, name, descriptive_name, description, namespace, master_url, lookup_key, lookup_priority,
      content_type, change_description, created_at, created_by_user_id, created_by_first_name, created_by_name,
      restricted_to_company_id, restricted_to_database, permission_id, permission_name, scope, is_changed,
      changed_by_user_id, changed_by_first_name, changed_by_name, is_pending_deployment, field_order
    FROM newest
    ORDER BY company, application_version_id
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
    WHERE known.changed_at < excluded.changed_at OR known.changed_at > takt.impossible_from()
    RETURNING new.company_id, new.application_version_id
  )
  -- A subquery in the condition of an aggregate is hashed. A join of newest and written would compare all rows with all,
  -- because the planner expects a single row in each.
  SELECT array_agg(ordinality) FILTER (WHERE
    (company, application_version_id) IN (SELECT company_id, application_version_id FROM written))
  INTO effective
  FROM newest;

  IF effective IS NOT NULL THEN
    PERFORM takt.note_changes(array_remove(companies, NULL));
  END IF;

  RETURN QUERY
  SELECT (ordinality - 1)::integer,
    CASE WHEN company IS NULL THEN 'unknown-company' WHEN compared.is_same THEN 'duplicate' ELSE 'stale' END,
    compared.is_same IS FALSE
  FROM ROWS FROM (unnest(companies), json_populate_recordset(NULL::takt.application_versions, events))
    WITH ORDINALITY AS event (company)
  -- True if the stored row has the same content; null unless both changed at the same instant.
  LEFT JOIN LATERAL (
    SELECT to_jsonb(known) - 'company_id' = to_jsonb(event) - '{company,company_id,ordinality}'::text[] AS is_same
    FROM takt.application_versions known
    WHERE known.company_id = coalesce(only_company, event.company)
      AND known.application_version_id = event.application_version_id AND known.changed_at = event.changed_at
    OFFSET 0
  ) AS compared ON true
  WHERE ordinality NOT IN (SELECT unnest(effective))
  ORDER BY ordinality;
END $$;

-- The same for events of any number of companies, on a single server. databases: the company code of each event.
CREATE FUNCTION takt.apply_application_version_changes(databases text[], events json)
RETURNS TABLE ("position" integer, outcome text, is_conflict boolean)
LANGUAGE sql AS $$
  SELECT * FROM takt.apply_application_version_changes(NULL, takt.find_companies(databases), events)
$$;

REVOKE EXECUTE ON FUNCTION takt.apply_application_version_changes(integer, integer[], json),
  takt.apply_application_version_changes(text[], json) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.apply_application_version_changes(integer, integer[], json),
  takt.apply_application_version_changes(text[], json) TO takt_worker;
