-- The certainty of the average of reported times. It assumes that each operation is an independent draw and that there
-- is no trend, so Student's t distribution applies.
--
-- Returns the 0.975 quantile of Student's t distribution by degrees of freedom, to 10 decimals: up to 100 from a table,
-- above by the expansion of Fisher and Cornish (1960) with five terms, whose error is below 1e-12 there.
CREATE FUNCTION takt.t_quantile(degrees bigint) RETURNS numeric
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  quantiles CONSTANT numeric[] := ARRAY[
    12.7062047362, 4.3026527297, 3.1824463053, 2.7764451052, 2.5705818356, 2.4469118511, 2.3646242516, 2.3060041352,
    2.2621571628, 2.2281388520, 2.2009851601, 2.1788128297, 2.1603686565, 2.1447866879, 2.1314495456, 2.1199052992,
    2.1098155778, 2.1009220402, 2.0930240544, 2.0859634473, 2.0796138447, 2.0738730679, 2.0686576104, 2.0638985616,
    2.0595385528, 2.0555294386, 2.0518305165, 2.0484071418, 2.0452296421, 2.0422724563, 2.0395134464, 2.0369333435,
    2.0345152974, 2.0322445093, 2.0301079283, 2.0280940010, 2.0261924630, 2.0243941639, 2.0226909200, 2.0210753903,
    2.0195409704, 2.0180817028, 2.0166921992, 2.0153675744, 2.0141033889, 2.0128955989, 2.0117405137, 2.0106347576,
    2.0095752371, 2.0085591121, 2.0075837703, 2.0066468051, 2.0057459953, 2.0048792882, 2.0040447833, 2.0032407188,
    2.0024654593, 2.0017174841, 2.0009953781, 2.0002978220, 1.9996235850, 1.9989715170, 1.9983405425, 1.9977296543,
    1.9971379084, 1.9965644190, 1.9960083540, 1.9954689314, 1.9949454151, 1.9944371118, 1.9939433678, 1.9934635667,
    1.9929971259, 1.9925434952, 1.9921021540, 1.9916726096, 1.9912543954, 1.9908470688, 1.9904502102, 1.9900634213,
    1.9896863235, 1.9893185571, 1.9889597802, 1.9886096670, 1.9882679075, 1.9879342062, 1.9876082816, 1.9872898648,
    1.9869786995, 1.9866745407, 1.9863771544, 1.9860863170, 1.9858018143, 1.9855234419, 1.9852510035, 1.9849843115,
    1.9847231860, 1.9844674545, 1.9842169516, 1.9839715185];
  inverse numeric;
BEGIN
  IF degrees <= 100 THEN
    RETURN quantiles[degrees];
  END IF;
  inverse := 1::numeric / degrees;
  RETURN round(1.959963984540054 + inverse * (2.372271230298563 + inverse * (2.822498615739618
    + inverse * (2.555849679507723 + inverse * (1.589534053393824 + inverse * 0.732898211981606)))), 10);
END $$;

-- Returns a bound of the 95 % confidence interval of a mean, in microhours, rounded half up: the mean of n times minus
-- (side = -1) or plus (side = 1) t(0.975, n - 1) * s / sqrt(n), where s is the sample deviation. total and squares are
-- the sums of the times and of their squares, in hours. Null if n is below 2.
--
-- It is computed in whole numbers: with the total T in microhours and V = n * squares - T^2, the bound is (T * (n - 1)
-- +- t * sqrt(V * (n - 1))) / (n * (n - 1)). The root has 20 decimals. If the root is rational, it is exact; if not,
-- the result is never so close to a half that the further decimals would change the rounding.
CREATE FUNCTION takt.mean_bound(n bigint, total numeric, squares numeric, side integer) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN n > 1 THEN floor(
    (2 * (total * 1000000 * (n - 1)
        + side * takt.t_quantile(n - 1) * sqrt(round((n * squares - total * total) * 1e12 * (n - 1), 20)))
      + n::numeric * (n - 1))
    / (2 * n::numeric * (n - 1)))::bigint END
$$;

-- Returns over or under if there are at least five times and the confidence interval of their mean lies above or below
-- the plan. Returns unsure if the interval contains the plan, or if there are fewer times; null without a plan or a
-- time. over_plan is the total time over plan. over_plan, plan and deviation are in microhours; deviation is the
-- population deviation.
--
-- Computing the exact bounds takes microseconds. They are not needed if the plan is far outside the interval and the
-- interval is so wide that the rounding of the deviation does not matter. Then a quotient decides: the difference to
-- the plan divided by half the width of the interval, both accurate to 1 %. A million rows take half a second in this
-- way, and five seconds with the exact bounds.
CREATE FUNCTION takt.verdict_of_mean(n bigint, total numeric, squares numeric, deviation bigint, over_plan bigint, planned bigint)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN planned IS NULL OR n = 0 THEN NULL WHEN n < 5 THEN 'unsure' ELSE
    CASE width_bucket(
      over_plan::float8 / n
        / nullif(greatest((1.96 + 2.396 / (n::float8 - 2.065)) * deviation::float8 / sqrt(n::float8 - 1), 200), 200),
      '{-1.01,-0.99,0.99,1.01}'::float8[])
    WHEN 0 THEN 'under' WHEN 2 THEN 'unsure' WHEN 4 THEN 'over'
    ELSE CASE WHEN takt.mean_bound(n, total, squares, -1) > planned THEN 'over'
      WHEN takt.mean_bound(n, total, squares, 1) < planned THEN 'under' ELSE 'unsure' END
    END
  END
$$;

REVOKE EXECUTE ON FUNCTION takt.t_quantile(bigint), takt.mean_bound(bigint, numeric, numeric, integer),
  takt.verdict_of_mean(bigint, numeric, numeric, bigint, bigint, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.t_quantile(bigint), takt.mean_bound(bigint, numeric, numeric, integer),
  takt.verdict_of_mean(bigint, numeric, numeric, bigint, bigint, bigint) TO takt_api;
