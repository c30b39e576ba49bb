-- Products, product structure versions with their planned times and figures, and figures by month.

-- Names are searched by any part of them, without regard to case. They are folded once when they are written, and indexed
-- by their trigrams, so a part of three or more characters is found without reading every name. pg_trgm comes with
-- PostgreSQL and is trusted: the owner of a database may create it.
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
COMMENT ON COLUMN takt.products.folded_name IS 'name without regard to case, which filters compare with';

CREATE INDEX products_by_name ON takt.products (company_id, name, product_id);

-- The functions that compute generated columns. They belong to the tables and not to functions/, because a new body would
-- not recompute the stored values. Averages and population standard deviations are in microhours and come from exact
-- sums in hours. They are rounded half up without any intermediate rounding: a quotient that is truncated before it is
-- rounded can be one too high. Hours have 6 decimals, so everything below is whole numbers of microhours.

-- floor((2 * total + n) / (2 * n)) in microhours is total / n rounded half up.
-- Not STRICT, so that PostgreSQL can inline it into the calling expression.
CREATE FUNCTION takt.average_microhours(n bigint, total numeric) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN n > 0 THEN div(2000000 * total + n, 2 * n)::bigint END;

-- sqrt(n * sum_of_squares - total^2) / n. With v = 4e12 * (n * sum_of_squares - total^2), a whole number,
-- floor((sqrt(v) + n) / (2 * n)) is the deviation in microhours rounded half up. The root may be rounded down first,
-- because n is whole. numeric's sqrt rounds, so its floor may be one too high; the square shows it.
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

-- Microhours by which n operations took longer than planned; total is their sum in hours. The result is exact, so it may
-- be larger than a bigint. Not STRICT, so that PostgreSQL can inline it.
CREATE FUNCTION takt.microhours_over_plan(n bigint, total numeric, planned bigint) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 1000000 * total - n::numeric * planned;

-- Hundredths of a percent of the plan by which n operations took longer than planned; negative if they were shorter.
-- total is their sum in hours. The exact quotient is rounded half away from zero. Null if there are no operations or the
-- plan is 0. Not STRICT and not plpgsql, so that PostgreSQL can inline it.
CREATE FUNCTION takt.percent_over_plan(n bigint, total numeric, planned bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN div(
  20000 * takt.microhours_over_plan(n, total, planned)
    + sign(takt.microhours_over_plan(n, total, planned)) * n * planned,
  nullif(2 * n::numeric * planned, 0))::bigint;

-- Sum of the arguments that are not null; null if all are null.
CREATE FUNCTION takt.sum_of_known(run numeric, setup numeric, cleanup numeric) RETURNS numeric
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF coalesce(run, setup, cleanup) IS NOT NULL THEN
    RETURN coalesce(run, 0) + coalesce(setup, 0) + coalesce(cleanup, 0);
  END IF;
  RETURN NULL;
END $$;

-- The value limited to the range that is stored, because an event must not fail when figures have grown. Nine million
-- operations of a million hours each reach the limit. The ends of bigint stay free for sort keys of missing values.
CREATE FUNCTION takt.bounded_microhours(microhours numeric) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
BEGIN
  RETURN greatest(least(microhours, 9000000000000000000), -9000000000000000000);
END $$;

-- migrate withdraws the right to call functions from PUBLIC. The worker calls these by writing generated columns, and the
-- API calls some of them for figures by month and of a period.
GRANT EXECUTE ON FUNCTION takt.average_microhours(bigint, numeric),
  takt.population_deviation_microhours(bigint, numeric, numeric), takt.microhours_over_plan(bigint, numeric, bigint),
  takt.percent_over_plan(bigint, numeric, bigint) TO takt_worker, takt_api;
GRANT EXECUTE ON FUNCTION takt.sum_of_known(numeric, numeric, numeric), takt.bounded_microhours(numeric) TO takt_worker;

-- Master data, planned times and figures of a product structure version in one row, so that a list reads one table and
-- most sort orders have an index. A row may begin with figures alone. Its master data are null until changed_at is set;
-- from then on it is listed.
-- Times are whole microhours and not numeric: under row-level security, PostgreSQL uses an index and statistics only for
-- leakproof comparisons, which those of numeric are not. Sums are exact hours, and no client compares them.
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
  run_time bigint,
  setup_time bigint,
  cleanup_time bigint,

  number_of_completed_operations bigint NOT NULL DEFAULT 0,
  run_time_sum numeric NOT NULL DEFAULT 0,
  run_time_sum_of_squares numeric NOT NULL DEFAULT 0,
  shortest_run_time bigint,
  longest_run_time bigint,
  average_run_time bigint GENERATED ALWAYS AS
    (takt.average_microhours(number_of_completed_operations, run_time_sum)) STORED,
  deviation_run_time bigint GENERATED ALWAYS AS
    (takt.population_deviation_microhours(number_of_completed_operations, run_time_sum, run_time_sum_of_squares)) STORED,

  setup_time_count bigint NOT NULL DEFAULT 0,
  setup_time_sum numeric NOT NULL DEFAULT 0,
  setup_time_sum_of_squares numeric NOT NULL DEFAULT 0,
  shortest_setup_time bigint,
  longest_setup_time bigint,
  average_setup_time bigint GENERATED ALWAYS AS
    (takt.average_microhours(setup_time_count, setup_time_sum)) STORED,
  deviation_setup_time bigint GENERATED ALWAYS AS
    (takt.population_deviation_microhours(setup_time_count, setup_time_sum, setup_time_sum_of_squares)) STORED,

  cleanup_time_count bigint NOT NULL DEFAULT 0,
  cleanup_time_sum numeric NOT NULL DEFAULT 0,
  cleanup_time_sum_of_squares numeric NOT NULL DEFAULT 0,
  shortest_cleanup_time bigint,
  longest_cleanup_time bigint,
  average_cleanup_time bigint GENERATED ALWAYS AS
    (takt.average_microhours(cleanup_time_count, cleanup_time_sum)) STORED,
  deviation_cleanup_time bigint GENERATED ALWAYS AS
    (takt.population_deviation_microhours(cleanup_time_count, cleanup_time_sum, cleanup_time_sum_of_squares)) STORED,

  -- The comparison with the plan. It is stored, because lists are sorted and filtered by it, and generated, so that it
  -- follows every change of a plan or a figure.
  run_time_difference bigint GENERATED ALWAYS AS
    (takt.average_microhours(number_of_completed_operations, run_time_sum) - run_time) STORED,
  run_time_over_plan_percent bigint GENERATED ALWAYS AS
    (takt.percent_over_plan(number_of_completed_operations, run_time_sum, run_time)) STORED,
  run_time_hours_over_plan bigint GENERATED ALWAYS AS
    (takt.bounded_microhours(takt.microhours_over_plan(number_of_completed_operations, run_time_sum, run_time))) STORED,
  setup_time_difference bigint GENERATED ALWAYS AS
    (takt.average_microhours(setup_time_count, setup_time_sum) - setup_time) STORED,
  setup_time_over_plan_percent bigint GENERATED ALWAYS AS
    (takt.percent_over_plan(setup_time_count, setup_time_sum, setup_time)) STORED,
  setup_time_hours_over_plan bigint GENERATED ALWAYS AS
    (takt.bounded_microhours(takt.microhours_over_plan(setup_time_count, setup_time_sum, setup_time))) STORED,
  cleanup_time_difference bigint GENERATED ALWAYS AS
    (takt.average_microhours(cleanup_time_count, cleanup_time_sum) - cleanup_time) STORED,
  cleanup_time_over_plan_percent bigint GENERATED ALWAYS AS
    (takt.percent_over_plan(cleanup_time_count, cleanup_time_sum, cleanup_time)) STORED,
  cleanup_time_hours_over_plan bigint GENERATED ALWAYS AS
    (takt.bounded_microhours(takt.microhours_over_plan(cleanup_time_count, cleanup_time_sum, cleanup_time))) STORED,
  hours_over_plan bigint GENERATED ALWAYS AS
    (takt.bounded_microhours(takt.sum_of_known(
      takt.microhours_over_plan(number_of_completed_operations, run_time_sum, run_time),
      takt.microhours_over_plan(setup_time_count, setup_time_sum, setup_time),
      takt.microhours_over_plan(cleanup_time_count, cleanup_time_sum, cleanup_time)))) STORED,

  PRIMARY KEY (company_id, product_structure_version_id),
  FOREIGN KEY (company_id, product_id) REFERENCES takt.products,
  CHECK ((changed_at IS NULL) = (product_id IS NULL))
) WITH (
  -- Each completion changes columns that are keys of most indexes. So no update can stay within its page (HOT), and each
  -- leaves an entry in some 20 indexes until the table is vacuumed. The size of the indexes depends on how soon a vacuum
  -- begins and how fast it is. Measured with 300,000 updates of 20,000 rows, about 5,000 a second, and indexes of 15 MB:
  --   77 MB without a vacuum, and with the server's default autovacuum_naptime of 60 s
  --   54 MB with autovacuum_naptime 15 s
  --   33 to 41 MB with 15 s and a vacuum that does not pause (cost_delay 0)
  -- Free space in the pages of the table or of the indexes changes nothing that lasts. The scale factor matters for millions of
  -- rows: with the default, a fifth of them would add a fifth to every index.
  autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0
);
COMMENT ON COLUMN takt.product_structure_versions.changed_at IS
  'instant of the newest applied product-structure-version.changed.v1; null if the row has only figures and is not listed';
COMMENT ON COLUMN takt.product_structure_versions.product_name IS
  'copy of products.name, kept equal by apply_product_structure_version_changes, so that one index has it with the figures';

CREATE INDEX product_structure_versions_of_product
  ON takt.product_structure_versions (company_id, product_id) WHERE changed_at IS NOT NULL;
-- Few rows: they are counted every half a minute.
CREATE INDEX unlisted_structure_versions ON takt.product_structure_versions
  (company_id, product_structure_version_id) WHERE changed_at IS NULL;

-- One index for each sort field, which is read in both directions.
CREATE INDEX by_product_name ON takt.product_structure_versions
  (company_id, product_name, product_structure_version_id) WHERE changed_at IS NOT NULL;
CREATE INDEX by_number_of_completed_operations ON takt.product_structure_versions
  (company_id, number_of_completed_operations, product_structure_version_id) WHERE changed_at IS NOT NULL;

-- A missing time sorts first, as -1, because times are never negative. A missing comparison sorts first as the smallest
-- bigint, because comparisons may be negative. So the comparison of keysets is a plain comparison of rows. The expression
-- uses greatest, because PostgreSQL never considers coalesce leakproof.
-- Each sort key also has statistics: the planner does not take them from a partial index, and without them expects a
-- third of the table for any range. It would then answer a selective filter by reading the whole table in sort order.
-- Differences and percentages have only statistics: each index would cost some 2 µs and 100 bytes of log per completion,
-- and a page that is sorted by them takes 100 ms for 100,000 rows.
DO $$
DECLARE
  figure text;
  missing text;
BEGIN
  FOR figure, missing IN
    SELECT attname, CASE WHEN attname LIKE '%\_time' THEN '-1' ELSE '-9223372036854775808' END
    FROM pg_attribute
    WHERE attrelid = 'takt.product_structure_versions'::regclass
      AND attname ~ '(_time|_difference|_over_plan_percent|_over_plan)$'
    ORDER BY attnum
  LOOP
    IF figure !~ '(_difference|_percent)$' THEN
      EXECUTE format(
        'CREATE INDEX %I ON takt.product_structure_versions '
        '(company_id, greatest(%I, %s), product_structure_version_id) WHERE changed_at IS NOT NULL',
        'by_' || figure, figure, missing);
    END IF;
    EXECUTE format(
      'CREATE STATISTICS takt.%I ON (greatest(%I, %s)) FROM takt.product_structure_versions',
      'spread_of_' || figure, figure, missing);
    EXECUTE format(
      'COMMENT ON COLUMN takt.product_structure_versions.%I IS %L', figure,
      CASE
        WHEN figure ~ 'percent$' THEN 'hundredths of a percent; null without an average or a plan, and for a plan of 0'
        WHEN figure ~ 'difference$' THEN 'microhours: average minus plan; null without an average or a plan'
        WHEN figure ~ 'over_plan$' THEN 'microhours: sum of the actual times minus count times plan; null without a plan'
        WHEN figure ~ '_.*_' THEN 'microhours; null if none was reported'
        ELSE 'planned microhours' END);
  END LOOP;
END $$;

GRANT SELECT, INSERT, UPDATE ON takt.products, takt.product_structure_versions TO takt_worker;
GRANT SELECT ON takt.products, takt.product_structure_versions TO takt_api;

-- The dashboard counts operations that wait for the master data of their structure version. It sees no other figures.
GRANT SELECT (company_id, product_structure_version_id, number_of_completed_operations, changed_at)
  ON takt.product_structure_versions TO takt_dashboard;
CREATE POLICY unlisted_of_all_companies ON takt.product_structure_versions FOR SELECT TO takt_dashboard
  USING (changed_at IS NULL);

-- The data of a product-structure-version.changed.v1 without its company.
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

-- The number of listed product structure versions of a company. The transaction that lists them updates it
-- (functions/note_changes.sql), so it is exact in every snapshot. To count a million rows takes a hundred times longer
-- than a page.
CREATE TABLE takt.list_sizes (
  company_id integer PRIMARY KEY REFERENCES takt.companies,
  product_structure_versions bigint NOT NULL
) WITH (fillfactor = 50);
COMMENT ON COLUMN takt.list_sizes.product_structure_versions IS 'rows with changed_at; no row means 0';

GRANT SELECT, INSERT, UPDATE ON takt.list_sizes TO takt_worker;
GRANT SELECT ON takt.list_sizes TO takt_api;

-- The texts in which a search looks: names and identifiers of a structure version and its product, one per line, without
-- regard to case, and in further spellings (functions/searched_text.sql). A table of its own, because every completion
-- would write to a trigram index on product_structure_versions. Only functions that run as the owner read it.
CREATE TABLE takt.structure_version_texts (
  company_id integer NOT NULL REFERENCES takt.companies,
  product_structure_version_id bigint NOT NULL,
  folded text COLLATE "und-x-icu" NOT NULL,
  PRIMARY KEY (company_id, product_structure_version_id)
);

GRANT SELECT, INSERT, UPDATE ON takt.structure_version_texts TO takt_worker;

-- pg_trgm may be in another schema, if the database had it before.
DO $$
DECLARE
  operators text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'pg_trgm') || '.gin_trgm_ops';
BEGIN
  EXECUTE format('CREATE INDEX products_by_folded_name ON takt.products USING gin (folded_name %s)', operators);
  EXECUTE format('CREATE INDEX structure_version_texts_by_part ON takt.structure_version_texts USING gin (folded %s)',
    operators);
END $$;

-- Figures by structure version and calendar month, like those of product_structure_versions, which they add up to: sums in
-- hours, extremes in microhours. An operation belongs to the month of its newest completion, in the time zone of
-- month_zones. Averages and deviations are computed when months are read, because few months are read at once. The
-- sums have no CHECK, because an event must not fail when a month is damaged; the audit finds damage, and rebuild repairs it.
--
-- Each completion updates the row of its month, which is in no index but the key. If the page has room, the update stays
-- within it (HOT) and adds nothing to the index. A batch may update most rows of a page, so the pages are filled to 60 %;
-- 98 % of the updates found room.
CREATE TABLE takt.monthly_figures (
  company_id integer NOT NULL,
  product_structure_version_id bigint NOT NULL,
  month date NOT NULL,
  number_of_completed_operations bigint NOT NULL DEFAULT 0,
  run_time_sum numeric NOT NULL DEFAULT 0,
  run_time_sum_of_squares numeric NOT NULL DEFAULT 0,
  shortest_run_time bigint,
  longest_run_time bigint,
  setup_time_count bigint NOT NULL DEFAULT 0,
  setup_time_sum numeric NOT NULL DEFAULT 0,
  setup_time_sum_of_squares numeric NOT NULL DEFAULT 0,
  shortest_setup_time bigint,
  longest_setup_time bigint,
  cleanup_time_count bigint NOT NULL DEFAULT 0,
  cleanup_time_sum numeric NOT NULL DEFAULT 0,
  cleanup_time_sum_of_squares numeric NOT NULL DEFAULT 0,
  shortest_cleanup_time bigint,
  longest_cleanup_time bigint,
  last_completed_at timestamptz,
  PRIMARY KEY (company_id, product_structure_version_id, month),
  CHECK (extract(day FROM month) = 1)
) WITH (
  fillfactor = 60,
  autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0
);
COMMENT ON COLUMN takt.monthly_figures.month IS 'first day of the month';
COMMENT ON COLUMN takt.monthly_figures.number_of_completed_operations IS '0 if all operations left; the month is then not served';
COMMENT ON COLUMN takt.monthly_figures.last_completed_at IS
  'newest completion in the ledger or among pruned operations; null if all were pruned before the completions were recorded';

-- Lists of a period add up a few months of many. Rows are added as months come, so the rows of a month are close together
-- and BRIN finds them. PostgreSQL would use a B-tree by month for look-ups by the whole key if the table was never analysed.
CREATE INDEX monthly_figures_by_month ON takt.monthly_figures USING brin (company_id, month) WITH (autosummarize);

GRANT SELECT, INSERT, UPDATE ON takt.monthly_figures TO takt_worker;
GRANT SELECT ON takt.monthly_figures TO takt_api;

-- The time zone of a company's figures by month; UTC without a row. A table of its own, because on a cluster a batch reads
-- this row on the node of its company, and a step of a rebuild writes it there in the transaction of the figures.
CREATE TABLE takt.month_zones (
  company_id integer PRIMARY KEY REFERENCES takt.companies,
  time_zone text NOT NULL,
  time_zone_before text,
  rebuilt_to bigint,
  CHECK ((time_zone_before IS NULL) = (rebuilt_to IS NULL))
);
COMMENT ON COLUMN takt.month_zones.rebuilt_to IS
  'while months are rebuilt: structure versions above this id still have months in time_zone_before';

GRANT SELECT ON takt.month_zones TO takt_worker, takt_api;

-- Stamps of a company's data. Every change of served data writes a new stamp in the same transaction
-- (functions/note_changes.sql). So equal stamps mean equal data, and an answer that was made with them is still valid.
--
-- Each writing connection has a row of its own, by its process id, so that writers neither wait for each other nor need an
-- order of locks. The state of a company consists of all its stamps and those of company 0, which belong to all companies.
-- Stamps are random and not counted, so a restored database never has the same stamp for other data.
--
-- Only the key is indexed, so an update stays within its page while the page has room. While an old snapshot exists, for
-- example of a backup, all versions of a row stay, and a look-up passes them. So a connection begins a new row every ten
-- seconds, and a look-up passes only the versions of ten seconds.
CREATE TABLE takt.company_changes (
  company_id integer NOT NULL,
  slot integer NOT NULL,
  period integer NOT NULL,
  stamp bigint NOT NULL,
  PRIMARY KEY (company_id, slot, period)
) WITH (
  fillfactor = 20,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0
);
COMMENT ON TABLE takt.company_changes IS 'written by takt.note_changes, which every change of served data calls';
COMMENT ON COLUMN takt.company_changes.company_id IS '0 for all companies';
COMMENT ON COLUMN takt.company_changes.slot IS 'process id of the writing connection';
COMMENT ON COLUMN takt.company_changes.period IS 'tens of seconds since 1970';

GRANT SELECT, INSERT, UPDATE, DELETE ON takt.company_changes TO takt_worker;
GRANT SELECT ON takt.company_changes TO takt_api;

-- A row of takt.plan_suggestions and of takt.product_production_times (functions/). They have types, because the columns of
-- RETURNS TABLE have no collation, and names would be sorted by the collation of the database.
CREATE TYPE takt.plan_suggestion AS (
  company_id integer,
  suggestion text COLLATE "und-x-icu",
  kind text COLLATE "und-x-icu",
  product_structure_version_id bigint,
  status integer,
  name text COLLATE "und-x-icu",
  version integer,
  revision text,
  product_id bigint,
  product_name text COLLATE "und-x-icu",
  planned bigint,
  suggested bigint,
  over_plan_percent bigint,
  operations bigint,
  hours_over_plan bigint,
  hours_a_year bigint,
  mean_low bigint,
  mean_high bigint,
  verdict text COLLATE "und-x-icu"
);

CREATE TYPE takt.product_production_time AS (
  company_id integer,
  product_id bigint,
  product_name text COLLATE "und-x-icu",
  status integer,
  type text COLLATE "und-x-icu",
  structure_versions bigint,
  operations bigint,
  planned bigint,
  actual bigint,
  hours_over_plan bigint,
  over_plan_percent bigint
);
