-- Planned times that differ from the actual ones, for listed structure versions: one row for each of run, setup and
-- cleanup whose plan could be changed. The suggested time is the average. With it, the hours over and under plan add up
-- to zero, because the number of operations times their average is the total time used. Times without a plan have no
-- row.
--
-- kind: run, setup or cleanup.
-- suggestion: identifies the row, by structure version and kind.
-- planned, suggested: in microhours.
-- over_plan_percent: the same as for the structure version, computed from the exact average; null if the plan is 0.
-- operations: the number of operations that reported the time.
-- hours_over_plan: the time over plan of these operations, in microhours.
-- hours_a_year: the microhours by which the new plan would raise (or lower) the planned time of the operations that
-- reported the time in the last twelve calendar months with data; the last one is the newest month with a completion.
-- Limited to the same range as hours_over_plan.
-- mean_low, mean_high, verdict: the certainty of the average, see confidence.sql.
--
-- Columns are chosen by CASE instead of LATERAL, which carries those of all three kinds through every row, and which Citus
-- cannot plan on a node.
--
-- It is a view, because it becomes part of the querying statement. That statement has the role, the company, the
-- minimum number of operations and the threshold, and decides whether hours_a_year is computed at all; the months are
-- only read for the rows that remain.
CREATE VIEW takt.plan_suggestions WITH (security_invoker = true) AS
  SELECT listed.company_id,
    (listed.product_structure_version_id || '-' || time.kind) COLLATE "und-x-icu" AS suggestion,
    time.kind COLLATE "und-x-icu" AS kind,
    listed.product_structure_version_id, listed.status, listed.name, listed.version, listed.revision,
    listed.product_id, listed.product_name,
    CASE time.kind WHEN 'run' THEN listed.run_time WHEN 'setup' THEN listed.setup_time
      ELSE listed.cleanup_time END AS planned,
    CASE time.kind WHEN 'run' THEN listed.average_run_time WHEN 'setup' THEN listed.average_setup_time
      ELSE listed.average_cleanup_time END AS suggested,
    CASE time.kind WHEN 'run' THEN listed.run_time_over_plan_percent
      WHEN 'setup' THEN listed.setup_time_over_plan_percent
      ELSE listed.cleanup_time_over_plan_percent END AS over_plan_percent,
    CASE time.kind WHEN 'run' THEN listed.number_of_completed_operations WHEN 'setup' THEN listed.setup_time_count
      ELSE listed.cleanup_time_count END AS operations,
    CASE time.kind WHEN 'run' THEN listed.run_time_hours_over_plan WHEN 'setup' THEN listed.setup_time_hours_over_plan
      ELSE listed.cleanup_time_hours_over_plan END AS hours_over_plan,
    greatest(-9000000000000000000, least(9000000000000000000, CASE time.kind
      WHEN 'run' THEN listed.average_run_time - listed.run_time
      WHEN 'setup' THEN listed.average_setup_time - listed.setup_time
      ELSE listed.average_cleanup_time - listed.cleanup_time END * coalesce((
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
        listed.cleanup_time_hours_over_plan, listed.cleanup_time) END COLLATE "und-x-icu" AS verdict,
    listed.product_structure_version_key, listed.product_key
  FROM takt.product_structure_versions AS listed
  CROSS JOIN (VALUES ('run'), ('setup'), ('cleanup')) AS time (kind)
  WHERE listed.changed_at IS NOT NULL AND CASE time.kind
    WHEN 'run' THEN listed.average_run_time <> listed.run_time
    WHEN 'setup' THEN listed.average_setup_time <> listed.setup_time
    ELSE listed.average_cleanup_time <> listed.cleanup_time END;

GRANT SELECT ON takt.plan_suggestions TO takt_api;

-- True if a plan is worth changing. over_plan: the time over plan of n operations. threshold: the minimum difference
-- between the exact average and the plan, in percent of the plan. Any average differs enough from a plan of 0.
CREATE FUNCTION takt.differs_from_plan(over_plan bigint, n bigint, planned bigint, threshold numeric) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT abs(over_plan::numeric) * 100 >= n::numeric * planned * threshold
$$;

-- The same with the rounded average, and the suggestions as a function: for the API of the previous version. Remove both
-- in the next version.
CREATE FUNCTION takt.differs_from_plan(average bigint, planned bigint, threshold numeric) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT abs(average - planned) * 100 >= planned * threshold
$$;

CREATE FUNCTION takt.plan_suggestions(min_operations bigint, threshold numeric)
RETURNS SETOF takt.plan_suggestion
LANGUAGE sql STABLE AS $$
  SELECT company_id, suggestion, kind, product_structure_version_id, status, name, version, revision, product_id, product_name,
    planned, suggested, over_plan_percent, operations, hours_over_plan, hours_a_year, mean_low, mean_high, verdict
  FROM takt.plan_suggestions
  WHERE operations >= min_operations AND takt.differs_from_plan(hours_over_plan, operations, planned, threshold)
$$;

REVOKE EXECUTE ON FUNCTION takt.plan_suggestions(bigint, numeric),
  takt.differs_from_plan(bigint, bigint, bigint, numeric), takt.differs_from_plan(bigint, bigint, numeric) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.plan_suggestions(bigint, numeric),
  takt.differs_from_plan(bigint, bigint, bigint, numeric), takt.differs_from_plan(bigint, bigint, numeric) TO takt_api;
