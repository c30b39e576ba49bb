-- Applies a batch of application-version.changed.v1 in the caller's transaction. The newest changedAt wins; if two are
-- equal, the event that arrived first wins.
--
-- only_company, companies: as for apply_work_order_operation_events.
-- events: a JSON array of objects. Their keys are the columns of takt.application_versions without company_id.
--
-- Returns a row for each event without effect: its position in the array (from 0), and the reason, stale or
-- unknown-company.
CREATE FUNCTION takt.apply_application_version_changes(only_company integer, companies integer[], events json)
RETURNS TABLE ("position" integer, outcome text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  without_effect bigint;
BEGIN
  RETURN QUERY
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
    WHERE known.changed_at < excluded.changed_at
    RETURNING new.company_id, new.application_version_id
  )
  SELECT (ordinality - 1)::integer, CASE WHEN company IS NULL THEN 'unknown-company' ELSE 'stale' END
  FROM unnest(companies) WITH ORDINALITY AS event (company)
  WHERE ordinality NOT IN (
    -- A subquery in the condition of an aggregate is hashed. A join of newest and written would compare all rows with
    -- all, because the planner expects a single row in each.
    SELECT unnest(array_agg(ordinality) FILTER (WHERE
      (company, application_version_id) IN (SELECT company_id, application_version_id FROM written)))
    FROM newest)
  ORDER BY ordinality;
  GET DIAGNOSTICS without_effect = ROW_COUNT;

  IF without_effect < cardinality(companies) THEN
    PERFORM takt.note_changes(array_remove(companies, NULL));
  END IF;
END $$;

-- The same for events of any number of companies, on a single server. databases: the company code of each event.
CREATE FUNCTION takt.apply_application_version_changes(databases text[], events json)
RETURNS TABLE ("position" integer, outcome text)
LANGUAGE sql AS $$
  SELECT * FROM takt.apply_application_version_changes(NULL, takt.find_companies(databases), events)
$$;

REVOKE EXECUTE ON FUNCTION takt.apply_application_version_changes(integer, integer[], json),
  takt.apply_application_version_changes(text[], json) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.apply_application_version_changes(integer, integer[], json),
  takt.apply_application_version_changes(text[], json) TO takt_worker;
