-- Planned times that completed operations took otherwise, of the structure versions that are listed: a row for each of run,
-- setup and cleanup whose plan is to be changed. The time suggested is the average, for with that plan no hour is lost in
-- sum: count times average is what was used. Where there is no plan there is nothing that parts from it, and no row.
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
-- A view becomes part of the statement that asks: as which role, of which company, from how many operations and by which
-- difference from the plan is known there, and whether hours_a_year is read at all; months are looked up only for rows that
-- nothing else left out.
CREATE VIEW takt.plan_suggestions WITH (security_invoker = true) AS
  SELECT listed.company_id,
    (listed.product_structure_version_id || '-' || time.kind) COLLATE "und-x-icu" AS suggestion,
    time.kind COLLATE "und-x-icu" AS kind,
    listed.product_structure_version_id, listed.status, listed.name, listed.version, listed.revision,
    listed.product_id, listed.product_name,
    time.planned, time.average AS suggested, time.over_plan_percent, time.reported AS operations, time.hours_over_plan,
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
    ), 0)))::bigint AS hours_a_year,
    CASE time.kind
      WHEN 'run' THEN takt.mean_bound(listed.number_of_completed_operations, listed.run_time_sum,
        listed.run_time_sum_of_squares, -1)
      WHEN 'setup' THEN takt.mean_bound(listed.setup_time_count, listed.setup_time_sum,
        listed.setup_time_sum_of_squares, -1)
      ELSE takt.mean_bound(listed.cleanup_time_count, listed.cleanup_time_sum,
        listed.cleanup_time_sum_of_squares, -1) END AS mean_low,
    CASE time.kind
      WHEN 'run' THEN takt.mean_bound(listed.number_of_completed_operations, listed.run_time_sum,
        listed.run_time_sum_of_squares, 1)
      WHEN 'setup' THEN takt.mean_bound(listed.setup_time_count, listed.setup_time_sum,
        listed.setup_time_sum_of_squares, 1)
      ELSE takt.mean_bound(listed.cleanup_time_count, listed.cleanup_time_sum,
        listed.cleanup_time_sum_of_squares, 1) END AS mean_high,
    CASE time.kind
      WHEN 'run' THEN takt.verdict_of_mean(listed.number_of_completed_operations, listed.run_time_sum,
        listed.run_time_sum_of_squares, listed.deviation_run_time,
        listed.run_time_hours_over_plan, listed.run_time)
      WHEN 'setup' THEN takt.verdict_of_mean(listed.setup_time_count, listed.setup_time_sum,
        listed.setup_time_sum_of_squares, listed.deviation_setup_time,
        listed.setup_time_hours_over_plan, listed.setup_time)
      ELSE takt.verdict_of_mean(listed.cleanup_time_count, listed.cleanup_time_sum,
        listed.cleanup_time_sum_of_squares, listed.deviation_cleanup_time,
        listed.cleanup_time_hours_over_plan, listed.cleanup_time) END COLLATE "und-x-icu" AS verdict
  FROM takt.product_structure_versions AS listed
  CROSS JOIN LATERAL (VALUES
    ('run', listed.run_time, listed.average_run_time, listed.run_time_over_plan_percent,
      listed.number_of_completed_operations, listed.run_time_hours_over_plan),
    ('setup', listed.setup_time, listed.average_setup_time, listed.setup_time_over_plan_percent,
      listed.setup_time_count, listed.setup_time_hours_over_plan),
    ('cleanup', listed.cleanup_time, listed.average_cleanup_time, listed.cleanup_time_over_plan_percent,
      listed.cleanup_time_count, listed.cleanup_time_hours_over_plan)
  ) AS time (kind, planned, average, over_plan_percent, reported, hours_over_plan)
  WHERE listed.changed_at IS NOT NULL AND time.average <> time.planned;

GRANT SELECT ON takt.plan_suggestions TO takt_api;

-- True if a plan is worth changing. threshold: percent of it by which the average must differ at least; of a plan of 0 any
-- average does.
CREATE FUNCTION takt.differs_from_plan(average bigint, planned bigint, threshold numeric) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT abs(average - planned) * 100 >= planned * threshold
$$;

-- Asked by the API of the version before. Goes with the next.
CREATE FUNCTION takt.plan_suggestions(min_operations bigint, threshold numeric)
RETURNS SETOF takt.plan_suggestion
LANGUAGE sql STABLE AS $$
  SELECT * FROM takt.plan_suggestions
  WHERE operations >= min_operations AND takt.differs_from_plan(suggested, planned, threshold)
$$;

REVOKE EXECUTE ON FUNCTION takt.plan_suggestions(bigint, numeric),
  takt.differs_from_plan(bigint, bigint, numeric) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.plan_suggestions(bigint, numeric),
  takt.differs_from_plan(bigint, bigint, numeric) TO takt_api;
