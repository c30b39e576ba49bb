-- Average and population standard deviation in hours from exact sums, rounded half up to 6 decimals without any
-- intermediate rounding: a quotient that is first cut to a scale and then rounded can end one step too high.
-- All hours have 6 decimals, so one unit of the last place is a microhour and everything below is whole numbers.

-- floor((2 * total + n) / (2 * n)) in microhours is total / n rounded half up.
CREATE FUNCTION takt.average_hours(n bigint, total numeric) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
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
