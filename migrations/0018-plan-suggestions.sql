-- A row of takt.plan_suggestions (functions). A type of its own, because the columns of RETURNS TABLE have no collation:
-- names would be ordered as the database was made, and not as all others are.
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
  hours_a_year bigint
);
