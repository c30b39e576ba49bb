-- The percentage over plan is taken of the exact sum, and no longer of the average rounded to microhours: beside a plan of a
-- microhour the rounding was up to half of it. The table is rewritten, once: readers and writers wait for it.

-- Hundredths of a percent of the plan by which n operations took more (less: negative) than planned; total is their sum in
-- hours. A half is rounded away from zero. Null of no operations and of a plan of nothing. Not STRICT, and no plpgsql: as
-- it stands it becomes part of the expression that calls it, which costs a row no more than its whole numbers of before.
CREATE FUNCTION takt.percent_over_plan(n bigint, total numeric, planned bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN div(
  20000 * takt.microhours_over_plan(n, total, planned)
    + sign(takt.microhours_over_plan(n, total, planned)) * n * planned,
  nullif(2 * n::numeric * planned, 0))::bigint;

-- The generated columns call it for whoever writes.
GRANT EXECUTE ON FUNCTION takt.percent_over_plan(bigint, numeric, bigint) TO takt_worker;

ALTER TABLE takt.product_structure_versions
  ALTER run_time_over_plan_percent SET EXPRESSION AS
    (takt.percent_over_plan(number_of_completed_operations, run_time_sum, run_time)),
  ALTER setup_time_over_plan_percent SET EXPRESSION AS
    (takt.percent_over_plan(setup_time_count, setup_time_sum, setup_time)),
  ALTER cleanup_time_over_plan_percent SET EXPRESSION AS
    (takt.percent_over_plan(cleanup_time_count, cleanup_time_sum, cleanup_time));

-- breaks no program: the generated columns alone called it
DROP FUNCTION takt.percent_over_plan(bigint, bigint);

-- A column with a new expression has no statistics until somebody looks.
ANALYZE takt.product_structure_versions;
