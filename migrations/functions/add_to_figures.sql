-- Adds changes to the figures of structure versions. The caller must have locked the rows of these figures in an
-- earlier statement, and must have applied the changes to the monthly figures. Each structure version may occur only
-- once in changes.
--
-- If a change removes the shortest or longest time of a structure version, the new one is looked up among its months,
-- unless the change also adds a time that is at least as extreme. So this reads a few rows, however many operations
-- there are, and none if nothing was removed.
--
-- A locked row cannot move, so it is updated by its ctid. Sequential scans are switched off, so that the planner looks
-- each changed row up by its key, however small it expects the table to be.
CREATE FUNCTION takt.add_to_figures(only_company integer, changes takt.figures_change[]) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  UPDATE takt.product_structure_versions AS figures SET
    number_of_completed_operations = figures.number_of_completed_operations + (run).count,
    run_time_sum = figures.run_time_sum + (run).sum,
    run_time_sum_of_squares = figures.run_time_sum_of_squares + (run).sum_of_squares,
    shortest_run_time = CASE WHEN known.lost_shortest_run THEN looked_up.shortest_run
      ELSE least(figures.shortest_run_time, (run).shortest_that_came * 1000000) END,
    longest_run_time = CASE WHEN known.lost_longest_run THEN looked_up.longest_run
      ELSE greatest(figures.longest_run_time, (run).longest_that_came * 1000000) END,
    setup_time_count = figures.setup_time_count + coalesce((setup).count, 0),
    setup_time_sum = figures.setup_time_sum + coalesce((setup).sum, 0),
    setup_time_sum_of_squares = figures.setup_time_sum_of_squares + coalesce((setup).sum_of_squares, 0),
    shortest_setup_time = CASE WHEN known.lost_shortest_setup THEN looked_up.shortest_setup
      ELSE least(figures.shortest_setup_time, (setup).shortest_that_came * 1000000) END,
    longest_setup_time = CASE WHEN known.lost_longest_setup THEN looked_up.longest_setup
      ELSE greatest(figures.longest_setup_time, (setup).longest_that_came * 1000000) END,
    cleanup_time_count = figures.cleanup_time_count + coalesce((cleanup).count, 0),
    cleanup_time_sum = figures.cleanup_time_sum + coalesce((cleanup).sum, 0),
    cleanup_time_sum_of_squares = figures.cleanup_time_sum_of_squares + coalesce((cleanup).sum_of_squares, 0),
    shortest_cleanup_time = CASE WHEN known.lost_shortest_cleanup THEN looked_up.shortest_cleanup
      ELSE least(figures.shortest_cleanup_time, (cleanup).shortest_that_came * 1000000) END,
    longest_cleanup_time = CASE WHEN known.lost_longest_cleanup THEN looked_up.longest_cleanup
      ELSE greatest(figures.longest_cleanup_time, (cleanup).longest_that_came * 1000000) END
  FROM unnest(changes) AS change
  CROSS JOIN LATERAL (
    SELECT stored.ctid AS place,
      takt.has_lost_shortest(run, stored.shortest_run_time) AS lost_shortest_run,
      takt.has_lost_longest(run, stored.longest_run_time) AS lost_longest_run,
      takt.has_lost_shortest(setup, stored.shortest_setup_time) AS lost_shortest_setup,
      takt.has_lost_longest(setup, stored.longest_setup_time) AS lost_longest_setup,
      takt.has_lost_shortest(cleanup, stored.shortest_cleanup_time) AS lost_shortest_cleanup,
      takt.has_lost_longest(cleanup, stored.longest_cleanup_time) AS lost_longest_cleanup
    FROM takt.product_structure_versions stored
    WHERE stored.company_id = coalesce(only_company, change.company_id)
      AND stored.product_structure_version_id = change.product_structure_version_id
    OFFSET 0
  ) AS known
  LEFT JOIN LATERAL (
    SELECT
      min(shortest_run_time) FILTER (WHERE known.lost_shortest_run) AS shortest_run,
      max(longest_run_time) FILTER (WHERE known.lost_longest_run) AS longest_run,
      min(shortest_setup_time) FILTER (WHERE known.lost_shortest_setup) AS shortest_setup,
      max(longest_setup_time) FILTER (WHERE known.lost_longest_setup) AS longest_setup,
      min(shortest_cleanup_time) FILTER (WHERE known.lost_shortest_cleanup) AS shortest_cleanup,
      max(longest_cleanup_time) FILTER (WHERE known.lost_longest_cleanup) AS longest_cleanup
    FROM takt.monthly_figures months
    WHERE months.company_id = coalesce(only_company, change.company_id)
      AND months.product_structure_version_id = change.product_structure_version_id
    HAVING known.lost_shortest_run OR known.lost_longest_run
      OR known.lost_shortest_setup OR known.lost_longest_setup
      OR known.lost_shortest_cleanup OR known.lost_longest_cleanup
  ) AS looked_up ON true
  WHERE figures.ctid = known.place AND (figures.company_id = only_company OR only_company IS NULL);
END $$;

-- True if the change removes the shortest time (in microhours) and adds none that is at least as short.
CREATE FUNCTION takt.has_lost_shortest(change takt.time_change, shortest bigint) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT change.shortest_that_left * 1000000 <= shortest
    AND (change.shortest_that_came * 1000000 <= shortest) IS NOT TRUE
$$;

-- True if the change removes the longest time (in microhours) and adds none that is at least as long.
CREATE FUNCTION takt.has_lost_longest(change takt.time_change, longest bigint) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT change.longest_that_left * 1000000 >= longest
    AND (change.longest_that_came * 1000000 >= longest) IS NOT TRUE
$$;

REVOKE EXECUTE ON FUNCTION takt.add_to_figures(integer, takt.figures_change[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.add_to_figures(integer, takt.figures_change[]) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.has_lost_shortest(takt.time_change, bigint),
  takt.has_lost_longest(takt.time_change, bigint) TO takt_worker;
