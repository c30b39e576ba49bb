-- Recomputes the figures of the given structure versions of one company from the ledger, while workers go on: locks and
-- newer snapshot are those of apply_work_order_operation_events. Returns those whose figures were wrong. The ledger has
-- hours, extremes among the figures are microhours.
CREATE FUNCTION takt.rebuild_production_times(company integer, versions bigint[])
RETURNS SETOF bigint
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM takt.lock_figures(array(
    SELECT (company, version, NULL, NULL, NULL)::takt.figures_change FROM unnest(versions) AS version ORDER BY version));

  RETURN QUERY
  WITH recomputed AS (
    SELECT wanted.id,
      count(o.run_time) AS run_count, coalesce(sum(o.run_time), 0) AS run_sum,
      coalesce(sum(o.run_time * o.run_time), 0) AS run_squares, min(o.run_time) * 1000000 AS run_min, max(o.run_time) * 1000000 AS run_max,
      count(o.setup_time) AS setup_count, coalesce(sum(o.setup_time), 0) AS setup_sum,
      coalesce(sum(o.setup_time * o.setup_time), 0) AS setup_squares, min(o.setup_time) * 1000000 AS setup_min, max(o.setup_time) * 1000000 AS setup_max,
      count(o.cleanup_time) AS cleanup_count, coalesce(sum(o.cleanup_time), 0) AS cleanup_sum,
      coalesce(sum(o.cleanup_time * o.cleanup_time), 0) AS cleanup_squares, min(o.cleanup_time) * 1000000 AS cleanup_min, max(o.cleanup_time) * 1000000 AS cleanup_max
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

REVOKE EXECUTE ON FUNCTION takt.rebuild_production_times(integer, bigint[]) FROM PUBLIC;
