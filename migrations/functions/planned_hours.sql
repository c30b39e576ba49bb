-- A sum that no real factory reaches stays a number. Not bounded_microhours, which the API may not call.
CREATE FUNCTION takt.within_bigint(value numeric) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN value IS NOT NULL THEN greatest(least(value, 9000000000000000000), -9000000000000000000)::bigint END
$$;

-- Microhours planned for the operations of a structure version: how many reported a kind of time, times its plan, of the kinds
-- that have one. In bigint while no product of the largest plan can leave it, and in numeric for the few that can: sums in
-- numeric alone take half as long again. One of the two is null. Part of the expression that calls them: not STRICT.
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
