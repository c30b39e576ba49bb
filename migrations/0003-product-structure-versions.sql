CREATE TABLE takt.products (
  company_id integer NOT NULL REFERENCES takt.companies,
  product_id bigint NOT NULL,
  status integer NOT NULL,
  name text COLLATE "und-x-icu" NOT NULL,
  type text NOT NULL,
  description text NOT NULL,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, product_id)
);

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
DO $$
DECLARE
  hours text;
BEGIN
  FOREACH hours IN ARRAY ARRAY[
    'run_time', 'setup_time', 'cleanup_time',
    'average_run_time', 'shortest_run_time', 'longest_run_time', 'deviation_run_time',
    'average_setup_time', 'shortest_setup_time', 'longest_setup_time', 'deviation_setup_time',
    'average_cleanup_time', 'shortest_cleanup_time', 'longest_cleanup_time', 'deviation_cleanup_time'
  ] LOOP
    EXECUTE format(
      'CREATE INDEX %I ON takt.product_structure_versions '
      '(company_id, coalesce(%I, -1), product_structure_version_id) WHERE changed_at IS NOT NULL',
      'by_' || hours, hours);
  END LOOP;
END $$;

GRANT SELECT, INSERT, UPDATE ON takt.products, takt.product_structure_versions TO takt_worker;
GRANT SELECT ON takt.products, takt.product_structure_versions TO takt_api;
