-- Limits a sum to the range of bigint, which no real factory exceeds. This is not bounded_microhours, because the API
-- may not call that function.
CREATE FUNCTION takt.within_bigint(value numeric) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN value IS NOT NULL THEN greatest(least(value, 9000000000000000000), -9000000000000000000)::bigint END
$$;

-- Returns the planned microhours for the operations of a structure version: for each kind of time with a plan, the
-- number of operations that reported it, times the plan. Of the two functions, planned_of_few computes in bigint and
-- returns null if a product with the largest plan could overflow; then planned_of_many computes in numeric. Numeric sums
-- alone would take one and a half times as long. The functions must be inlined, so they are not STRICT.
CREATE FUNCTION takt.planned_of_few(runs bigint, run_time bigint, setups bigint, setup_time bigint, cleanups bigint,
  cleanup_time bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN runs <= 300000 THEN
    coalesce(runs * run_time, 0) + coalesce(setups * setup_time, 0) + coalesce(cleanups * cleanup_time, 0) END
$$;

CREATE FUNCTION takt.planned_of_many(runs bigint, run_time bigint, setups bigint, setup_time bigint, cleanups bigint,
  cleanup_time bigint) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN runs > 300000 THEN
    coalesce(runs::numeric * run_time, 0) + coalesce(setups::numeric * setup_time, 0)
      + coalesce(cleanups::numeric * cleanup_time, 0) END
$$;

REVOKE EXECUTE ON FUNCTION takt.within_bigint(numeric),
  takt.planned_of_few(bigint, bigint, bigint, bigint, bigint, bigint),
  takt.planned_of_many(bigint, bigint, bigint, bigint, bigint, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.within_bigint(numeric),
  takt.planned_of_few(bigint, bigint, bigint, bigint, bigint, bigint),
  takt.planned_of_many(bigint, bigint, bigint, bigint, bigint, bigint) TO takt_api;
