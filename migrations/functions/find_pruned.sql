-- Returns for each event, in order, the revision of its operation if that was pruned; otherwise null. companies and
-- events: as for write_to_ledger. operations: the numbers of the operations that are named by keys; null if there are none.
CREATE FUNCTION takt.find_pruned(only_company integer, companies integer[], events json, operations bigint[]) RETURNS bigint[]
LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  RETURN (
    SELECT array_agg(known.revision ORDER BY event.ordinality)
    FROM (
      SELECT company, ordinality, coalesce(number, work_order_operation_id) AS operation
      FROM ROWS FROM (unnest(companies), unnest(operations), json_to_recordset(events) AS (work_order_operation_id bigint))
        WITH ORDINALITY AS given (company, number)
    ) AS event
    -- OFFSET 0 makes the planner look each event up by the whole key.
    LEFT JOIN LATERAL (
      SELECT revisions[1 + event.operation % 1024] AS revision FROM takt.pruned_operations pruned
      WHERE pruned.company_id = coalesce(only_company, event.company) AND pruned.block = event.operation / 1024
      OFFSET 0
    ) AS known ON true
  );
END $$;

-- Returns companies, but with null for each event whose operation was pruned. pruned: the result of find_pruned.
CREATE FUNCTION takt.without_pruned(companies integer[], pruned bigint[]) RETURNS integer[]
LANGUAGE sql IMMUTABLE
RETURN (
  SELECT array_agg(CASE WHEN revision IS NULL THEN company END ORDER BY ordinality)
  FROM unnest(companies, pruned) WITH ORDINALITY AS event (company, revision)
);

REVOKE EXECUTE ON FUNCTION takt.find_pruned(integer, integer[], json, bigint[]), takt.without_pruned(integer[], bigint[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.find_pruned(integer, integer[], json, bigint[]), takt.without_pruned(integer[], bigint[]) TO takt_worker;
