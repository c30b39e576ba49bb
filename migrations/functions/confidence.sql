-- The certainty of the average of reported times. It assumes that each operation is an independent draw and that there
-- is no trend, so Student's t distribution applies.
--
-- Returns the 0.975 quantile of Student's t distribution by degrees of freedom, to 25 decimals: up to 100 from a table,
-- above by its asymptotic expansion in 1 / degrees (Fisher and Cornish, 1960) with 14 terms, whose error is below 1e-26
-- there. The largest bounds are some 1e13 microhours, so fewer digits of t would round them wrongly. The terms from the
-- sixth on are below 1e-12, so double precision is enough for them.
CREATE FUNCTION takt.t_quantile(degrees bigint) RETURNS numeric
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  quantiles CONSTANT numeric[] := ARRAY[
    12.7062047361747046460216800, 4.3026527297494638523209439, 3.1824463052837095927232254, 2.7764451051977943578031048,
    2.5705818356363155146962462, 2.4469118511449699710712968, 2.3646242515927853416809015, 2.3060041352041666832951210,
    2.2621571627982055426077696, 2.2281388519862747483954907, 2.2009851600916398678772004, 2.1788128296672288663263444,
    2.1603686564627925015306782, 2.1447866879178038286714122, 2.1314495455597756821450726, 2.1199052992212546744557014,
    2.1098155778333170859295551, 2.1009220402410384880608716, 2.0930240544083097691773153, 2.0859634472658648427173609,
    2.0796138447276803951216625, 2.0738730679040261658464783, 2.0686576104190486515085248, 2.0638985616280258492457841,
    2.0595385527532977488929091, 2.0555294386428732135420168, 2.0518305164802855561520905, 2.0484071417952451598938844,
    2.0452296421327042981937722, 2.0422724563012383099580422, 2.0395134463964084878504008, 2.0369333434601019587983354,
    2.0345152974493386961935632, 2.0322445093177189644763274, 2.0301079282503431796342920, 2.0280940009804509302452224,
    2.0261924630291097749232888, 2.0243941639119696444054203, 2.0226909200367611356318476, 2.0210753903062734213011319,
    2.0195409704413760434456232, 2.0180817028184446814703049, 2.0166921992278243886352128, 2.0153675744437638177409748,
    2.0141033888808466951513192, 2.0128955989194292214285454, 2.0117405137297658670609942, 2.0106347576242322275699980,
    2.0095752371292396722597929, 2.0085591121007611054905321, 2.0075837703158360368564616, 2.0066468050616883428301963,
    2.0057459953178689944998571, 2.0048792881880570383650236, 2.0040447832891458987502232, 2.0032407188478721792281819,
    2.0024654592910073278184033, 2.0017174841452361123193479, 2.0009953780882677059805369, 2.0002978220142605045034727,
    1.9996235849949397004137434, 1.9989715170333789609476607, 1.9983405425207415782150436, 1.9977296543176929715741653,
    1.9971379083920040771409492, 1.9965644189523119740901496, 1.9960083540252966725473342, 1.9954689314298439399730839,
    1.9949454151072380125165092, 1.9944371117711865634845677, 1.9939433678456257869697319, 1.9934635666618724101870428,
    1.9929971258898551416278768, 1.9925434951809327016343638, 1.9921021540022421115070723, 1.9916726096446645018026548,
    1.9912543953883849564109256, 1.9908470688116909263165964, 1.9904502102301289409325399, 1.9900634212544461673864193,
    1.9896863234569029030699563, 1.9893185571365725498898633, 1.9889597801751627780316804, 1.9886096669757091174395865,
    1.9882679074772219976634323, 1.9879342062390206321668328, 1.9876082815890711277077179, 1.9872898648311696672474207,
    1.9869786995062814543893062, 1.9866745407037683542228248, 1.9863771544186181164158902, 1.9860863169511303769357606,
    1.9858018143458234028542086, 1.9855234418666043828109629, 1.9852510035054981629784571, 1.9849843115224575040649725,
    1.9847231860139846847505267, 1.9844674545084818132569238, 1.9842169515864174951046221, 1.9839715185235522865951849];
  inverse numeric;
  x float8;
  small float8;
BEGIN
  IF degrees <= 100 THEN
    RETURN quantiles[degrees];
  END IF;
  inverse := 1.000000000000000000000000000000 / degrees;
  x := inverse;
  small := 0.627480460951074 + x * (0.128812853596197 + x * (-1.71392818262352 + x * (1.94252138698390 + x * (14.200505962072
    + x * (-30.256689397252 + x * (-152.7835408970 + x * (524.006648216 + x * 2231.14279452)))))));
  RETURN round(1.959963984540054235524594430521 + inverse * (2.3722712302985627752453875526 + inverse * (2.82249861573961180392587408
    + inverse * (2.555849679507723325777918 + inverse * (1.5895340533938235407910 + inverse * (0.73289821198160569788
    + inverse * small::numeric))))), 25);
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
