-- Recomputes the figures of the given structure versions of one company from the ledger and what was pruned of it, while
-- workers and pruning go on: locks and newer snapshot are those of apply_work_order_operation_events. Returns those whose
-- figures were wrong. The ledger has hours, extremes among the figures are microhours.
CREATE FUNCTION takt.rebuild_production_times(company integer, versions bigint[])
RETURNS SETOF bigint
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM takt.lock_figures(array(
    SELECT (company, version, NULL, NULL, NULL)::takt.figures_change FROM unnest(versions) AS version ORDER BY version));

  RETURN QUERY
  WITH recomputed AS (
    SELECT wanted.id,
      coalesce(sum(run_count), 0) AS run_count, coalesce(sum(run_sum), 0) AS run_sum,
      coalesce(sum(run_squares), 0) AS run_squares,
      min(run_min) * 1000000 AS run_min, max(run_max) * 1000000 AS run_max,
      coalesce(sum(setup_count), 0) AS setup_count, coalesce(sum(setup_sum), 0) AS setup_sum,
      coalesce(sum(setup_squares), 0) AS setup_squares,
      min(setup_min) * 1000000 AS setup_min, max(setup_max) * 1000000 AS setup_max,
      coalesce(sum(cleanup_count), 0) AS cleanup_count, coalesce(sum(cleanup_sum), 0) AS cleanup_sum,
      coalesce(sum(cleanup_squares), 0) AS cleanup_squares,
      min(cleanup_min) * 1000000 AS cleanup_min, max(cleanup_max) * 1000000 AS cleanup_max
    FROM unnest(versions) AS wanted (id)
    LEFT JOIN (
      SELECT product_structure_version_id AS id,
        count(run_time) AS run_count, sum(run_time) AS run_sum, sum(run_time * run_time) AS run_squares,
        min(run_time) AS run_min, max(run_time) AS run_max,
        count(setup_time) AS setup_count, sum(setup_time) AS setup_sum, sum(setup_time * setup_time) AS setup_squares,
        min(setup_time) AS setup_min, max(setup_time) AS setup_max,
        count(cleanup_time) AS cleanup_count, sum(cleanup_time) AS cleanup_sum, sum(cleanup_time * cleanup_time) AS cleanup_squares,
        min(cleanup_time) AS cleanup_min, max(cleanup_time) AS cleanup_max
      FROM takt.work_order_operations
      WHERE company_id = company AND product_structure_version_id = ANY (versions)
      GROUP BY product_structure_version_id
      UNION ALL
      SELECT product_structure_version_id,
        sum(run_time_count), sum(run_time_sum), sum(run_time_sum_of_squares),
        min(shortest_run_time), max(longest_run_time),
        sum(setup_time_count), sum(setup_time_sum), sum(setup_time_sum_of_squares),
        min(shortest_setup_time), max(longest_setup_time),
        sum(cleanup_time_count), sum(cleanup_time_sum), sum(cleanup_time_sum_of_squares),
        min(shortest_cleanup_time), max(longest_cleanup_time)
      FROM takt.pruned_figures
      WHERE company_id = company AND product_structure_version_id = ANY (versions)
      GROUP BY product_structure_version_id
    ) AS kept USING (id)
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

REVOKE EXECUTE ON FUNCTION takt.rebuild_production_times(integer, bigint[]) FROM PUBLIC;
