-- Returns by how much the mean of n values is greater than the mean of n_before values, in hundredths of a percent of
-- the latter. It is computed from exact means and rounded half away from zero. Null if either has no values, or the
-- mean before is 0. total and total_before are the sums of the values, at least 0 and with at most 6 decimals; the
-- means differ by a factor of at most 10^12.
CREATE FUNCTION takt.percent_change(n bigint, total numeric, n_before bigint, total_before numeric) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN n > 0 AND n_before > 0 AND total_before > 0 THEN
    div(20000 * (total * n_before - total_before * n) + sign(total * n_before - total_before * n) * total_before * n,
      2 * total_before * n)::bigint
  END
$$;

REVOKE EXECUTE ON FUNCTION takt.percent_change(bigint, numeric, bigint, numeric) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.percent_change(bigint, numeric, bigint, numeric) TO takt_api;
