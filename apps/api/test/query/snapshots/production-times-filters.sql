-- RunTime eq 1
greatest("listed"."run_time", -1) = takt.same_units($1::bigint, 6, 0)

-- ProductName eq 'a'
(
  CASE WHEN takt.are_few_products(
    regexp_replace(casefold($1::text COLLATE "und-x-icu"), '([\\%_])', '\\\1', 'g')
  ) THEN "listed"."product_id" = ANY (
    (
      SELECT takt.find_products(
        regexp_replace(casefold($2::text COLLATE "und-x-icu"), '([\\%_])', '\\\1', 'g')
      )
    )::bigint[]
  ) ELSE casefold("listed"."product_name" COLLATE "und-x-icu") = casefold($3::text COLLATE "und-x-icu") END
)

-- RunTime eq null
greatest("listed"."run_time", -1) = '-1'::bigint

-- RunTime ne 1
(
  greatest("listed"."run_time", -1) <> takt.same_units($1::bigint, 6, 0)
  AND greatest("listed"."run_time", -1) > '-1'::bigint
)

-- ProductName ne 'a'
casefold("listed"."product_name" COLLATE "und-x-icu") <> casefold($1::text COLLATE "und-x-icu")

-- RunTime ne null
greatest("listed"."run_time", -1) > '-1'::bigint

-- RunTime lt 1
(
  greatest("listed"."run_time", -1) < takt.ceiling_units($1::bigint, 6)
  AND greatest("listed"."run_time", -1) > '-1'::bigint
)

-- ProductName lt 'a'
casefold("listed"."product_name" COLLATE "und-x-icu") < casefold($1::text COLLATE "und-x-icu")

-- RunTime lt null
false

-- RunTime le 1
(
  greatest("listed"."run_time", -1) <= takt.floor_units($1::bigint, 6)
  AND greatest("listed"."run_time", -1) > '-1'::bigint
)

-- ProductName le 'a'
casefold("listed"."product_name" COLLATE "und-x-icu") <= casefold($1::text COLLATE "und-x-icu")

-- RunTime le null
false

-- RunTime gt 1
(
  greatest("listed"."run_time", -1) > takt.floor_units($1::bigint, 6)
  AND greatest("listed"."run_time", -1) > '-1'::bigint
)

-- ProductName gt 'a'
casefold("listed"."product_name" COLLATE "und-x-icu") > casefold($1::text COLLATE "und-x-icu")

-- RunTime gt null
false

-- RunTime ge 1
(
  greatest("listed"."run_time", -1) >= takt.ceiling_units($1::bigint, 6)
  AND greatest("listed"."run_time", -1) > '-1'::bigint
)

-- ProductName ge 'a'
casefold("listed"."product_name" COLLATE "und-x-icu") >= casefold($1::text COLLATE "und-x-icu")

-- RunTime ge null
false

-- RunTime eq 1.5
greatest("listed"."run_time", -1) = takt.same_units($1::numeric, 6, 0)

-- 1 lt RunTime
(
  greatest("listed"."run_time", -1) > takt.floor_units($1::bigint, 6)
  AND greatest("listed"."run_time", -1) > '-1'::bigint
)

-- RunTime gt CleanupTimeMeanHigh
(
  greatest("listed"."run_time", -1) > greatest(
    takt.mean_bound(
      "listed"."cleanup_time_count", "listed"."cleanup_time_sum", "listed"."cleanup_time_sum_of_squares", 1
    ),
    '-9223372036854775808'::bigint
  )
  AND "listed"."run_time" IS NOT NULL
  AND takt.mean_bound(
    "listed"."cleanup_time_count", "listed"."cleanup_time_sum", "listed"."cleanup_time_sum_of_squares", 1
  ) IS NOT NULL
)

-- ProductName eq CleanupTimeVerdict
casefold("listed"."product_name" COLLATE "und-x-icu") = takt.verdict_of_mean(
  "listed"."cleanup_time_count",
  "listed"."cleanup_time_sum",
  "listed"."cleanup_time_sum_of_squares",
  "listed"."deviation_cleanup_time",
  "listed"."cleanup_time_hours_over_plan",
  "listed"."cleanup_time"
)

-- CleanupTimeVerdict eq 'a'
takt.verdict_of_mean(
  "listed"."cleanup_time_count",
  "listed"."cleanup_time_sum",
  "listed"."cleanup_time_sum_of_squares",
  "listed"."deviation_cleanup_time",
  "listed"."cleanup_time_hours_over_plan",
  "listed"."cleanup_time"
) = casefold($1::text COLLATE "und-x-icu")

-- RunTime in (1, 2.5, null)
(
  greatest("listed"."run_time", -1) = ANY (takt.same_units($1::numeric[], 6, 0))
  OR greatest("listed"."run_time", -1) = '-1'::bigint
)

-- ProductName in ('a', 'b')
casefold("listed"."product_name" COLLATE "und-x-icu") IN (
  SELECT casefold(listed_value COLLATE "und-x-icu")
  FROM unnest($1::text[]) AS listed_value
)

-- startswith(ProductName, 'a')
(
  (
    "listed"."product_name" >= ($1::text COLLATE "und-x-icu")
    AND "listed"."product_name" < ($2::text COLLATE "und-x-icu")
  )
  AND coalesce(
    starts_with(
      casefold("listed"."product_name" COLLATE "und-x-icu"), casefold($3::text COLLATE "und-x-icu")
    ),
    false
  )
)

-- endswith(ProductName, 'a')
(
  CASE WHEN takt.are_few_products(
    ('%' || regexp_replace(casefold($1::text COLLATE "und-x-icu"), '([\\%_])', '\\\1', 'g'))
  ) THEN "listed"."product_id" = ANY (
    (
      SELECT takt.find_products(
        ('%' || regexp_replace(casefold($2::text COLLATE "und-x-icu"), '([\\%_])', '\\\1', 'g'))
      )
    )::bigint[]
  ) ELSE (
    right(
      casefold("listed"."product_name" COLLATE "und-x-icu"), length(casefold($3::text COLLATE "und-x-icu"))
    ) = casefold($4::text COLLATE "und-x-icu")
  ) END
)

-- contains(ProductName, 'a')
(
  CASE WHEN takt.are_few_products(
    ('%' || regexp_replace(casefold($1::text COLLATE "und-x-icu"), '([\\%_])', '\\\1', 'g') || '%')
  ) THEN "listed"."product_id" = ANY (
    (
      SELECT takt.find_products(
        ('%' || regexp_replace(casefold($2::text COLLATE "und-x-icu"), '([\\%_])', '\\\1', 'g') || '%')
      )
    )::bigint[]
  ) ELSE (
    position(
      casefold($3::text COLLATE "und-x-icu") IN casefold("listed"."product_name" COLLATE "und-x-icu")
    ) > 0
  ) END
)

-- substringof('a', ProductName)
(
  CASE WHEN takt.are_few_products(
    ('%' || regexp_replace(casefold($1::text COLLATE "und-x-icu"), '([\\%_])', '\\\1', 'g') || '%')
  ) THEN "listed"."product_id" = ANY (
    (
      SELECT takt.find_products(
        ('%' || regexp_replace(casefold($2::text COLLATE "und-x-icu"), '([\\%_])', '\\\1', 'g') || '%')
      )
    )::bigint[]
  ) ELSE (
    position(
      casefold($3::text COLLATE "und-x-icu") IN casefold("listed"."product_name" COLLATE "und-x-icu")
    ) > 0
  ) END
)

-- startswith(ProductName, CleanupTimeVerdict)
starts_with(
  casefold("listed"."product_name" COLLATE "und-x-icu"),
  casefold(
    takt.verdict_of_mean(
      "listed"."cleanup_time_count",
      "listed"."cleanup_time_sum",
      "listed"."cleanup_time_sum_of_squares",
      "listed"."deviation_cleanup_time",
      "listed"."cleanup_time_hours_over_plan",
      "listed"."cleanup_time"
    ) COLLATE "und-x-icu"
  )
)

-- endswith(ProductName, CleanupTimeVerdict)
(
  right(
    casefold("listed"."product_name" COLLATE "und-x-icu"),
    length(
      casefold(
        takt.verdict_of_mean(
          "listed"."cleanup_time_count",
          "listed"."cleanup_time_sum",
          "listed"."cleanup_time_sum_of_squares",
          "listed"."deviation_cleanup_time",
          "listed"."cleanup_time_hours_over_plan",
          "listed"."cleanup_time"
        ) COLLATE "und-x-icu"
      )
    )
  ) = casefold(
    takt.verdict_of_mean(
      "listed"."cleanup_time_count",
      "listed"."cleanup_time_sum",
      "listed"."cleanup_time_sum_of_squares",
      "listed"."deviation_cleanup_time",
      "listed"."cleanup_time_hours_over_plan",
      "listed"."cleanup_time"
    ) COLLATE "und-x-icu"
  )
)

-- contains(ProductName, CleanupTimeVerdict)
(
  position(
    casefold(
      takt.verdict_of_mean(
        "listed"."cleanup_time_count",
        "listed"."cleanup_time_sum",
        "listed"."cleanup_time_sum_of_squares",
        "listed"."deviation_cleanup_time",
        "listed"."cleanup_time_hours_over_plan",
        "listed"."cleanup_time"
      ) COLLATE "und-x-icu"
    ) IN casefold("listed"."product_name" COLLATE "und-x-icu")
  ) > 0
)

-- substringof(CleanupTimeVerdict, ProductName)
(
  position(
    casefold(
      takt.verdict_of_mean(
        "listed"."cleanup_time_count",
        "listed"."cleanup_time_sum",
        "listed"."cleanup_time_sum_of_squares",
        "listed"."deviation_cleanup_time",
        "listed"."cleanup_time_hours_over_plan",
        "listed"."cleanup_time"
      ) COLLATE "und-x-icu"
    ) IN casefold("listed"."product_name" COLLATE "und-x-icu")
  ) > 0
)

-- tolower(ProductName) eq 'a'
casefold(
  lower("listed"."product_name" COLLATE "und-x-icu") COLLATE "und-x-icu"
) = casefold($1::text COLLATE "und-x-icu")

-- toupper(ProductName) eq 'a'
casefold(
  upper("listed"."product_name" COLLATE "und-x-icu") COLLATE "und-x-icu"
) = casefold($1::text COLLATE "und-x-icu")

-- trim(ProductName) eq 'a'
casefold(
  btrim("listed"."product_name", E' \t\n\r\f\v\u00a0') COLLATE "und-x-icu"
) = casefold($1::text COLLATE "und-x-icu")

-- concat(ProductName, 'b') eq 'a'
casefold(("listed"."product_name" || $1::text) COLLATE "und-x-icu") = casefold($2::text COLLATE "und-x-icu")

-- substring(ProductName, 2, 3) eq 'a'
casefold(
  takt.part_of_text("listed"."product_name", $1::numeric, $2::numeric) COLLATE "und-x-icu"
) = casefold($3::text COLLATE "und-x-icu")

-- length(ProductName) eq 1
length("listed"."product_name") = $1::bigint

-- indexof(ProductName, 'b') eq 1
takt.place_in_text("listed"."product_name", $1::text) = $2::bigint

-- round(RunTime) eq 1
round(("listed"."run_time" * 0.000001)) = $1::bigint

-- floor(RunTime) eq 1
floor(("listed"."run_time" * 0.000001)) = $1::bigint

-- ceiling(RunTime) eq 1
ceil(("listed"."run_time" * 0.000001)) = $1::bigint

-- RunTime add CleanupTimeMeanHigh gt 1.5
(
  ("listed"."run_time" * 0.000001) + (
    takt.mean_bound(
      "listed"."cleanup_time_count", "listed"."cleanup_time_sum", "listed"."cleanup_time_sum_of_squares", 1
    ) * 0.000001
  )
) > $1::numeric

-- RunTime sub CleanupTimeMeanHigh gt 1.5
(
  ("listed"."run_time" * 0.000001) - (
    takt.mean_bound(
      "listed"."cleanup_time_count", "listed"."cleanup_time_sum", "listed"."cleanup_time_sum_of_squares", 1
    ) * 0.000001
  )
) > $1::numeric

-- RunTime mul CleanupTimeMeanHigh gt 1.5
(
  ("listed"."run_time" * 0.000001) * (
    takt.mean_bound(
      "listed"."cleanup_time_count", "listed"."cleanup_time_sum", "listed"."cleanup_time_sum_of_squares", 1
    ) * 0.000001
  )
) > $1::numeric

-- RunTime div CleanupTimeMeanHigh gt 1.5
(
  div(
    ("listed"."run_time" * 0.000001) * 1e20,
    nullif(
      (
        takt.mean_bound(
          "listed"."cleanup_time_count",
          "listed"."cleanup_time_sum",
          "listed"."cleanup_time_sum_of_squares",
          1
        ) * 0.000001
      ),
      0
    )
  ) * 1e-20
) > $1::numeric

-- RunTime mod CleanupTimeMeanHigh gt 1.5
mod(
  ("listed"."run_time" * 0.000001),
  nullif(
    (
      takt.mean_bound(
        "listed"."cleanup_time_count", "listed"."cleanup_time_sum", "listed"."cleanup_time_sum_of_squares", 1
      ) * 0.000001
    ),
    0
  )
) > $1::numeric

-- -RunTime lt -(1 add 2)
(- ("listed"."run_time" * 0.000001)) < (- ($1::numeric + $2::numeric))

-- RunTime gt 2 mul 3
(
  greatest("listed"."run_time", -1) > takt.floor_units(($1::numeric * $2::numeric), 6)
  AND greatest("listed"."run_time", -1) > '-1'::bigint
)

-- substring(ProductName, 1) eq 'a'
casefold(
  takt.part_of_text("listed"."product_name", $1::numeric, 2147483647) COLLATE "und-x-icu"
) = casefold($2::text COLLATE "und-x-icu")

-- not true or RunTime eq 1
(false OR greatest("listed"."run_time", -1) = takt.same_units($1::bigint, 6, 0))

-- not (RunTime gt 1)
greatest("listed"."run_time", -1) <= greatest(takt.floor_units($1::bigint, 6), '-1'::bigint)

-- RunTime gt 1 and (CleanupTimeMeanHigh lt 5 or not contains(ProductName, 'a'))
(
  (
    greatest("listed"."run_time", -1) > takt.floor_units($1::bigint, 6)
    AND greatest("listed"."run_time", -1) > '-1'::bigint
  )
  AND (
    (
      greatest(
        takt.mean_bound(
          "listed"."cleanup_time_count",
          "listed"."cleanup_time_sum",
          "listed"."cleanup_time_sum_of_squares",
          1
        ),
        '-9223372036854775808'::bigint
      ) < takt.ceiling_units($2::bigint, 6)
      AND greatest(
        takt.mean_bound(
          "listed"."cleanup_time_count",
          "listed"."cleanup_time_sum",
          "listed"."cleanup_time_sum_of_squares",
          1
        ),
        '-9223372036854775808'::bigint
      ) > '-9223372036854775808'::bigint
    )
    OR (
      (
        CASE WHEN takt.are_few_products(
          ('%' || regexp_replace(casefold($3::text COLLATE "und-x-icu"), '([\\%_])', '\\\1', 'g') || '%')
        ) THEN "listed"."product_id" = ANY (
          (
            SELECT takt.find_products(
              ('%' || regexp_replace(casefold($4::text COLLATE "und-x-icu"), '([\\%_])', '\\\1', 'g') || '%')
            )
          )::bigint[]
        ) ELSE (
          position(
            casefold($5::text COLLATE "und-x-icu") IN casefold("listed"."product_name" COLLATE "und-x-icu")
          ) > 0
        ) END
      ) IS NOT TRUE
    )
  )
)

-- not (RunTime gt null)
true

-- ProductStructureVersionId eq 1
"listed"."product_structure_version_id" = $1::bigint

-- ProductStructureVersionStatus eq 1
"listed"."status" = $1::bigint

-- ProductStructureVersionName eq 'a'
casefold("listed"."name" COLLATE "und-x-icu") = casefold($1::text COLLATE "und-x-icu")

-- Version eq 1
"listed"."version" = $1::bigint

-- Revision eq 'a'
casefold("listed"."revision" COLLATE "und-x-icu") = casefold($1::text COLLATE "und-x-icu")

-- ProductId eq 1
"listed"."product_id" = $1::bigint

-- ProductStatus eq 1
(
  ("listed"."company_id", "listed"."product_id") IN (
    SELECT "named"."company_id", "named"."product_id"
    FROM "takt"."products" AS named
    WHERE "named"."status" = $1::bigint
  )
)

-- ProductType eq 'a'
(
  ("listed"."company_id", "listed"."product_id") IN (
    SELECT "named"."company_id", "named"."product_id"
    FROM "takt"."products" AS named
    WHERE casefold("named"."type" COLLATE "und-x-icu") = casefold($1::text COLLATE "und-x-icu")
  )
)

-- ProductStructureVersionId in (1, 2)
"listed"."product_structure_version_id" = ANY ($1::bigint[])

-- ProductStructureVersionId in (1, 2.5)
"listed"."product_structure_version_id" = ANY (takt.same_units($1::numeric[], 0, -9223372036854775807))

-- ProductStatus in (1, 2)
(
  ("listed"."company_id", "listed"."product_id") IN (
    SELECT "named"."company_id", "named"."product_id"
    FROM "takt"."products" AS named
    WHERE "named"."status" = ANY ($1::bigint[])
  )
)

-- not (ProductStatus ne 1)
(
  (
    ("listed"."company_id", "listed"."product_id") IN (
      SELECT "named"."company_id", "named"."product_id"
      FROM "takt"."products" AS named
      WHERE "named"."status" <> $1::bigint
    )
  ) IS NOT TRUE
)

-- ProductStatus eq ProductStructureVersionId
(
  SELECT "named"."status"
  FROM "takt"."products" AS named
  WHERE "named"."company_id" = $1::integer AND "named"."product_id" = "listed"."product_id"
) = "listed"."product_structure_version_id"

-- ProductStatus eq ProductStatus add 1
(
  ("listed"."company_id", "listed"."product_id") IN (
    SELECT "named"."company_id", "named"."product_id"
    FROM "takt"."products" AS named
    WHERE "named"."status" = ("named"."status"::numeric + $1::numeric)
  )
)

-- ProductStatus eq null
(
  ("listed"."company_id", "listed"."product_id") IN (
    SELECT "named"."company_id", "named"."product_id"
    FROM "takt"."products" AS named
    WHERE ("named"."status" IS NULL)
  )
)

-- startswith(ProductType, ProductType)
(
  ("listed"."company_id", "listed"."product_id") IN (
    SELECT "named"."company_id", "named"."product_id"
    FROM "takt"."products" AS named
    WHERE starts_with(
      casefold("named"."type" COLLATE "und-x-icu"), casefold("named"."type" COLLATE "und-x-icu")
    )
  )
)
