-- Returns the reasons of the events of a batch that have no effect, in their order. For an operation that the batch has
-- written, these are all events but the newest. companies and events: as for write_to_ledger, which must have been
-- called before; the written operations are its result. pruned: the result of find_pruned; null if no operation of the
-- batch was pruned. Of a pruned operation only the revision is known: an event with the same revision counts as a
-- duplicate, whatever its content. numbers, misnamed: the result of number_objects; null if nothing is named by a key.
CREATE FUNCTION takt.explain_ineffective_events(only_company integer, companies integer[], events json, numbers bigint[],
  misnamed text[], written_companies integer[], written_operations bigint[], pruned bigint[])
RETURNS TABLE ("position" integer, outcome text, pruned_before date, misnamed_kind text)
LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY
  SELECT (event.ordinality - 1)::integer,
    CASE
      WHEN event.company IS NULL THEN 'unknown-company'
      WHEN event.misnamed_kind IS NOT NULL THEN 'conflict'
      WHEN event.revision < event.pruned_revision THEN 'stale'
      WHEN event.revision = event.pruned_revision THEN 'duplicate'
      WHEN event.pruned_revision IS NOT NULL THEN 'conflict'
      WHEN event.revision < ledger.revision THEN 'stale'
      WHEN (event.version, event."order", event.changed_at,
          event.run_time, event.setup_time, event.cleanup_time)
        IS NOT DISTINCT FROM (ledger.product_structure_version_id, ledger.work_order_id, ledger.changed_at,
          ledger.run_time, ledger.setup_time, ledger.cleanup_time) THEN 'duplicate'
      ELSE 'conflict'
    END,
    CASE WHEN event.revision > event.pruned_revision THEN
      (SELECT pruning.pruned_before FROM takt.prunings pruning WHERE pruning.company_id = coalesce(only_company, event.company))
    END,
    event.misnamed_kind
  FROM (
    SELECT *, row_number() OVER (PARTITION BY company, operation
      ORDER BY numbered.misnamed_kind IS NOT NULL, revision DESC, ordinality) = 1 AS is_newest
    FROM (
      SELECT *, coalesce(version_number, product_structure_version_id) AS version,
        coalesce(order_number, work_order_id) AS "order", coalesce(operation_number, work_order_operation_id) AS operation
      FROM ROWS FROM (unnest(companies), unnest(pruned), unnest(misnamed), unnest(numbers[1:1]), unnest(numbers[2:2]),
          unnest(numbers[3:3]), json_populate_recordset(NULL::takt.work_order_operations, events))
        WITH ORDINALITY AS given (company, pruned_revision, misnamed_kind, version_number, order_number, operation_number)
    ) AS numbered
  ) AS event
  -- OFFSET 0 makes the planner look each event up by the whole key.
  LEFT JOIN LATERAL (
    SELECT * FROM takt.work_order_operations known
    WHERE known.company_id = coalesce(only_company, event.company)
      AND known.work_order_operation_id = event.operation
    OFFSET 0
  ) AS ledger ON true
  WHERE (event.is_newest AND event.misnamed_kind IS NULL AND (event.company, event.operation) IN (
    SELECT * FROM unnest(written_companies, written_operations))) IS NOT TRUE
  ORDER BY event.ordinality;
END $$;

REVOKE EXECUTE ON FUNCTION takt.explain_ineffective_events(integer, integer[], json, bigint[], text[], integer[], bigint[], bigint[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.explain_ineffective_events(integer, integer[], json, bigint[], text[], integer[], bigint[], bigint[]) TO takt_worker;
