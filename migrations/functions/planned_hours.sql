-- Limits a sum that no real factory reaches to the range of bigint. Not bounded_microhours, which the API may not call.
CREATE FUNCTION takt.within_bigint(value numeric) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN value IS NOT NULL THEN greatest(least(value, 9000000000000000000), -9000000000000000000)::bigint END
$$;

-- Microhours planned for the operations of a structure version: for each kind of time with a plan, the number of
-- operations that reported it, times the plan. In bigint if no product of the largest plan can overflow, and otherwise
-- in numeric: sums in numeric alone take one and a half times as long. One of the two functions returns null. They must
-- be inlined, so they are not STRICT.
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
