-- Removes completed operations of one company from the ledger, if their newest state is from before a day (UTC). It
-- adds them to takt.pruned_figures, and stores their revisions in takt.pruned_operations. All figures stay the same,
-- including monthly ones. Reopened operations stay in the ledger until they are completed.
--
-- Each call is a step and a transaction; it continues with the operations after the id after_operation. up_to: the id
-- after which the next step must continue; null if there was nothing left. operations, versions: the number of pruned
-- operations, and the ids of their structure versions.
--
-- The months of the company are locked, so that no batch is running and steps wait for each other: blocks of revisions
-- are read and written in two statements. Figures are not locked, because in any snapshot an operation is either in the
-- ledger or in the sums.
CREATE FUNCTION takt.prune_operations(company integer, before date, after_operation bigint,
  OUT up_to bigint, OUT operations bigint, OUT versions bigint[])
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  begin_of_day timestamptz := before::timestamp AT TIME ZONE 'UTC';
  zones takt.month_zones;
  pruned takt.work_order_operations[];
  blocks bigint[];
BEGIN
  -- A step ends at the end of a block, so that each block of revisions is written once. If ids are far apart, a step
  -- covers fewer blocks.
  up_to := (
    SELECT (max(block) + 1) * 1024 - 1
    FROM (
      SELECT DISTINCT work_order_operation_id / 1024 AS block
      FROM (
        SELECT work_order_operation_id FROM takt.work_order_operations
        WHERE company_id = company AND work_order_operation_id > after_operation
          AND product_structure_version_id IS NOT NULL AND changed_at < begin_of_day
        ORDER BY work_order_operation_id LIMIT 1000
      ) AS next
      ORDER BY block LIMIT 32
    ) AS touched
  );
  operations := 0;
  versions := '{}';
  IF up_to IS NULL THEN
    RETURN;
  END IF;

  PERFORM takt.lock_months(company);
  SELECT * INTO zones FROM takt.month_zones WHERE company_id = company;
  INSERT INTO takt.prunings AS known VALUES (company, before)
  ON CONFLICT (company_id) DO UPDATE SET pruned_before = greatest(known.pruned_before, excluded.pruned_before);

  pruned := array(
    SELECT ledger FROM takt.work_order_operations ledger
    WHERE company_id = company AND work_order_operation_id > after_operation AND work_order_operation_id <= up_to
      AND product_structure_version_id IS NOT NULL AND changed_at < begin_of_day
    ORDER BY work_order_operation_id);
  operations := cardinality(pruned);
  versions := array(SELECT DISTINCT product_structure_version_id FROM unnest(pruned) ORDER BY 1);

  INSERT INTO takt.pruned_figures AS known (company_id, product_structure_version_id, month,
    run_time_count, run_time_sum, run_time_sum_of_squares, shortest_run_time, longest_run_time,
    setup_time_count, setup_time_sum, setup_time_sum_of_squares, shortest_setup_time, longest_setup_time,
    cleanup_time_count, cleanup_time_sum, cleanup_time_sum_of_squares, shortest_cleanup_time, longest_cleanup_time,
    last_completed_at)
  SELECT company, product_structure_version_id,
    takt.month_of(changed_at, takt.time_zone_in(product_structure_version_id,
      zones.time_zone, zones.time_zone_before, zones.rebuilt_to)) AS month,
    count(run_time), sum(run_time), sum(run_time * run_time), min(run_time), max(run_time),
    count(setup_time), coalesce(sum(setup_time), 0), coalesce(sum(setup_time * setup_time), 0), min(setup_time), max(setup_time),
    count(cleanup_time), coalesce(sum(cleanup_time), 0), coalesce(sum(cleanup_time * cleanup_time), 0), min(cleanup_time), max(cleanup_time),
    max(changed_at)
  FROM unnest(pruned)
  GROUP BY product_structure_version_id, month
  ORDER BY product_structure_version_id, month
  ON CONFLICT (company_id, product_structure_version_id, month) DO UPDATE SET
    run_time_count = known.run_time_count + excluded.run_time_count,
    run_time_sum = known.run_time_sum + excluded.run_time_sum,
    run_time_sum_of_squares = known.run_time_sum_of_squares + excluded.run_time_sum_of_squares,
    shortest_run_time = least(known.shortest_run_time, excluded.shortest_run_time),
    longest_run_time = greatest(known.longest_run_time, excluded.longest_run_time),
    setup_time_count = known.setup_time_count + excluded.setup_time_count,
    setup_time_sum = known.setup_time_sum + excluded.setup_time_sum,
    setup_time_sum_of_squares = known.setup_time_sum_of_squares + excluded.setup_time_sum_of_squares,
    shortest_setup_time = least(known.shortest_setup_time, excluded.shortest_setup_time),
    longest_setup_time = greatest(known.longest_setup_time, excluded.longest_setup_time),
    cleanup_time_count = known.cleanup_time_count + excluded.cleanup_time_count,
    cleanup_time_sum = known.cleanup_time_sum + excluded.cleanup_time_sum,
    cleanup_time_sum_of_squares = known.cleanup_time_sum_of_squares + excluded.cleanup_time_sum_of_squares,
    shortest_cleanup_time = least(known.shortest_cleanup_time, excluded.shortest_cleanup_time),
    longest_cleanup_time = greatest(known.longest_cleanup_time, excluded.longest_cleanup_time),
    last_completed_at = greatest(known.last_completed_at, excluded.last_completed_at);

  blocks := array(SELECT DISTINCT work_order_operation_id / 1024 FROM unnest(pruned));
  INSERT INTO takt.pruned_operations AS known (company_id, block, revisions)
  SELECT company, place.block, array_agg(coalesce(came.revision, stood.revision) ORDER BY place.rest)
  FROM (
    SELECT block, rest
    FROM unnest(blocks) AS block, generate_series(0, 1023) AS rest
  ) AS place
  LEFT JOIN (
    SELECT work_order_operation_id / 1024 AS block, work_order_operation_id % 1024 AS rest, revision
    FROM unnest(pruned)
  ) AS came USING (block, rest)
  LEFT JOIN (
    SELECT block, ordinality - 1 AS rest, revision
    FROM takt.pruned_operations CROSS JOIN LATERAL unnest(revisions) WITH ORDINALITY AS one (revision)
    WHERE company_id = company AND block = ANY (blocks)
  ) AS stood USING (block, rest)
  GROUP BY place.block
  ON CONFLICT (company_id, block) DO UPDATE SET revisions = excluded.revisions;

  DELETE FROM takt.work_order_operations
  WHERE company_id = company
    AND work_order_operation_id = ANY (array(SELECT work_order_operation_id FROM unnest(pruned)));
  PERFORM takt.note_changes(array[company]);
END $$;

REVOKE EXECUTE ON FUNCTION takt.prune_operations(integer, date, bigint) FROM PUBLIC;
