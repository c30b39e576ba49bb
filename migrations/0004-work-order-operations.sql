-- The ledger: the newest known state of every work order operation. What counts is decided here, by identity
-- and revision, never by the queue. No foreign keys: this is the hot table, its rows come in only through
-- apply_work_order_operation_events, which joins companies, and structure versions may be unknown.
CREATE TABLE takt.work_order_operations (
  company_id integer NOT NULL,
  work_order_operation_id bigint NOT NULL,
  revision bigint NOT NULL,
  product_structure_version_id bigint,
  work_order_id bigint,
  changed_at timestamptz NOT NULL,
  run_time numeric(13,6),
  setup_time numeric(13,6),
  cleanup_time numeric(13,6),
  PRIMARY KEY (company_id, work_order_operation_id),
  CHECK ((product_structure_version_id IS NULL) = (run_time IS NULL))
);
COMMENT ON COLUMN takt.work_order_operations.product_structure_version_id IS
  'null: reopened, does not count';
COMMENT ON COLUMN takt.work_order_operations.changed_at IS
  'completedAt or reopenedAt of the event';

-- Finds the next shortest or longest when the extreme has left, and feeds audit and rebuild. One covering index
-- with a scan of the structure version's operations, not one index per time: an extreme leaves in about 2 of n
-- corrections, so the scan is paid back by every event that writes one index entry instead of three.
CREATE INDEX work_order_operations_of_structure_version
  ON takt.work_order_operations (company_id, product_structure_version_id)
  INCLUDE (run_time, setup_time, cleanup_time)
  WHERE product_structure_version_id IS NOT NULL;

GRANT SELECT, INSERT, UPDATE ON takt.work_order_operations TO takt_worker;

-- What one batch changes in the figures of one structure version: per time the difference of count, sum and sum
-- of squares, the extremes of the values that came and of those that left. Lives only inside the function below.
CREATE TYPE takt.production_time_change AS (
  company_id integer,
  product_structure_version_id bigint,
  run_count bigint, run_sum numeric, run_squares numeric,
  run_came_min numeric, run_came_max numeric, run_left_min numeric, run_left_max numeric,
  setup_count bigint, setup_sum numeric, setup_squares numeric,
  setup_came_min numeric, setup_came_max numeric, setup_left_min numeric, setup_left_max numeric,
  cleanup_count bigint, cleanup_sum numeric, cleanup_squares numeric,
  cleanup_came_min numeric, cleanup_came_max numeric, cleanup_left_min numeric, cleanup_left_max numeric
);

-- Takes a batch of completions and reopenings into ledger and figures, in the caller's transaction.
--
-- events: JSON array of objects {database, operation, revision, structureVersion, workOrder, changedAt, runTime,
--   setupTime, cleanupTime}, times in hours; structureVersion and the times are null for a reopening.
-- Returns a row only for what had no effect: its position in the array (from 0) and why, one of
--   duplicate, stale, conflict, unknown-company.
--
-- The caller may rely on: correct at READ COMMITTED with any number of concurrent callers; a batch may hold an
-- operation any number of times; locks are taken in one order (operations, then structure versions, each by
-- key), so batches do not deadlock with each other.
CREATE FUNCTION takt.apply_work_order_operation_events(events json)
RETURNS TABLE ("position" integer, outcome text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  changes takt.production_time_change[];
  applied integer[];
BEGIN
  -- The ledger first. RETURNING old and new give the exact change of each operation; what is signed -1 leaves
  -- the figures, what is signed 1 comes. ON CONFLICT cannot touch a row twice, so only the newest revision of
  -- each operation goes in.
  WITH event AS (
    SELECT company.company_id, e.*
    FROM ROWS FROM (json_to_recordset(events) AS (
      database text, operation bigint, revision bigint, "structureVersion" bigint, "workOrder" bigint,
      "changedAt" timestamptz, "runTime" numeric(13,6), "setupTime" numeric(13,6), "cleanupTime" numeric(13,6)
    )) WITH ORDINALITY AS e (database, operation, revision, structure_version, work_order, changed_at,
      run_time, setup_time, cleanup_time, ordinal)
    JOIN takt.companies company ON company.code = e.database
  ), newest AS (
    SELECT DISTINCT ON (company_id, operation) *
    FROM event
    ORDER BY company_id, operation, revision DESC, ordinal
  ), written AS (
    INSERT INTO takt.work_order_operations AS ledger (company_id, work_order_operation_id, revision,
      product_structure_version_id, work_order_id, changed_at, run_time, setup_time, cleanup_time)
    SELECT company_id, operation, revision, structure_version, work_order, changed_at,
      run_time, setup_time, cleanup_time
    FROM newest
    ORDER BY company_id, operation
    ON CONFLICT (company_id, work_order_operation_id) DO UPDATE SET
      revision = excluded.revision,
      product_structure_version_id = excluded.product_structure_version_id,
      work_order_id = excluded.work_order_id,
      changed_at = excluded.changed_at,
      run_time = excluded.run_time,
      setup_time = excluded.setup_time,
      cleanup_time = excluded.cleanup_time
    WHERE ledger.revision < excluded.revision
    RETURNING new.company_id, new.work_order_operation_id AS operation,
      old.product_structure_version_id AS old_version,
      old.run_time AS old_run, old.setup_time AS old_setup, old.cleanup_time AS old_cleanup,
      new.product_structure_version_id AS new_version,
      new.run_time AS new_run, new.setup_time AS new_setup, new.cleanup_time AS new_cleanup
  ), signed AS (
    SELECT company_id, old_version AS version, -1 AS sign, old_run AS run, old_setup AS setup, old_cleanup AS cleanup
    FROM written WHERE old_version IS NOT NULL
    UNION ALL
    SELECT company_id, new_version, 1, new_run, new_setup, new_cleanup
    FROM written WHERE new_version IS NOT NULL
  ), change AS (
    SELECT (company_id, version,
      sum(sign), sum(sign * run), sum(sign * run * run),
      min(run) FILTER (WHERE sign = 1), max(run) FILTER (WHERE sign = 1),
      min(run) FILTER (WHERE sign = -1), max(run) FILTER (WHERE sign = -1),
      coalesce(sum(sign) FILTER (WHERE setup IS NOT NULL), 0),
      coalesce(sum(sign * setup), 0), coalesce(sum(sign * setup * setup), 0),
      min(setup) FILTER (WHERE sign = 1), max(setup) FILTER (WHERE sign = 1),
      min(setup) FILTER (WHERE sign = -1), max(setup) FILTER (WHERE sign = -1),
      coalesce(sum(sign) FILTER (WHERE cleanup IS NOT NULL), 0),
      coalesce(sum(sign * cleanup), 0), coalesce(sum(sign * cleanup * cleanup), 0),
      min(cleanup) FILTER (WHERE sign = 1), max(cleanup) FILTER (WHERE sign = 1),
      min(cleanup) FILTER (WHERE sign = -1), max(cleanup) FILTER (WHERE sign = -1)
    )::takt.production_time_change AS change
    FROM signed
    GROUP BY company_id, version
    ORDER BY company_id, version
  )
  SELECT
    (SELECT array_agg(change) FROM change),
    CASE WHEN (SELECT count(*) FROM written) < json_array_length(events) THEN
      (SELECT coalesce(array_agg((newest.ordinal - 1)::integer), '{}')
       FROM newest JOIN written USING (company_id, operation))
    END
  INTO changes, applied;

  -- The figures' rows: made where missing, then locked in key order.
  INSERT INTO takt.product_structure_versions (company_id, product_structure_version_id)
  SELECT change.company_id, change.product_structure_version_id
  FROM unnest(changes) AS change
  WHERE NOT EXISTS (
    SELECT FROM takt.product_structure_versions known
    WHERE known.company_id = change.company_id
      AND known.product_structure_version_id = change.product_structure_version_id)
  ORDER BY change.company_id, change.product_structure_version_id
  ON CONFLICT DO NOTHING;

  PERFORM FROM takt.product_structure_versions figures
  JOIN unnest(changes) AS change USING (company_id, product_structure_version_id)
  ORDER BY figures.company_id, figures.product_structure_version_id
  FOR NO KEY UPDATE OF figures;

  -- A new statement, so a new snapshot, taken after the locks: whoever changed these figures before us has
  -- committed and is seen by the look-up of an extreme that left. In the statement that takes the lock, the
  -- look-up would still see the ledger as it was before the wait. It is spared where a value came that is at
  -- least as extreme as what left.
  UPDATE takt.product_structure_versions AS figures SET
    number_of_completed_operations = number_of_completed_operations + run_count,
    run_time_sum = run_time_sum + run_sum,
    run_time_sum_of_squares = run_time_sum_of_squares + run_squares,
    shortest_run_time = CASE
      WHEN run_left_min <= shortest_run_time AND (run_came_min <= shortest_run_time) IS NOT TRUE THEN (
        SELECT min(o.run_time) FROM takt.work_order_operations o
        WHERE o.company_id = figures.company_id
          AND o.product_structure_version_id = figures.product_structure_version_id)
      ELSE least(shortest_run_time, run_came_min) END,
    longest_run_time = CASE
      WHEN run_left_max >= longest_run_time AND (run_came_max >= longest_run_time) IS NOT TRUE THEN (
        SELECT max(o.run_time) FROM takt.work_order_operations o
        WHERE o.company_id = figures.company_id
          AND o.product_structure_version_id = figures.product_structure_version_id)
      ELSE greatest(longest_run_time, run_came_max) END,
    setup_time_count = setup_time_count + setup_count,
    setup_time_sum = setup_time_sum + setup_sum,
    setup_time_sum_of_squares = setup_time_sum_of_squares + setup_squares,
    shortest_setup_time = CASE
      WHEN setup_left_min <= shortest_setup_time AND (setup_came_min <= shortest_setup_time) IS NOT TRUE THEN (
        SELECT min(o.setup_time) FROM takt.work_order_operations o
        WHERE o.company_id = figures.company_id
          AND o.product_structure_version_id = figures.product_structure_version_id)
      ELSE least(shortest_setup_time, setup_came_min) END,
    longest_setup_time = CASE
      WHEN setup_left_max >= longest_setup_time AND (setup_came_max >= longest_setup_time) IS NOT TRUE THEN (
        SELECT max(o.setup_time) FROM takt.work_order_operations o
        WHERE o.company_id = figures.company_id
          AND o.product_structure_version_id = figures.product_structure_version_id)
      ELSE greatest(longest_setup_time, setup_came_max) END,
    cleanup_time_count = cleanup_time_count + cleanup_count,
    cleanup_time_sum = cleanup_time_sum + cleanup_sum,
    cleanup_time_sum_of_squares = cleanup_time_sum_of_squares + cleanup_squares,
    shortest_cleanup_time = CASE
      WHEN cleanup_left_min <= shortest_cleanup_time AND (cleanup_came_min <= shortest_cleanup_time) IS NOT TRUE THEN (
        SELECT min(o.cleanup_time) FROM takt.work_order_operations o
        WHERE o.company_id = figures.company_id
          AND o.product_structure_version_id = figures.product_structure_version_id)
      ELSE least(shortest_cleanup_time, cleanup_came_min) END,
    longest_cleanup_time = CASE
      WHEN cleanup_left_max >= longest_cleanup_time AND (cleanup_came_max >= longest_cleanup_time) IS NOT TRUE THEN (
        SELECT max(o.cleanup_time) FROM takt.work_order_operations o
        WHERE o.company_id = figures.company_id
          AND o.product_structure_version_id = figures.product_structure_version_id)
      ELSE greatest(longest_cleanup_time, cleanup_came_max) END
  FROM unnest(changes) AS change
  WHERE figures.company_id = change.company_id
    AND figures.product_structure_version_id = change.product_structure_version_id;

  -- applied is null when every event of the batch was written: the usual case, with nothing to tell.
  IF applied IS NULL THEN
    RETURN;
  END IF;

  RETURN QUERY
  SELECT (e.ordinal - 1)::integer,
    CASE
      WHEN company.company_id IS NULL THEN 'unknown-company'
      WHEN e.revision < ledger.revision THEN 'stale'
      WHEN (e.structure_version, e.work_order, e.changed_at, e.run_time, e.setup_time, e.cleanup_time)
        IS NOT DISTINCT FROM (ledger.product_structure_version_id, ledger.work_order_id, ledger.changed_at,
          ledger.run_time, ledger.setup_time, ledger.cleanup_time) THEN 'duplicate'
      ELSE 'conflict'
    END
  FROM ROWS FROM (json_to_recordset(events) AS (
    database text, operation bigint, revision bigint, "structureVersion" bigint, "workOrder" bigint,
    "changedAt" timestamptz, "runTime" numeric(13,6), "setupTime" numeric(13,6), "cleanupTime" numeric(13,6)
  )) WITH ORDINALITY AS e (database, operation, revision, structure_version, work_order, changed_at,
    run_time, setup_time, cleanup_time, ordinal)
  LEFT JOIN takt.companies company ON company.code = e.database
  -- OFFSET 0 keeps this a look-up by the whole key for each event. As a plain join, a young table without
  -- statistics gets a plan that reads all operations of the company for every duplicate.
  LEFT JOIN LATERAL (
    SELECT * FROM takt.work_order_operations known
    WHERE known.company_id = company.company_id AND known.work_order_operation_id = e.operation
    OFFSET 0
  ) AS ledger ON true
  WHERE NOT EXISTS (SELECT FROM unnest(applied) AS done WHERE done = e.ordinal - 1)
  ORDER BY e.ordinal;
END $$;

-- Recomputes the figures of the given structure versions of one company from the ledger, online: the locks and
-- the newer snapshot are those of apply_work_order_operation_events. Returns those whose figures were wrong.
CREATE FUNCTION takt.rebuild_production_times(company integer, versions bigint[])
RETURNS SETOF bigint
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO takt.product_structure_versions (company_id, product_structure_version_id)
  SELECT company, version FROM unnest(versions) AS version ORDER BY version
  ON CONFLICT DO NOTHING;

  PERFORM FROM takt.product_structure_versions
  WHERE company_id = company AND product_structure_version_id = ANY (versions)
  ORDER BY product_structure_version_id
  FOR NO KEY UPDATE;

  RETURN QUERY
  WITH recomputed AS (
    SELECT wanted.id,
      count(o.run_time) AS run_count, coalesce(sum(o.run_time), 0) AS run_sum,
      coalesce(sum(o.run_time * o.run_time), 0) AS run_squares, min(o.run_time) AS run_min, max(o.run_time) AS run_max,
      count(o.setup_time) AS setup_count, coalesce(sum(o.setup_time), 0) AS setup_sum,
      coalesce(sum(o.setup_time * o.setup_time), 0) AS setup_squares, min(o.setup_time) AS setup_min, max(o.setup_time) AS setup_max,
      count(o.cleanup_time) AS cleanup_count, coalesce(sum(o.cleanup_time), 0) AS cleanup_sum,
      coalesce(sum(o.cleanup_time * o.cleanup_time), 0) AS cleanup_squares, min(o.cleanup_time) AS cleanup_min, max(o.cleanup_time) AS cleanup_max
    FROM unnest(versions) AS wanted (id)
    LEFT JOIN takt.work_order_operations o ON o.company_id = company AND o.product_structure_version_id = wanted.id
    GROUP BY wanted.id
  )
  UPDATE takt.product_structure_versions AS figures SET
    number_of_completed_operations = run_count, run_time_sum = run_sum, run_time_sum_of_squares = run_squares,
    shortest_run_time = run_min, longest_run_time = run_max,
    setup_time_count = setup_count, setup_time_sum = setup_sum, setup_time_sum_of_squares = setup_squares,
    shortest_setup_time = setup_min, longest_setup_time = setup_max,
    cleanup_time_count = cleanup_count, cleanup_time_sum = cleanup_sum, cleanup_time_sum_of_squares = cleanup_squares,
    shortest_cleanup_time = cleanup_min, longest_cleanup_time = cleanup_max
  FROM recomputed
  WHERE figures.company_id = company AND figures.product_structure_version_id = recomputed.id
    AND (number_of_completed_operations, run_time_sum, run_time_sum_of_squares, shortest_run_time, longest_run_time,
      setup_time_count, setup_time_sum, setup_time_sum_of_squares, shortest_setup_time, longest_setup_time,
      cleanup_time_count, cleanup_time_sum, cleanup_time_sum_of_squares, shortest_cleanup_time, longest_cleanup_time)
    IS DISTINCT FROM (run_count, run_sum, run_squares, run_min, run_max,
      setup_count, setup_sum, setup_squares, setup_min, setup_max,
      cleanup_count, cleanup_sum, cleanup_squares, cleanup_min, cleanup_max)
  RETURNING figures.product_structure_version_id;
END $$;

REVOKE EXECUTE ON FUNCTION takt.apply_work_order_operation_events(json),
  takt.rebuild_production_times(integer, bigint[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.apply_work_order_operation_events(json) TO takt_worker;
