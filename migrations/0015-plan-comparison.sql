-- Plan against actual: how far the average is from the plan, and how many hours more than planned all completed operations
-- took together. Stored, because lists are ordered and filtered by it; generated, so that it follows every change of a plan
-- or a figure in the statement that makes it. Beside the version before it goes on: that does not know the columns.

-- Hundredths of a percent of the plan by which the average, as it is served, is above it (below it: negative), a half
-- rounded away from zero, as round() has it. Of a plan of nothing there is no percentage. Whole numbers to the end, in
-- which a division cuts off; columns of times end at 10^13, so nothing here reaches 10^18.
CREATE FUNCTION takt.percent_over_plan(average bigint, planned bigint) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
BEGIN
  IF planned = 0 THEN
    RETURN NULL;
  END IF;
  RETURN (20000 * (average - planned) + CASE WHEN average < planned THEN -planned ELSE planned END) / (2 * planned);
END $$;

-- Microhours that n operations took more than planned; total is their sum in hours. Exact, so it may be beyond bigint.
-- Not STRICT: as it stands it becomes part of the expression that calls it.
CREATE FUNCTION takt.microhours_over_plan(n bigint, total numeric, planned bigint) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 1000000 * total - n::numeric * planned;

-- Of three of these, without those that are not known; null where none is.
CREATE FUNCTION takt.sum_of_known(run numeric, setup numeric, cleanup numeric) RETURNS numeric
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF coalesce(run, setup, cleanup) IS NOT NULL THEN
    RETURN coalesce(run, 0) + coalesce(setup, 0) + coalesce(cleanup, 0);
  END IF;
  RETURN NULL;
END $$;

-- What is stored of it. Nine million operations of a million hours each are at the bound, beyond which it stays: an event
-- must not fail because figures have grown. So neither end of bigint is a figure, which leaves both for sort keys.
CREATE FUNCTION takt.bounded_microhours(microhours numeric) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
BEGIN
  RETURN greatest(least(microhours, 9000000000000000000), -9000000000000000000);
END $$;

-- The generated columns call these for whoever writes.
GRANT EXECUTE ON FUNCTION takt.percent_over_plan(bigint, bigint), takt.microhours_over_plan(bigint, numeric, bigint),
  takt.sum_of_known(numeric, numeric, numeric), takt.bounded_microhours(numeric) TO takt_worker;

-- One statement, so that the table is rewritten once.
ALTER TABLE takt.product_structure_versions
  ADD run_time_difference bigint GENERATED ALWAYS AS
    (takt.average_microhours(number_of_completed_operations, run_time_sum) - run_time) STORED,
  ADD run_time_over_plan_percent bigint GENERATED ALWAYS AS
    (takt.percent_over_plan(takt.average_microhours(number_of_completed_operations, run_time_sum), run_time)) STORED,
  ADD run_time_hours_over_plan bigint GENERATED ALWAYS AS
    (takt.bounded_microhours(takt.microhours_over_plan(number_of_completed_operations, run_time_sum, run_time))) STORED,
  ADD setup_time_difference bigint GENERATED ALWAYS AS
    (takt.average_microhours(setup_time_count, setup_time_sum) - setup_time) STORED,
  ADD setup_time_over_plan_percent bigint GENERATED ALWAYS AS
    (takt.percent_over_plan(takt.average_microhours(setup_time_count, setup_time_sum), setup_time)) STORED,
  ADD setup_time_hours_over_plan bigint GENERATED ALWAYS AS
    (takt.bounded_microhours(takt.microhours_over_plan(setup_time_count, setup_time_sum, setup_time))) STORED,
  ADD cleanup_time_difference bigint GENERATED ALWAYS AS
    (takt.average_microhours(cleanup_time_count, cleanup_time_sum) - cleanup_time) STORED,
  ADD cleanup_time_over_plan_percent bigint GENERATED ALWAYS AS
    (takt.percent_over_plan(takt.average_microhours(cleanup_time_count, cleanup_time_sum), cleanup_time)) STORED,
  ADD cleanup_time_hours_over_plan bigint GENERATED ALWAYS AS
    (takt.bounded_microhours(takt.microhours_over_plan(cleanup_time_count, cleanup_time_sum, cleanup_time))) STORED,
  ADD hours_over_plan bigint GENERATED ALWAYS AS
    (takt.bounded_microhours(takt.sum_of_known(
      takt.microhours_over_plan(number_of_completed_operations, run_time_sum, run_time),
      takt.microhours_over_plan(setup_time_count, setup_time_sum, setup_time),
      takt.microhours_over_plan(cleanup_time_count, cleanup_time_sum, cleanup_time)))) STORED;

-- As with the times (0008), but that a missing figure sorts first as the least bigint: these can be negative.
DO $$
DECLARE
  figure text;
BEGIN
  FOR figure IN
    SELECT attname FROM pg_attribute
    WHERE attrelid = 'takt.product_structure_versions'::regclass AND attname ~ '_(difference|over_plan_percent|over_plan)$'
    ORDER BY attnum
  LOOP
    EXECUTE format(
      'CREATE INDEX %I ON takt.product_structure_versions '
      '(company_id, greatest(%I, %L::bigint), product_structure_version_id) WHERE changed_at IS NOT NULL',
      'by_' || figure, figure, '-9223372036854775808');
    EXECUTE format(
      'CREATE STATISTICS takt.%I ON (greatest(%I, %L::bigint)) FROM takt.product_structure_versions',
      'spread_of_' || figure, figure, '-9223372036854775808');
    EXECUTE format(
      'COMMENT ON COLUMN takt.product_structure_versions.%I IS %L', figure,
      CASE
        WHEN figure ~ 'percent$' THEN 'hundredths of a percent; null without average or plan, and of a plan of 0'
        WHEN figure ~ 'difference$' THEN 'microhours: average minus plan; null without either'
        ELSE 'microhours: sum of actual minus count times plan; null without plan' END);
  END LOOP;
END $$;

-- Of the new columns there are no statistics until somebody looks.
ANALYZE takt.product_structure_versions;

-- What a search looks into: the names of structure version and product and their identifiers, without regard to case, a
-- line each. A table of its own, because an index of parts of texts on product_structure_versions would be written into by
-- every event that moves a figure; here only what changes a text writes. Kept by apply_product_structure_version_changes,
-- of the version before too, whose workers call the function as it is then. Read by functions that run as the owner alone.
CREATE TABLE takt.structure_version_texts (
  company_id integer NOT NULL REFERENCES takt.companies,
  product_structure_version_id bigint NOT NULL,
  folded text COLLATE "und-x-icu" NOT NULL,
  PRIMARY KEY (company_id, product_structure_version_id)
);

INSERT INTO takt.structure_version_texts (company_id, product_structure_version_id, folded)
SELECT company_id, product_structure_version_id,
  concat_ws(E'\n', casefold(product_name), casefold(name), product_id, product_structure_version_id)
FROM takt.product_structure_versions WHERE changed_at IS NOT NULL;

DO $$
BEGIN
  EXECUTE format('CREATE INDEX structure_version_texts_by_part ON takt.structure_version_texts USING gin (folded %s.gin_trgm_ops)',
    (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'pg_trgm'));
END $$;

GRANT SELECT, INSERT, UPDATE ON takt.structure_version_texts TO takt_worker;

ANALYZE takt.structure_version_texts;
