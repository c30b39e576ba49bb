-- The products that structure versions are of. Names are searched by any part and without regard to case: folded
-- once when written and indexed by their trigrams, a part of three characters or more is found without reading
-- every name. pg_trgm comes with PostgreSQL and is trusted: the owner of a database may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;

CREATE TABLE takt.products (
  company_id integer NOT NULL REFERENCES takt.companies,
  product_id bigint NOT NULL,
  status integer NOT NULL,
  name text COLLATE "und-x-icu" NOT NULL,
  type text NOT NULL,
  description text NOT NULL,
  changed_at timestamptz NOT NULL,
  folded_name text COLLATE "und-x-icu" GENERATED ALWAYS AS (casefold(name)) STORED,
  PRIMARY KEY (company_id, product_id)
);
COMMENT ON COLUMN takt.products.folded_name IS 'what filters compare with: the name without regard to case';

DO $$
BEGIN
  EXECUTE format('CREATE INDEX products_by_folded_name ON takt.products USING gin (folded_name %s.gin_trgm_ops)',
    (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'pg_trgm'));
END $$;

-- What the generated columns below are computed by; part of the table, since a new text would not recompute what is
-- stored. Average and population standard deviation in hours from exact sums, rounded half up to 6 decimals without any
-- intermediate rounding: a quotient that is first cut to a scale and then rounded can end one step too high.
-- All hours have 6 decimals, so one unit of the last place is a microhour and everything below is whole numbers.

-- floor((2 * total + n) / (2 * n)) in microhours is total / n rounded half up.
-- Not STRICT: as it stands it becomes part of the expression that calls it.
CREATE FUNCTION takt.average_hours(n bigint, total numeric) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN n > 0 THEN div(2000000 * total + n, 2 * n) * 0.000001 END;

-- sqrt(n * sum_of_squares - total^2) / n. With v = 4e12 * (n * sum_of_squares - total^2), a whole number,
-- floor((sqrt(v) + n) / (2 * n)) is the deviation in microhours rounded half up, and the floor of the root may
-- be taken first because n is whole. numeric's sqrt rounds, so its floor may be one too high; the product tells.
CREATE FUNCTION takt.population_deviation_hours(n bigint, total numeric, sum_of_squares numeric) RETURNS numeric
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
  RETURN div(root + n, 2 * n) * 0.000001;
END $$;

-- Master data, planned times and figures of a product structure version in one row: a list request reads one
-- table, and each of its 17 sort orders is one index. All times are hours with 6 decimals.
-- The row may begin with figures alone; its master data are null until changed_at is set, and then it is listed.
CREATE TABLE takt.product_structure_versions (
  company_id integer NOT NULL REFERENCES takt.companies,
  product_structure_version_id bigint NOT NULL,

  changed_at timestamptz,
  status integer,
  name text COLLATE "und-x-icu",
  version integer,
  revision text,
  product_id bigint,
  product_name text COLLATE "und-x-icu",
  run_time numeric(13,6),
  setup_time numeric(13,6),
  cleanup_time numeric(13,6),

  number_of_completed_operations bigint NOT NULL DEFAULT 0,
  run_time_sum numeric NOT NULL DEFAULT 0,
  run_time_sum_of_squares numeric NOT NULL DEFAULT 0,
  shortest_run_time numeric(13,6),
  longest_run_time numeric(13,6),
  average_run_time numeric(13,6) GENERATED ALWAYS AS
    (takt.average_hours(number_of_completed_operations, run_time_sum)) STORED,
  deviation_run_time numeric(13,6) GENERATED ALWAYS AS
    (takt.population_deviation_hours(number_of_completed_operations, run_time_sum, run_time_sum_of_squares)) STORED,

  setup_time_count bigint NOT NULL DEFAULT 0,
  setup_time_sum numeric NOT NULL DEFAULT 0,
  setup_time_sum_of_squares numeric NOT NULL DEFAULT 0,
  shortest_setup_time numeric(13,6),
  longest_setup_time numeric(13,6),
  average_setup_time numeric(13,6) GENERATED ALWAYS AS
    (takt.average_hours(setup_time_count, setup_time_sum)) STORED,
  deviation_setup_time numeric(13,6) GENERATED ALWAYS AS
    (takt.population_deviation_hours(setup_time_count, setup_time_sum, setup_time_sum_of_squares)) STORED,

  cleanup_time_count bigint NOT NULL DEFAULT 0,
  cleanup_time_sum numeric NOT NULL DEFAULT 0,
  cleanup_time_sum_of_squares numeric NOT NULL DEFAULT 0,
  shortest_cleanup_time numeric(13,6),
  longest_cleanup_time numeric(13,6),
  average_cleanup_time numeric(13,6) GENERATED ALWAYS AS
    (takt.average_hours(cleanup_time_count, cleanup_time_sum)) STORED,
  deviation_cleanup_time numeric(13,6) GENERATED ALWAYS AS
    (takt.population_deviation_hours(cleanup_time_count, cleanup_time_sum, cleanup_time_sum_of_squares)) STORED,

  PRIMARY KEY (company_id, product_structure_version_id),
  FOREIGN KEY (company_id, product_id) REFERENCES takt.products,
  CHECK ((changed_at IS NULL) = (product_id IS NULL))
);
COMMENT ON COLUMN takt.product_structure_versions.changed_at IS
  'newest product-structure-version.changed.v1 taken in; null: only figures so far, not listed';
COMMENT ON COLUMN takt.product_structure_versions.product_name IS
  'copy of products.name, kept equal by apply_product_structure_version_changes, so that it can be indexed with the figures';
COMMENT ON COLUMN takt.product_structure_versions.run_time IS 'planned hours';
COMMENT ON COLUMN takt.product_structure_versions.setup_time IS 'planned hours';
COMMENT ON COLUMN takt.product_structure_versions.cleanup_time IS 'planned hours';

CREATE INDEX product_structure_versions_of_product
  ON takt.product_structure_versions (company_id, product_id) WHERE changed_at IS NOT NULL;

-- One index per sort field, read in both directions. A missing time sorts first as -1 (times are never
-- negative), which keeps the keyset comparison a plain row comparison.
CREATE INDEX by_product_name ON takt.product_structure_versions
  (company_id, product_name, product_structure_version_id) WHERE changed_at IS NOT NULL;
CREATE INDEX by_number_of_completed_operations ON takt.product_structure_versions
  (company_id, number_of_completed_operations, product_structure_version_id) WHERE changed_at IS NOT NULL;
-- Every column of hours has besides a statistic of how the values of its sort key are spread. The planner does not
-- take this from a partial index, and without it expects a third of the table for any range: a filter that leaves a
-- thousandth would then be answered by reading the table in the order asked for, instead of the few rows that the
-- filter's own index finds.
DO $$
DECLARE
  hours text;
BEGIN
  FOR hours IN
    SELECT attname FROM pg_attribute
    WHERE attrelid = 'takt.product_structure_versions'::regclass AND attname LIKE '%\_time'
    ORDER BY attnum
  LOOP
    EXECUTE format(
      'CREATE INDEX %I ON takt.product_structure_versions '
      '(company_id, coalesce(%I, -1), product_structure_version_id) WHERE changed_at IS NOT NULL',
      'by_' || hours, hours);
    EXECUTE format(
      'CREATE STATISTICS takt.%I ON (coalesce(%I, -1)) FROM takt.product_structure_versions',
      'spread_of_' || hours, hours);
  END LOOP;
END $$;

GRANT SELECT, INSERT, UPDATE ON takt.products, takt.product_structure_versions TO takt_worker;
GRANT SELECT ON takt.products, takt.product_structure_versions TO takt_api;

-- How many product structure versions are listed per company, kept by triggers (functions/count_listed.sql) in the
-- transaction that lists them, so that it is exact in every snapshot: to count a million rows for the size of a list,
-- or for where its last page begins, takes a hundred times longer than the page itself.
CREATE TABLE takt.list_sizes (
  company_id integer PRIMARY KEY REFERENCES takt.companies,
  product_structure_versions bigint NOT NULL
) WITH (fillfactor = 50);
COMMENT ON COLUMN takt.list_sizes.product_structure_versions IS 'rows with changed_at set; a missing row means none';

GRANT SELECT, INSERT, UPDATE ON takt.list_sizes TO takt_worker;
GRANT SELECT ON takt.list_sizes TO takt_api;
-- One product-structure-version.changed.v1, flattened, without the company it belongs to.
CREATE TYPE takt.product_structure_version_change AS (
  changed_at timestamptz,
  product_structure_version_id bigint,
  status integer,
  name text,
  version integer,
  revision text,
  product_id bigint,
  product_status integer,
  product_name text,
  product_type text,
  product_description text,
  run_time numeric(13,6),
  setup_time numeric(13,6),
  cleanup_time numeric(13,6)
);
