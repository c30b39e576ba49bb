-- Writes the newest revision of each operation of a batch into the ledger, if it is newer than the stored one.
--
-- companies: the company of each event; null if it is not registered.
-- events, keys: as for apply_work_order_operation_events. numbers: the numbers of these keys; null if there are none.
-- zone: the time zone of the months of all companies; null if it must be looked up for each operation.
-- changes: the effects on the figures of each month of a structure version, by key; null if there are none. An
-- operation belongs to the month of its newest completion.
-- written_companies, written_operations: the operations that were written. Usually there are as many as events: then no
-- event is without effect. Otherwise explain_ineffective_events finds the events without effect. Finding them here
-- would read them a second time: a cluster sends a CTE that is used twice to every node.
--
-- Rows are locked in the order of their keys. Two sets of rows that are made in this function are never joined, because
-- the planner expects a single row in each and compares all with all. A subquery in an expression is hashed, whatever
-- number of rows the planner expects.
CREATE FUNCTION takt.write_to_ledger(companies integer[], events json, numbers bigint[], keys text[], zone text,
  OUT changes takt.figures_change[], OUT written_companies integer[], OUT written_operations bigint[])
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  -- RETURNING old and new gives the exact change of each operation: rows with sign -1 leave the figures, rows with sign
  -- 1 enter them. ON CONFLICT cannot update a row twice, so only the newest revision of each operation is inserted.
  WITH written AS (
    INSERT INTO takt.work_order_operations AS ledger (company_id, work_order_operation_id, revision,
      product_structure_version_id, work_order_id, changed_at, run_time, setup_time, cleanup_time,
      work_order_operation_key, work_order_key, event_source, event_id, event_time)
    SELECT company, operation, revision, coalesce(version, product_structure_version_id), coalesce("order", work_order_id),
      changed_at, run_time, setup_time, cleanup_time,
      nullif(operation_key, ''), nullif(order_key, ''), event_source, event_id, event_time
    FROM (
      SELECT DISTINCT ON (company, operation) *, coalesce(operation_number, work_order_operation_id) AS operation
      FROM ROWS FROM (unnest(companies), unnest(numbers[1:1]), unnest(numbers[2:2]), unnest(numbers[3:3]),
          unnest(keys[2:2]), unnest(keys[3:3]), json_populate_recordset(NULL::takt.work_order_operations, events))
        WITH ORDINALITY AS event (company, version, "order", operation_number, order_key, operation_key)
      WHERE company IS NOT NULL
      ORDER BY company, operation, revision DESC, ordinality
    ) AS newest
    ORDER BY company, operation
    ON CONFLICT (company_id, work_order_operation_id) DO UPDATE SET
      revision = excluded.revision,
      product_structure_version_id = excluded.product_structure_version_id,
      work_order_id = excluded.work_order_id,
      changed_at = excluded.changed_at,
      run_time = excluded.run_time,
      setup_time = excluded.setup_time,
      cleanup_time = excluded.cleanup_time,
      work_order_key = excluded.work_order_key,
      event_source = excluded.event_source,
      event_id = excluded.event_id,
      event_time = excluded.event_time
    WHERE ledger.revision < excluded.revision
    RETURNING new.company_id, new.work_order_operation_id,
      old.product_structure_version_id AS old_version, old.changed_at AS old_changed_at,
      old.run_time AS old_run, old.setup_time AS old_setup, old.cleanup_time AS old_cleanup,
      new.product_structure_version_id AS new_version, new.changed_at AS new_changed_at,
      new.run_time AS new_run, new.setup_time AS new_setup, new.cleanup_time AS new_cleanup
  ), signed AS (
    SELECT company_id, old_version AS version,
      takt.month_of(old_changed_at, coalesce(zone, takt.time_zone_of(company_id, old_version))) AS month,
      -1.0 AS sign, old_run AS run, old_setup AS setup, old_cleanup AS cleanup, old_changed_at AS completed_at
    FROM written WHERE old_version IS NOT NULL
    UNION ALL
    SELECT company_id, new_version, takt.month_of(new_changed_at, coalesce(zone, takt.time_zone_of(company_id, new_version))),
      1.0, new_run, new_setup, new_cleanup, new_changed_at
    FROM written WHERE new_version IS NOT NULL
  ), change AS (
    SELECT (company_id, version,
      (sum(sign) FILTER (WHERE run IS NOT NULL), sum(sign * run), sum(sign * run * run),
        min(run) FILTER (WHERE sign > 0), max(run) FILTER (WHERE sign > 0),
        min(run) FILTER (WHERE sign < 0), max(run) FILTER (WHERE sign < 0))::takt.time_change,
      (sum(sign) FILTER (WHERE setup IS NOT NULL), sum(sign * setup), sum(sign * setup * setup),
        min(setup) FILTER (WHERE sign > 0), max(setup) FILTER (WHERE sign > 0),
        min(setup) FILTER (WHERE sign < 0), max(setup) FILTER (WHERE sign < 0))::takt.time_change,
      (sum(sign) FILTER (WHERE cleanup IS NOT NULL), sum(sign * cleanup), sum(sign * cleanup * cleanup),
        min(cleanup) FILTER (WHERE sign > 0), max(cleanup) FILTER (WHERE sign > 0),
        min(cleanup) FILTER (WHERE sign < 0), max(cleanup) FILTER (WHERE sign < 0))::takt.time_change,
      month, max(completed_at) FILTER (WHERE sign > 0), max(completed_at) FILTER (WHERE sign < 0)
    )::takt.figures_change AS change
    FROM signed
    GROUP BY company_id, version, month
    ORDER BY company_id, version, month
  )
  SELECT (SELECT array_agg(change) FROM change), array_agg(company_id), array_agg(work_order_operation_id)
  INTO changes, written_companies, written_operations
  FROM written;
END $$;

REVOKE EXECUTE ON FUNCTION takt.write_to_ledger(integer[], json, bigint[], text[], text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.write_to_ledger(integer[], json, bigint[], text[], text) TO takt_worker;
