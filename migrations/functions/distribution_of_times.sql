-- Returns the distribution of one kind of time (run, setup or cleanup) of a structure version, over its unpruned
-- operations that were completed from first_month to last_month (the first days of these months). The result is one
-- row, or none if the structure version is not listed. Times are in microhours.
--
-- percentiles: those of 10, 25, 50, 75 and 90 percent, interpolated linearly between the two nearest times like
-- percentile_cont, but exact and rounded half up; null without a time.
-- bins: a JSON array of arrays with the lower and the upper border in hours, and the number of times from the lower
-- border up to the upper one, which is excluded. There are at most 30 bins of equal width. The width is 2 * IQR /
-- cbrt(count) (Freedman and Diaconis, 1981), or more if 30 of them would not reach the longest time, rounded up to 1, 2
-- or 5 times a power of ten. If some times are more than three interquartile ranges above the third quartile (Tukey's
-- outer fence), the last bin contains all of them and its upper border is null: these few times would otherwise
-- compress all others into one bin.
-- pruned: the number of times that are part of the figures, but whose operations were pruned.
--
-- It is part of the caller's statement, so it uses one snapshot. The borders are found in the sorted array by
-- bisection.
CREATE FUNCTION takt.distribution_of_times(company integer, structure_version bigint, kind text, first_month date,
  last_month date)
RETURNS TABLE (company_id integer, product_structure_version_id bigint, reported bigint, pruned bigint, percentiles bigint[], bins json)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
  zone text := takt.time_zone_of(company, structure_version);
  times bigint[];
  known bigint;
  in_figures bigint;
  quartiles bigint[];
  reach bigint;
  width bigint;
  first bigint;
  borders bigint[];
  below bigint[];
BEGIN
  PERFORM FROM takt.product_structure_versions
    WHERE company_id = company AND product_structure_version_id = structure_version AND changed_at IS NOT NULL;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  SELECT coalesce(sum(CASE kind WHEN 'run' THEN number_of_completed_operations WHEN 'setup' THEN setup_time_count
      ELSE cleanup_time_count END), 0)
    INTO in_figures
    FROM takt.monthly_figures
    WHERE company_id = company AND product_structure_version_id = structure_version
      AND month BETWEEN first_month AND last_month;
  SELECT array_agg(time ORDER BY time) INTO times
  FROM (
    SELECT (CASE kind WHEN 'run' THEN run_time WHEN 'setup' THEN setup_time ELSE cleanup_time END * 1000000)::bigint AS time
    FROM takt.work_order_operations
    WHERE company_id = company AND product_structure_version_id = structure_version
      AND changed_at >= (first_month - interval '1 day') AT TIME ZONE 'UTC'
      AND changed_at < (last_month + interval '1 month 1 day') AT TIME ZONE 'UTC'
      AND takt.month_of(changed_at, zone) BETWEEN first_month AND last_month
  ) AS reported_or_not
  WHERE time IS NOT NULL;
  known := coalesce(cardinality(times), 0);
  IF known = 0 THEN
    RETURN QUERY SELECT company, structure_version, 0::bigint, in_figures, array_fill(NULL::bigint, ARRAY[5]), '[]'::json;
    RETURN;
  END IF;

  quartiles := array(
    SELECT (times[below + 1] * (100 - rest) + times[least(below + 2, known)] * rest + 50) / 100
    FROM unnest(ARRAY[10, 25, 50, 75, 90]) WITH ORDINALITY AS asked (percent, place),
      LATERAL (SELECT percent * (known - 1) / 100 AS below, percent * (known - 1) % 100 AS rest) AS nearest
    ORDER BY place);

  reach := times[known];
  IF quartiles[4] > quartiles[2] THEN
    reach := least(reach, quartiles[4] + 3 * (quartiles[4] - quartiles[2]));
  END IF;
  -- Borders are multiples of the width, and the first of the 30 bins may begin below the shortest time. So 29 widths
  -- must be enough to reach the longest time.
  width := takt.round_width(greatest(2 * (quartiles[4] - quartiles[2]) / cbrt(known), (reach - times[1]) / 29.0, 1));
  first := times[1] / width * width;
  borders := array(SELECT first + width * step FROM generate_series(0, (reach - first) / width) AS step);
  below := array(SELECT width_bucket(border - 1, times) FROM unnest(borders) WITH ORDINALITY AS one (border, place) ORDER BY place);

  RETURN QUERY SELECT company, structure_version, known, in_figures - known, quartiles, (
    SELECT json_agg(json_build_array(border * 0.000001,
      CASE WHEN place < cardinality(borders) OR times[known] < border + width THEN (border + width) * 0.000001 END,
      coalesce(below[place + 1], known) - below[place]) ORDER BY place)
    FROM unnest(borders) WITH ORDINALITY AS one (border, place));
END $$;

-- The distribution of all operations, for the API of the previous version. Remove it in the next version.
CREATE FUNCTION takt.distribution_of_times(company integer, structure_version bigint, kind text)
RETURNS TABLE (company_id integer, product_structure_version_id bigint, reported bigint, pruned bigint, percentiles bigint[], bins json)
LANGUAGE sql STABLE AS $$
  SELECT * FROM takt.distribution_of_times(company, structure_version, kind, '0001-01-01', '9999-12-01')
$$;

-- Returns the smallest number of the form 1, 2 or 5 times a power of ten that is not below width. width must be at
-- least 1.
CREATE FUNCTION takt.round_width(width double precision) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT min(digit * power)::bigint
  FROM unnest(ARRAY[1, 2, 5, 10]) AS digit, LATERAL (SELECT 10.0 ^ floor(log(width::numeric))) AS decade (power)
  WHERE digit * power >= width::numeric
$$;

REVOKE EXECUTE ON FUNCTION takt.distribution_of_times(integer, bigint, text, date, date),
  takt.distribution_of_times(integer, bigint, text), takt.round_width(double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.distribution_of_times(integer, bigint, text, date, date),
  takt.distribution_of_times(integer, bigint, text), takt.round_width(double precision) TO takt_api;
