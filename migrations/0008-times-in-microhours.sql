-- The times of structure versions become whole microhours: planned, average, shortest, longest and deviation of run,
-- setup and cleanup. PostgreSQL knows that comparing whole numbers gives nothing away (LEAKPROOF), of numerics it does
-- not: under row-level security only the former is looked up in an index and estimated from statistics. The ledger and
-- the sums stay hours, which are exact as they are and compared with nothing that a client sends.

-- Whatever writes hours into these columns goes: a worker of the version before fails until it is stopped, and does not
-- store a millionth of a time. Those of this version are made after all numbered files.
DROP FUNCTION IF EXISTS takt.add_to_figures(takt.figures_change[]);
DROP FUNCTION IF EXISTS takt.apply_product_structure_version_changes(text[], json);
DROP FUNCTION IF EXISTS takt.rebuild_production_times(integer, bigint[]);

-- What the generated columns are computed by: average and population standard deviation in microhours from exact sums
-- in hours, rounded half up without any intermediate rounding. How is told in 0002.
CREATE FUNCTION takt.average_microhours(n bigint, total numeric) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN n > 0 THEN div(2000000 * total + n, 2 * n)::bigint END;

CREATE FUNCTION takt.population_deviation_microhours(n bigint, total numeric, sum_of_squares numeric) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  v numeric;
  root numeric;
BEGIN
  IF n = 0 THEN
    RETURN NULL;
  END IF;
  v := trunc(4000000000000 * (n * sum_of_squares - total * total));
  root := trunc(sqrt(v));
  IF root * root > v THEN
    root := root - 1;
  END IF;
  RETURN div(root + n, 2 * n);
END $$;

DO $$
DECLARE
  time_column text;
BEGIN
  FOR time_column IN
    SELECT attname FROM pg_attribute
    WHERE attrelid = 'takt.product_structure_versions'::regclass AND attname LIKE '%\_time'
    ORDER BY attnum
  LOOP
    EXECUTE format('DROP INDEX takt.%I', 'by_' || time_column);
    EXECUTE format('DROP STATISTICS takt.%I', 'spread_of_' || time_column);
  END LOOP;
END $$;

-- One statement, so that the table is rewritten once.
ALTER TABLE takt.product_structure_versions
  ALTER run_time TYPE bigint USING (run_time * 1000000)::bigint,
  ALTER setup_time TYPE bigint USING (setup_time * 1000000)::bigint,
  ALTER cleanup_time TYPE bigint USING (cleanup_time * 1000000)::bigint,
  ALTER shortest_run_time TYPE bigint USING (shortest_run_time * 1000000)::bigint,
  ALTER longest_run_time TYPE bigint USING (longest_run_time * 1000000)::bigint,
  ALTER shortest_setup_time TYPE bigint USING (shortest_setup_time * 1000000)::bigint,
  ALTER longest_setup_time TYPE bigint USING (longest_setup_time * 1000000)::bigint,
  ALTER shortest_cleanup_time TYPE bigint USING (shortest_cleanup_time * 1000000)::bigint,
  ALTER longest_cleanup_time TYPE bigint USING (longest_cleanup_time * 1000000)::bigint,
  ALTER average_run_time TYPE bigint,
  ALTER average_run_time SET EXPRESSION AS
    (takt.average_microhours(number_of_completed_operations, run_time_sum)),
  ALTER deviation_run_time TYPE bigint,
  ALTER deviation_run_time SET EXPRESSION AS
    (takt.population_deviation_microhours(number_of_completed_operations, run_time_sum, run_time_sum_of_squares)),
  ALTER average_setup_time TYPE bigint,
  ALTER average_setup_time SET EXPRESSION AS
    (takt.average_microhours(setup_time_count, setup_time_sum)),
  ALTER deviation_setup_time TYPE bigint,
  ALTER deviation_setup_time SET EXPRESSION AS
    (takt.population_deviation_microhours(setup_time_count, setup_time_sum, setup_time_sum_of_squares)),
  ALTER average_cleanup_time TYPE bigint,
  ALTER average_cleanup_time SET EXPRESSION AS
    (takt.average_microhours(cleanup_time_count, cleanup_time_sum)),
  ALTER deviation_cleanup_time TYPE bigint,
  ALTER deviation_cleanup_time SET EXPRESSION AS
    (takt.population_deviation_microhours(cleanup_time_count, cleanup_time_sum, cleanup_time_sum_of_squares));

DROP FUNCTION takt.average_hours(bigint, numeric);
DROP FUNCTION takt.population_deviation_hours(bigint, numeric, numeric);

-- As before, a missing time sorts first as -1, one index serves a sort field in both directions, and the planner is told
-- how the values of a sort key are spread, which it does not take from a partial index. greatest, because COALESCE is
-- nothing that PostgreSQL takes for leakproof, whatever it is given.
DO $$
DECLARE
  time_column text;
BEGIN
  FOR time_column IN
    SELECT attname FROM pg_attribute
    WHERE attrelid = 'takt.product_structure_versions'::regclass AND attname LIKE '%\_time'
    ORDER BY attnum
  LOOP
    EXECUTE format(
      'CREATE INDEX %I ON takt.product_structure_versions '
      '(company_id, greatest(%I, -1), product_structure_version_id) WHERE changed_at IS NOT NULL',
      'by_' || time_column, time_column);
    EXECUTE format(
      'CREATE STATISTICS takt.%I ON (greatest(%I, -1)) FROM takt.product_structure_versions',
      'spread_of_' || time_column, time_column);
    EXECUTE format(
      'COMMENT ON COLUMN takt.product_structure_versions.%I IS %L', time_column,
      CASE WHEN time_column ~ '_.*_' THEN 'microhours; null where none was reported'
        ELSE 'planned microhours' END);
  END LOOP;
END $$;

-- A column of a new type has no statistics until somebody looks.
ANALYZE takt.product_structure_versions;
