-- Increase of the mean of n values over the mean of n_before, in hundredths of a percent of the latter, from exact
-- means, rounded half away from zero. Null if either has no value, or the mean before is 0.
-- total, total_before: sums of the values, at least 0 and with at most 6 decimals; means differ by a factor of 10^12 at
-- most.
CREATE FUNCTION takt.percent_change(n bigint, total numeric, n_before bigint, total_before numeric) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN n > 0 AND n_before > 0 AND total_before > 0 THEN
    div(20000 * (total * n_before - total_before * n) + sign(total * n_before - total_before * n) * total_before * n,
      2 * total_before * n)::bigint
  END
$$;

REVOKE EXECUTE ON FUNCTION takt.percent_change(bigint, numeric, bigint, numeric) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.percent_change(bigint, numeric, bigint, numeric) TO takt_api;
