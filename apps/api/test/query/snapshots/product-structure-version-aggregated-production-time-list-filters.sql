-- RunTime eq 1
(coalesce("listed"."run_time", -1) = $1::bigint AND "listed"."run_time" IS NOT NULL)

-- ProductName eq 'a'
(
  ("listed"."company_id", "listed"."product_id") IN (
    SELECT "named"."company_id", "named"."product_id"
    FROM "takt"."products" AS named
    WHERE "named"."folded_name" = casefold($1::text COLLATE "und-x-icu")
  )
)

-- RunTime eq null
("listed"."run_time" IS NULL)

-- RunTime ne 1
(coalesce("listed"."run_time", -1) <> $1::bigint AND "listed"."run_time" IS NOT NULL)

-- ProductName ne 'a'
casefold("listed"."product_name" COLLATE "und-x-icu") <> casefold($1::text COLLATE "und-x-icu")

-- RunTime ne null
("listed"."run_time" IS NOT NULL)

-- RunTime lt 1
(coalesce("listed"."run_time", -1) < $1::bigint AND "listed"."run_time" IS NOT NULL)

-- ProductName lt 'a'
casefold("listed"."product_name" COLLATE "und-x-icu") < casefold($1::text COLLATE "und-x-icu")

-- RunTime lt null
false

-- RunTime le 1
(coalesce("listed"."run_time", -1) <= $1::bigint AND "listed"."run_time" IS NOT NULL)

-- ProductName le 'a'
casefold("listed"."product_name" COLLATE "und-x-icu") <= casefold($1::text COLLATE "und-x-icu")

-- RunTime le null
false

-- RunTime gt 1
(coalesce("listed"."run_time", -1) > $1::bigint AND "listed"."run_time" IS NOT NULL)

-- ProductName gt 'a'
casefold("listed"."product_name" COLLATE "und-x-icu") > casefold($1::text COLLATE "und-x-icu")

-- RunTime gt null
false

-- RunTime ge 1
(coalesce("listed"."run_time", -1) >= $1::bigint AND "listed"."run_time" IS NOT NULL)

-- ProductName ge 'a'
casefold("listed"."product_name" COLLATE "und-x-icu") >= casefold($1::text COLLATE "und-x-icu")

-- RunTime ge null
false

-- RunTime eq 1.5
(coalesce("listed"."run_time", -1) = $1::numeric AND "listed"."run_time" IS NOT NULL)

-- 1 lt RunTime
($1::bigint < coalesce("listed"."run_time", -1) AND "listed"."run_time" IS NOT NULL)

-- RunTime gt DeviationCleanupTime
(
  coalesce("listed"."run_time", -1) > coalesce("listed"."deviation_cleanup_time", -1)
  AND "listed"."run_time" IS NOT NULL
  AND "listed"."deviation_cleanup_time" IS NOT NULL
)

-- ProductName eq ProductName
casefold("listed"."product_name" COLLATE "und-x-icu") = casefold("listed"."product_name" COLLATE "und-x-icu")

-- ProductName eq 'a'
(
  ("listed"."company_id", "listed"."product_id") IN (
    SELECT "named"."company_id", "named"."product_id"
    FROM "takt"."products" AS named
    WHERE "named"."folded_name" = casefold($1::text COLLATE "und-x-icu")
  )
)

-- RunTime in (1, 2.5, null)
(coalesce("listed"."run_time", -1) = ANY ($1::numeric[]) AND "listed"."run_time" IS NOT NULL)

-- ProductName in ('a', 'b')
casefold("listed"."product_name" COLLATE "und-x-icu") IN (
  SELECT casefold(listed_value COLLATE "und-x-icu")
  FROM unnest($1::text[]) AS listed_value
)

-- startswith(ProductName, 'a')
(
  ("listed"."company_id", "listed"."product_id") IN (
    SELECT "named"."company_id", "named"."product_id"
    FROM "takt"."products" AS named
    WHERE "named"."folded_name" LIKE (
      regexp_replace(casefold($1::text COLLATE "und-x-icu"), '([\\%_])', '\\\1', 'g') || '%'
    )
  )
)

-- endswith(ProductName, 'a')
(
  ("listed"."company_id", "listed"."product_id") IN (
    SELECT "named"."company_id", "named"."product_id"
    FROM "takt"."products" AS named
    WHERE "named"."folded_name" LIKE (
      '%' || regexp_replace(casefold($1::text COLLATE "und-x-icu"), '([\\%_])', '\\\1', 'g')
    )
  )
)

-- contains(ProductName, 'a')
(
  ("listed"."company_id", "listed"."product_id") IN (
    SELECT "named"."company_id", "named"."product_id"
    FROM "takt"."products" AS named
    WHERE "named"."folded_name" LIKE (
      '%' || regexp_replace(casefold($1::text COLLATE "und-x-icu"), '([\\%_])', '\\\1', 'g') || '%'
    )
  )
)

-- substringof('a', ProductName)
(
  ("listed"."company_id", "listed"."product_id") IN (
    SELECT "named"."company_id", "named"."product_id"
    FROM "takt"."products" AS named
    WHERE "named"."folded_name" LIKE (
      '%' || regexp_replace(casefold($1::text COLLATE "und-x-icu"), '([\\%_])', '\\\1', 'g') || '%'
    )
  )
)

-- startswith(ProductName, ProductName)
starts_with(
  casefold("listed"."product_name" COLLATE "und-x-icu"), casefold("listed"."product_name" COLLATE "und-x-icu")
)

-- endswith(ProductName, ProductName)
(
  right(
    casefold("listed"."product_name" COLLATE "und-x-icu"),
    length(casefold("listed"."product_name" COLLATE "und-x-icu"))
  ) = casefold("listed"."product_name" COLLATE "und-x-icu")
)

-- contains(ProductName, ProductName)
(
  position(
    casefold("listed"."product_name" COLLATE "und-x-icu") IN casefold("listed"."product_name" COLLATE "und-x-icu")
  ) > 0
)

-- substringof(ProductName, ProductName)
(
  position(
    casefold("listed"."product_name" COLLATE "und-x-icu") IN casefold("listed"."product_name" COLLATE "und-x-icu")
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

-- length(ProductName) eq 1
length("listed"."product_name") = $1::bigint

-- not (RunTime gt 1)
((coalesce("listed"."run_time", -1) > $1::bigint AND "listed"."run_time" IS NOT NULL) IS NOT TRUE)

-- RunTime gt 1 and (DeviationCleanupTime lt 5 or not contains(ProductName, 'a'))
(
  (coalesce("listed"."run_time", -1) > $1::bigint AND "listed"."run_time" IS NOT NULL)
  AND (
    (
      coalesce("listed"."deviation_cleanup_time", -1) < $2::bigint
      AND "listed"."deviation_cleanup_time" IS NOT NULL
    )
    OR (
      (
        ("listed"."company_id", "listed"."product_id") IN (
          SELECT "named"."company_id", "named"."product_id"
          FROM "takt"."products" AS named
          WHERE "named"."folded_name" LIKE (
            '%' || regexp_replace(casefold($3::text COLLATE "und-x-icu"), '([\\%_])', '\\\1', 'g') || '%'
          )
        )
      ) IS NOT TRUE
    )
  )
)

-- not (RunTime gt null)
(false IS NOT TRUE)
