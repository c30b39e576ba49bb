-- Adds changes of the ledger to the figures of their months. The caller must have locked the structure versions in an
-- earlier statement; months have no locks of their own. The ledger stores hours, figures store extremes in microhours.
--
-- If a change removes the shortest, longest or newest value of a month and adds none that is at least as extreme, all
-- three are looked up again. This is one scan for everything that a month has lost, and usually there is nothing to
-- look up. The loss can still be detected after the new values have been added: a new value that is more extreme would
-- have replaced the old one.
--
-- zone: the time zone of all months; null if there are several.
--
-- As in add_to_figures, a row is found by its whole key and updated by its ctid.
CREATE FUNCTION takt.add_to_monthly_figures(only_company integer, changes takt.figures_change[], zone text) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  updated bigint;
  lost takt.figures_change[];
BEGIN
  WITH added AS (
    UPDATE takt.monthly_figures AS figures SET
      number_of_completed_operations = figures.number_of_completed_operations + (run).count,
      run_time_sum = figures.run_time_sum + (run).sum,
      run_time_sum_of_squares = figures.run_time_sum_of_squares + (run).sum_of_squares,
      shortest_run_time = least(figures.shortest_run_time, (run).shortest_that_came * 1000000),
      longest_run_time = greatest(figures.longest_run_time, (run).longest_that_came * 1000000),
      setup_time_count = figures.setup_time_count + coalesce((setup).count, 0),
      setup_time_sum = figures.setup_time_sum + coalesce((setup).sum, 0),
      setup_time_sum_of_squares = figures.setup_time_sum_of_squares + coalesce((setup).sum_of_squares, 0),
      shortest_setup_time = least(figures.shortest_setup_time, (setup).shortest_that_came * 1000000),
      longest_setup_time = greatest(figures.longest_setup_time, (setup).longest_that_came * 1000000),
      cleanup_time_count = figures.cleanup_time_count + coalesce((cleanup).count, 0),
      cleanup_time_sum = figures.cleanup_time_sum + coalesce((cleanup).sum, 0),
      cleanup_time_sum_of_squares = figures.cleanup_time_sum_of_squares + coalesce((cleanup).sum_of_squares, 0),
      shortest_cleanup_time = least(figures.shortest_cleanup_time, (cleanup).shortest_that_came * 1000000),
      longest_cleanup_time = greatest(figures.longest_cleanup_time, (cleanup).longest_that_came * 1000000),
      last_completed_at = greatest(figures.last_completed_at, change.last_that_came)
    FROM unnest(changes) AS change
    CROSS JOIN LATERAL (
      SELECT stored.ctid AS place
      FROM takt.monthly_figures stored
      WHERE stored.company_id = coalesce(only_company, change.company_id)
        AND stored.product_structure_version_id = change.product_structure_version_id
        AND stored.month = change.month
      OFFSET 0
    ) AS known
    WHERE figures.ctid = known.place AND (figures.company_id = only_company OR only_company IS NULL)
    RETURNING change,
      takt.has_lost_shortest(run, figures.shortest_run_time) OR takt.has_lost_longest(run, figures.longest_run_time)
      OR takt.has_lost_shortest(setup, figures.shortest_setup_time)
      OR takt.has_lost_longest(setup, figures.longest_setup_time)
      OR takt.has_lost_shortest(cleanup, figures.shortest_cleanup_time)
      OR takt.has_lost_longest(cleanup, figures.longest_cleanup_time)
      OR change.last_that_left >= figures.last_completed_at
        AND (change.last_that_came >= figures.last_completed_at) IS NOT TRUE AS has_lost
  )
  SELECT count(*), array_agg(change) FILTER (WHERE has_lost) INTO updated, lost FROM added;

  IF lost IS NOT NULL THEN
    PERFORM takt.look_up_monthly_extremes(only_company, lost, zone);
  END IF;
  IF updated < cardinality(changes) THEN
    -- A month that has no row yet has no extremes to lose.
    INSERT INTO takt.monthly_figures (company_id, product_structure_version_id, month,
      number_of_completed_operations, run_time_sum, run_time_sum_of_squares, shortest_run_time, longest_run_time,
      setup_time_count, setup_time_sum, setup_time_sum_of_squares, shortest_setup_time, longest_setup_time,
      cleanup_time_count, cleanup_time_sum, cleanup_time_sum_of_squares, shortest_cleanup_time, longest_cleanup_time,
      last_completed_at)
    SELECT change.company_id, change.product_structure_version_id, change.month,
      (run).count, (run).sum, (run).sum_of_squares,
      (run).shortest_that_came * 1000000, (run).longest_that_came * 1000000,
      coalesce((setup).count, 0), coalesce((setup).sum, 0), coalesce((setup).sum_of_squares, 0),
      (setup).shortest_that_came * 1000000, (setup).longest_that_came * 1000000,
      coalesce((cleanup).count, 0), coalesce((cleanup).sum, 0), coalesce((cleanup).sum_of_squares, 0),
      (cleanup).shortest_that_came * 1000000, (cleanup).longest_that_came * 1000000,
      change.last_that_came
    FROM unnest(changes) AS change
    WHERE (SELECT stored.company_id FROM takt.monthly_figures stored
      WHERE stored.company_id = coalesce(only_company, change.company_id)
        AND stored.product_structure_version_id = change.product_structure_version_id
        AND stored.month = change.month) IS NULL;
  END IF;
END $$;

-- Looks up the extremes of the months in changes, in the ledger and in the sums of pruned operations. This is a
-- function, because its statement must see everything that was committed before the lock was granted; the statement
-- that waited for the lock sees the ledger from before the wait. The index finds the days of a month in any time zone.
CREATE FUNCTION takt.look_up_monthly_extremes(only_company integer, changes takt.figures_change[], zone text) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  UPDATE takt.monthly_figures AS figures SET
    shortest_run_time = looked_up.shortest_run, longest_run_time = looked_up.longest_run,
    shortest_setup_time = looked_up.shortest_setup, longest_setup_time = looked_up.longest_setup,
    shortest_cleanup_time = looked_up.shortest_cleanup, longest_cleanup_time = looked_up.longest_cleanup,
    last_completed_at = looked_up.last
  FROM unnest(changes) AS change
  CROSS JOIN LATERAL (
    SELECT stored.ctid AS place
    FROM takt.monthly_figures stored
    WHERE stored.company_id = coalesce(only_company, change.company_id)
      AND stored.product_structure_version_id = change.product_structure_version_id
      AND stored.month = change.month
    OFFSET 0
  ) AS known
  CROSS JOIN LATERAL (
    SELECT
      min(shortest_run) * 1000000 AS shortest_run, max(longest_run) * 1000000 AS longest_run,
      min(shortest_setup) * 1000000 AS shortest_setup, max(longest_setup) * 1000000 AS longest_setup,
      min(shortest_cleanup) * 1000000 AS shortest_cleanup, max(longest_cleanup) * 1000000 AS longest_cleanup,
      max(last) AS last
    FROM (
      SELECT run_time AS shortest_run, run_time AS longest_run, setup_time AS shortest_setup,
        setup_time AS longest_setup, cleanup_time AS shortest_cleanup, cleanup_time AS longest_cleanup,
        changed_at AS last
      FROM takt.work_order_operations ledger
      WHERE ledger.company_id = coalesce(only_company, change.company_id)
        AND ledger.product_structure_version_id = change.product_structure_version_id
        AND ledger.changed_at >= (change.month - interval '1 day') AT TIME ZONE 'UTC'
        AND ledger.changed_at < (change.month + interval '1 month 1 day') AT TIME ZONE 'UTC'
        AND takt.month_of(ledger.changed_at,
          coalesce(zone, takt.time_zone_of(change.company_id, change.product_structure_version_id))) = change.month
      UNION ALL
      SELECT shortest_run_time, longest_run_time, shortest_setup_time,
        longest_setup_time, shortest_cleanup_time, longest_cleanup_time, last_completed_at
      FROM takt.pruned_figures pruned
      WHERE pruned.company_id = coalesce(only_company, change.company_id)
        AND pruned.product_structure_version_id = change.product_structure_version_id
        AND pruned.month = change.month
    ) AS kept
  ) AS looked_up
  WHERE figures.ctid = known.place AND (figures.company_id = only_company OR only_company IS NULL);
END $$;

REVOKE EXECUTE ON FUNCTION takt.add_to_monthly_figures(integer, takt.figures_change[], text),
  takt.look_up_monthly_extremes(integer, takt.figures_change[], text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.add_to_monthly_figures(integer, takt.figures_change[], text),
  takt.look_up_monthly_extremes(integer, takt.figures_change[], text) TO takt_worker;
