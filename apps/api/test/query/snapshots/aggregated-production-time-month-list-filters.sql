-- AverageRunTime eq 1
greatest(
  takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum"), -1
) = takt.same_units($1::bigint, 6, 0)

-- Month eq 'a'
casefold(to_char("monthly"."month", 'YYYY-MM') COLLATE "und-x-icu") = casefold($1::text COLLATE "und-x-icu")

-- AverageRunTime eq null
greatest(
  takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum"), -1
) = '-1'::bigint

-- AverageRunTime ne 1
(
  greatest(
    takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum"), -1
  ) <> takt.same_units($1::bigint, 6, 0)
  AND greatest(
    takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum"), -1
  ) > '-1'::bigint
)

-- Month ne 'a'
casefold(to_char("monthly"."month", 'YYYY-MM') COLLATE "und-x-icu") <> casefold($1::text COLLATE "und-x-icu")

-- AverageRunTime ne null
greatest(
  takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum"), -1
) > '-1'::bigint

-- AverageRunTime lt 1
(
  greatest(
    takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum"), -1
  ) < takt.ceiling_units($1::bigint, 6)
  AND greatest(
    takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum"), -1
  ) > '-1'::bigint
)

-- Month lt 'a'
casefold(to_char("monthly"."month", 'YYYY-MM') COLLATE "und-x-icu") < casefold($1::text COLLATE "und-x-icu")

-- AverageRunTime lt null
false

-- AverageRunTime le 1
(
  greatest(
    takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum"), -1
  ) <= takt.floor_units($1::bigint, 6)
  AND greatest(
    takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum"), -1
  ) > '-1'::bigint
)

-- Month le 'a'
casefold(to_char("monthly"."month", 'YYYY-MM') COLLATE "und-x-icu") <= casefold($1::text COLLATE "und-x-icu")

-- AverageRunTime le null
false

-- AverageRunTime gt 1
(
  greatest(
    takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum"), -1
  ) > takt.floor_units($1::bigint, 6)
  AND greatest(
    takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum"), -1
  ) > '-1'::bigint
)

-- Month gt 'a'
casefold(to_char("monthly"."month", 'YYYY-MM') COLLATE "und-x-icu") > casefold($1::text COLLATE "und-x-icu")

-- AverageRunTime gt null
false

-- AverageRunTime ge 1
(
  greatest(
    takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum"), -1
  ) >= takt.ceiling_units($1::bigint, 6)
  AND greatest(
    takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum"), -1
  ) > '-1'::bigint
)

-- Month ge 'a'
casefold(to_char("monthly"."month", 'YYYY-MM') COLLATE "und-x-icu") >= casefold($1::text COLLATE "und-x-icu")

-- AverageRunTime ge null
false

-- AverageRunTime eq 1.5
greatest(
  takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum"), -1
) = takt.same_units($1::numeric, 6, 0)

-- 1 lt AverageRunTime
(
  greatest(
    takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum"), -1
  ) > takt.floor_units($1::bigint, 6)
  AND greatest(
    takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum"), -1
  ) > '-1'::bigint
)

-- AverageRunTime gt DeviationCleanupTime
(
  greatest(
    takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum"), -1
  ) > greatest(
    takt.population_deviation_microhours(
      "monthly"."cleanup_time_count", "monthly"."cleanup_time_sum", "monthly"."cleanup_time_sum_of_squares"
    ),
    -1
  )
  AND takt.average_microhours(
    "monthly"."number_of_completed_operations", "monthly"."run_time_sum"
  ) IS NOT NULL
  AND takt.population_deviation_microhours(
    "monthly"."cleanup_time_count", "monthly"."cleanup_time_sum", "monthly"."cleanup_time_sum_of_squares"
  ) IS NOT NULL
)

-- Month eq Month
casefold(
  to_char("monthly"."month", 'YYYY-MM') COLLATE "und-x-icu"
) = casefold(
  to_char("monthly"."month", 'YYYY-MM') COLLATE "und-x-icu"
)

-- Month eq 'a'
casefold(to_char("monthly"."month", 'YYYY-MM') COLLATE "und-x-icu") = casefold($1::text COLLATE "und-x-icu")

-- AverageRunTime in (1, 2.5, null)
(
  greatest(
    takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum"), -1
  ) = ANY (takt.same_units($1::numeric[], 6, 0))
  OR greatest(
    takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum"), -1
  ) = '-1'::bigint
)

-- Month in ('a', 'b')
casefold(
  to_char("monthly"."month", 'YYYY-MM') COLLATE "und-x-icu"
) IN (
  SELECT casefold(listed_value COLLATE "und-x-icu")
  FROM unnest($1::text[]) AS listed_value
)

-- startswith(Month, 'a')
(
  (
    to_char("monthly"."month", 'YYYY-MM') >= ($1::text COLLATE "und-x-icu")
    AND to_char("monthly"."month", 'YYYY-MM') < ($2::text COLLATE "und-x-icu")
  )
  AND coalesce(
    starts_with(
      casefold(to_char("monthly"."month", 'YYYY-MM') COLLATE "und-x-icu"),
      casefold($3::text COLLATE "und-x-icu")
    ),
    false
  )
)

-- endswith(Month, 'a')
(
  right(
    casefold(to_char("monthly"."month", 'YYYY-MM') COLLATE "und-x-icu"),
    length(casefold($1::text COLLATE "und-x-icu"))
  ) = casefold($2::text COLLATE "und-x-icu")
)

-- contains(Month, 'a')
(
  position(
    casefold($1::text COLLATE "und-x-icu") IN casefold(
      to_char("monthly"."month", 'YYYY-MM') COLLATE "und-x-icu"
    )
  ) > 0
)

-- substringof('a', Month)
(
  position(
    casefold($1::text COLLATE "und-x-icu") IN casefold(
      to_char("monthly"."month", 'YYYY-MM') COLLATE "und-x-icu"
    )
  ) > 0
)

-- startswith(Month, Month)
starts_with(
  casefold(to_char("monthly"."month", 'YYYY-MM') COLLATE "und-x-icu"),
  casefold(to_char("monthly"."month", 'YYYY-MM') COLLATE "und-x-icu")
)

-- endswith(Month, Month)
(
  right(
    casefold(to_char("monthly"."month", 'YYYY-MM') COLLATE "und-x-icu"),
    length(casefold(to_char("monthly"."month", 'YYYY-MM') COLLATE "und-x-icu"))
  ) = casefold(
    to_char("monthly"."month", 'YYYY-MM') COLLATE "und-x-icu"
  )
)

-- contains(Month, Month)
(
  position(
    casefold(
      to_char("monthly"."month", 'YYYY-MM') COLLATE "und-x-icu"
    ) IN casefold(
      to_char("monthly"."month", 'YYYY-MM') COLLATE "und-x-icu"
    )
  ) > 0
)

-- substringof(Month, Month)
(
  position(
    casefold(
      to_char("monthly"."month", 'YYYY-MM') COLLATE "und-x-icu"
    ) IN casefold(
      to_char("monthly"."month", 'YYYY-MM') COLLATE "und-x-icu"
    )
  ) > 0
)

-- tolower(Month) eq 'a'
casefold(
  lower(to_char("monthly"."month", 'YYYY-MM') COLLATE "und-x-icu") COLLATE "und-x-icu"
) = casefold($1::text COLLATE "und-x-icu")

-- toupper(Month) eq 'a'
casefold(
  upper(to_char("monthly"."month", 'YYYY-MM') COLLATE "und-x-icu") COLLATE "und-x-icu"
) = casefold($1::text COLLATE "und-x-icu")

-- trim(Month) eq 'a'
casefold(
  btrim(to_char("monthly"."month", 'YYYY-MM'), E' \t\n\r\f\v\u00a0') COLLATE "und-x-icu"
) = casefold($1::text COLLATE "und-x-icu")

-- concat(Month, 'b') eq 'a'
casefold(
  (to_char("monthly"."month", 'YYYY-MM') || $1::text) COLLATE "und-x-icu"
) = casefold($2::text COLLATE "und-x-icu")

-- substring(Month, 2, 3) eq 'a'
casefold(
  takt.part_of_text(to_char("monthly"."month", 'YYYY-MM'), $1::numeric, $2::numeric) COLLATE "und-x-icu"
) = casefold($3::text COLLATE "und-x-icu")

-- length(Month) eq 1
length(to_char("monthly"."month", 'YYYY-MM')) = $1::bigint

-- indexof(Month, 'b') eq 1
takt.place_in_text(to_char("monthly"."month", 'YYYY-MM'), $1::text) = $2::bigint

-- round(AverageRunTime) eq 1
round(
  (takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum") * 0.000001)
) = $1::bigint

-- floor(AverageRunTime) eq 1
floor(
  (takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum") * 0.000001)
) = $1::bigint

-- ceiling(AverageRunTime) eq 1
ceil(
  (takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum") * 0.000001)
) = $1::bigint

-- AverageRunTime add DeviationCleanupTime gt 1.5
(
  (
    takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum") * 0.000001
  ) + (
    takt.population_deviation_microhours(
      "monthly"."cleanup_time_count", "monthly"."cleanup_time_sum", "monthly"."cleanup_time_sum_of_squares"
    ) * 0.000001
  )
) > $1::numeric

-- AverageRunTime sub DeviationCleanupTime gt 1.5
(
  (
    takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum") * 0.000001
  ) - (
    takt.population_deviation_microhours(
      "monthly"."cleanup_time_count", "monthly"."cleanup_time_sum", "monthly"."cleanup_time_sum_of_squares"
    ) * 0.000001
  )
) > $1::numeric

-- AverageRunTime mul DeviationCleanupTime gt 1.5
(
  (
    takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum") * 0.000001
  ) * (
    takt.population_deviation_microhours(
      "monthly"."cleanup_time_count", "monthly"."cleanup_time_sum", "monthly"."cleanup_time_sum_of_squares"
    ) * 0.000001
  )
) > $1::numeric

-- AverageRunTime div DeviationCleanupTime gt 1.5
(
  div(
    (
      takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum") * 0.000001
    ) * 1e20,
    nullif(
      (
        takt.population_deviation_microhours(
          "monthly"."cleanup_time_count",
          "monthly"."cleanup_time_sum",
          "monthly"."cleanup_time_sum_of_squares"
        ) * 0.000001
      ),
      0
    )
  ) * 1e-20
) > $1::numeric

-- AverageRunTime mod DeviationCleanupTime gt 1.5
mod(
  (takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum") * 0.000001),
  nullif(
    (
      takt.population_deviation_microhours(
        "monthly"."cleanup_time_count", "monthly"."cleanup_time_sum", "monthly"."cleanup_time_sum_of_squares"
      ) * 0.000001
    ),
    0
  )
) > $1::numeric

-- -AverageRunTime lt -(1 add 2)
(
  - (takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum") * 0.000001)
) < (- ($1::numeric + $2::numeric))

-- AverageRunTime gt 2 mul 3
(
  greatest(
    takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum"), -1
  ) > takt.floor_units(($1::numeric * $2::numeric), 6)
  AND greatest(
    takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum"), -1
  ) > '-1'::bigint
)

-- substring(Month, 1) eq 'a'
casefold(
  takt.part_of_text(to_char("monthly"."month", 'YYYY-MM'), $1::numeric, 2147483647) COLLATE "und-x-icu"
) = casefold($2::text COLLATE "und-x-icu")

-- not true or AverageRunTime eq 1
(
  false
  OR greatest(
    takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum"), -1
  ) = takt.same_units($1::bigint, 6, 0)
)

-- not (AverageRunTime gt 1)
greatest(
  takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum"), -1
) <= greatest(takt.floor_units($1::bigint, 6), '-1'::bigint)

-- AverageRunTime gt 1 and (DeviationCleanupTime lt 5 or not contains(Month, 'a'))
(
  (
    greatest(
      takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum"), -1
    ) > takt.floor_units($1::bigint, 6)
    AND greatest(
      takt.average_microhours("monthly"."number_of_completed_operations", "monthly"."run_time_sum"), -1
    ) > '-1'::bigint
  )
  AND (
    (
      greatest(
        takt.population_deviation_microhours(
          "monthly"."cleanup_time_count",
          "monthly"."cleanup_time_sum",
          "monthly"."cleanup_time_sum_of_squares"
        ),
        -1
      ) < takt.ceiling_units($2::bigint, 6)
      AND greatest(
        takt.population_deviation_microhours(
          "monthly"."cleanup_time_count",
          "monthly"."cleanup_time_sum",
          "monthly"."cleanup_time_sum_of_squares"
        ),
        -1
      ) > '-1'::bigint
    )
    OR (
      (
        position(
          casefold($3::text COLLATE "und-x-icu") IN casefold(
            to_char("monthly"."month", 'YYYY-MM') COLLATE "und-x-icu"
          )
        ) > 0
      ) IS NOT TRUE
    )
  )
)

-- not (AverageRunTime gt null)
true
