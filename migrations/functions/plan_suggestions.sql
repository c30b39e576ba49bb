-- Planned times that completed operations took otherwise, of the structure versions that are listed: a row for each of run,
-- setup and cleanup whose plan is to be changed. The time suggested is the average, for with that plan no hour is lost in
-- sum: count times average is what was used. Where there is no plan there is nothing that parts from it, and no row.
--
-- min_operations: completed operations that must have reported the time.
-- threshold: percent of the plan by which average and plan must differ at least; of a plan of 0 any average does.
--
-- kind: run, setup or cleanup; suggestion names it and the structure version. planned, suggested: microhours.
-- over_plan_percent: that of the structure version, of the exact average; null where 0 is planned.
-- operations: those that reported the time. hours_over_plan: microhours that they took more than planned.
-- hours_a_year: microhours by which the new plan would raise (or lower) what is planned for as many operations as reported
-- the time in the twelve calendar months up to the newest in which one was completed; it ends where hours_over_plan does.
--
-- mean_low, mean_high, verdict: how sure the average is (confidence.sql); by CASE, for the sums of all kinds would be carried
-- through every row.
--
-- LANGUAGE sql and nothing that keeps it from becoming part of the statement that asks: as which role, of which company,
-- and whether hours_a_year is read at all is known there, and months are looked up only for rows that nothing else left out.
CREATE FUNCTION takt.plan_suggestions(min_operations bigint, threshold numeric)
RETURNS SETOF takt.plan_suggestion
LANGUAGE sql STABLE AS $$
  SELECT listed.company_id, listed.product_structure_version_id || '-' || time.kind, time.kind,
    listed.product_structure_version_id, listed.status, listed.name, listed.version, listed.revision,
    listed.product_id, listed.product_name,
    time.planned, time.average, time.over_plan_percent, time.reported, time.hours_over_plan,
    greatest(-9000000000000000000, least(9000000000000000000, (time.average - time.planned) * coalesce((
      SELECT CASE time.kind WHEN 'run' THEN sum(figures.number_of_completed_operations)
        WHEN 'setup' THEN sum(figures.setup_time_count) ELSE sum(figures.cleanup_time_count) END
      FROM takt.monthly_figures AS figures
      WHERE figures.company_id = listed.company_id
        AND figures.product_structure_version_id = listed.product_structure_version_id
        AND figures.month > (
          SELECT (newest.month - interval '1 year')::date FROM takt.monthly_figures AS newest
          WHERE newest.company_id = listed.company_id
            AND newest.product_structure_version_id = listed.product_structure_version_id
            AND newest.number_of_completed_operations > 0
          ORDER BY newest.month DESC LIMIT 1)
    ), 0)))::bigint,
    CASE time.kind
      WHEN 'run' THEN takt.mean_bound(listed.number_of_completed_operations, listed.run_time_sum,
        listed.run_time_sum_of_squares, -1)
      WHEN 'setup' THEN takt.mean_bound(listed.setup_time_count, listed.setup_time_sum,
        listed.setup_time_sum_of_squares, -1)
      ELSE takt.mean_bound(listed.cleanup_time_count, listed.cleanup_time_sum,
        listed.cleanup_time_sum_of_squares, -1) END,
    CASE time.kind
      WHEN 'run' THEN takt.mean_bound(listed.number_of_completed_operations, listed.run_time_sum,
        listed.run_time_sum_of_squares, 1)
      WHEN 'setup' THEN takt.mean_bound(listed.setup_time_count, listed.setup_time_sum,
        listed.setup_time_sum_of_squares, 1)
      ELSE takt.mean_bound(listed.cleanup_time_count, listed.cleanup_time_sum,
        listed.cleanup_time_sum_of_squares, 1) END,
    CASE time.kind
      WHEN 'run' THEN takt.verdict_of_mean(listed.number_of_completed_operations, listed.run_time_sum,
        listed.run_time_sum_of_squares, listed.deviation_run_time,
        listed.run_time_hours_over_plan, listed.run_time)
      WHEN 'setup' THEN takt.verdict_of_mean(listed.setup_time_count, listed.setup_time_sum,
        listed.setup_time_sum_of_squares, listed.deviation_setup_time,
        listed.setup_time_hours_over_plan, listed.setup_time)
      ELSE takt.verdict_of_mean(listed.cleanup_time_count, listed.cleanup_time_sum,
        listed.cleanup_time_sum_of_squares, listed.deviation_cleanup_time,
        listed.cleanup_time_hours_over_plan, listed.cleanup_time) END
  FROM takt.product_structure_versions AS listed
  CROSS JOIN LATERAL (VALUES
    ('run', listed.run_time, listed.average_run_time, listed.run_time_over_plan_percent,
      listed.number_of_completed_operations, listed.run_time_hours_over_plan),
    ('setup', listed.setup_time, listed.average_setup_time, listed.setup_time_over_plan_percent,
      listed.setup_time_count, listed.setup_time_hours_over_plan),
    ('cleanup', listed.cleanup_time, listed.average_cleanup_time, listed.cleanup_time_over_plan_percent,
      listed.cleanup_time_count, listed.cleanup_time_hours_over_plan)
  ) AS time (kind, planned, average, over_plan_percent, reported, hours_over_plan)
  WHERE listed.changed_at IS NOT NULL AND time.reported >= min_operations
    AND time.average <> time.planned
    AND abs(time.average - time.planned) * 100 >= time.planned * threshold
$$;

REVOKE EXECUTE ON FUNCTION takt.plan_suggestions(bigint, numeric) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.plan_suggestions(bigint, numeric) TO takt_api;
