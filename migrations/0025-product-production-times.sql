-- A row of takt.product_production_times (functions). A type of its own for its collation, as takt.plan_suggestion.
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
