-- ApplicationVersionId eq 1
"listed"."application_version_id" = $1::bigint

-- Name eq 'a'
casefold(("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu") = casefold($1::text COLLATE "und-x-icu")

-- ApplicationVersionId eq null
("listed"."application_version_id" IS NULL)

-- ApplicationVersionId ne 1
"listed"."application_version_id" <> $1::bigint

-- Name ne 'a'
casefold(("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu") <> casefold($1::text COLLATE "und-x-icu")

-- ApplicationVersionId ne null
("listed"."application_version_id" IS NOT NULL)

-- ApplicationVersionId lt 1
"listed"."application_version_id" < $1::bigint

-- Name lt 'a'
casefold(("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu") < casefold($1::text COLLATE "und-x-icu")

-- ApplicationVersionId lt null
false

-- ApplicationVersionId le 1
"listed"."application_version_id" <= $1::bigint

-- Name le 'a'
casefold(("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu") <= casefold($1::text COLLATE "und-x-icu")

-- ApplicationVersionId le null
false

-- ApplicationVersionId gt 1
"listed"."application_version_id" > $1::bigint

-- Name gt 'a'
casefold(("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu") > casefold($1::text COLLATE "und-x-icu")

-- ApplicationVersionId gt null
false

-- ApplicationVersionId ge 1
"listed"."application_version_id" >= $1::bigint

-- Name ge 'a'
casefold(("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu") >= casefold($1::text COLLATE "und-x-icu")

-- ApplicationVersionId ge null
false

-- ApplicationVersionId eq 1.5
"listed"."application_version_id" = takt.same_units($1::numeric, 0, -9223372036854775807)

-- 1 lt ApplicationVersionId
"listed"."application_version_id" > $1::bigint

-- ApplicationVersionId gt ApplicationVersionId
"listed"."application_version_id" > "listed"."application_version_id"

-- Name eq Name
casefold(
  ("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"
) = casefold(
  ("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"
)

-- Name eq 'a'
casefold(("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu") = casefold($1::text COLLATE "und-x-icu")

-- ApplicationVersionId in (1, 2.5, null)
(
  "listed"."application_version_id" = ANY (takt.same_units($1::numeric[], 0, -9223372036854775807))
  OR ("listed"."application_version_id" IS NULL)
)

-- Name in ('a', 'b')
casefold(
  ("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"
) IN (
  SELECT casefold(listed_value COLLATE "und-x-icu")
  FROM unnest($1::text[]) AS listed_value
)

-- startswith(Name, 'a')
(
  (
    ("listed"."name" COLLATE "und-x-icu") >= ($1::text COLLATE "und-x-icu")
    AND ("listed"."name" COLLATE "und-x-icu") < ($2::text COLLATE "und-x-icu")
  )
  AND coalesce(
    starts_with(
      casefold(("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"),
      casefold($3::text COLLATE "und-x-icu")
    ),
    false
  )
)

-- endswith(Name, 'a')
(
  right(
    casefold(("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"),
    length(casefold($1::text COLLATE "und-x-icu"))
  ) = casefold($2::text COLLATE "und-x-icu")
)

-- contains(Name, 'a')
(
  position(
    casefold($1::text COLLATE "und-x-icu") IN casefold(
      ("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"
    )
  ) > 0
)

-- substringof('a', Name)
(
  position(
    casefold($1::text COLLATE "und-x-icu") IN casefold(
      ("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"
    )
  ) > 0
)

-- startswith(Name, Name)
starts_with(
  casefold(("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"),
  casefold(("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu")
)

-- endswith(Name, Name)
(
  right(
    casefold(("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"),
    length(casefold(("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"))
  ) = casefold(
    ("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"
  )
)

-- contains(Name, Name)
(
  position(
    casefold(
      ("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"
    ) IN casefold(
      ("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"
    )
  ) > 0
)

-- substringof(Name, Name)
(
  position(
    casefold(
      ("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"
    ) IN casefold(
      ("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"
    )
  ) > 0
)

-- tolower(Name) eq 'a'
casefold(
  lower(("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu") COLLATE "und-x-icu"
) = casefold($1::text COLLATE "und-x-icu")

-- toupper(Name) eq 'a'
casefold(
  upper(("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu") COLLATE "und-x-icu"
) = casefold($1::text COLLATE "und-x-icu")

-- trim(Name) eq 'a'
casefold(
  btrim(("listed"."name" COLLATE "und-x-icu"), E' \t\n\r\f\v\u00a0') COLLATE "und-x-icu"
) = casefold($1::text COLLATE "und-x-icu")

-- concat(Name, 'b') eq 'a'
casefold(
  (("listed"."name" COLLATE "und-x-icu") || $1::text) COLLATE "und-x-icu"
) = casefold($2::text COLLATE "und-x-icu")

-- substring(Name, 2, 3) eq 'a'
casefold(
  takt.part_of_text(("listed"."name" COLLATE "und-x-icu"), $1::numeric, $2::numeric) COLLATE "und-x-icu"
) = casefold($3::text COLLATE "und-x-icu")

-- length(Name) eq 1
length(("listed"."name" COLLATE "und-x-icu")) = $1::bigint

-- indexof(Name, 'b') eq 1
takt.place_in_text(("listed"."name" COLLATE "und-x-icu"), $1::text) = $2::bigint

-- round(ApplicationVersionId) eq 1
round("listed"."application_version_id"::numeric) = $1::bigint

-- floor(ApplicationVersionId) eq 1
floor("listed"."application_version_id"::numeric) = $1::bigint

-- ceiling(ApplicationVersionId) eq 1
ceil("listed"."application_version_id"::numeric) = $1::bigint

-- ApplicationVersionId add ApplicationVersionId gt 1.5
("listed"."application_version_id"::numeric + "listed"."application_version_id"::numeric) > $1::numeric

-- ApplicationVersionId sub ApplicationVersionId gt 1.5
("listed"."application_version_id"::numeric - "listed"."application_version_id"::numeric) > $1::numeric

-- ApplicationVersionId mul ApplicationVersionId gt 1.5
("listed"."application_version_id"::numeric * "listed"."application_version_id"::numeric) > $1::numeric

-- ApplicationVersionId div ApplicationVersionId gt 1.5
(
  div(
    "listed"."application_version_id"::numeric * 1e20, nullif("listed"."application_version_id"::numeric, 0)
  ) * 1e-20
) > $1::numeric

-- ApplicationVersionId mod ApplicationVersionId gt 1.5
mod(
  "listed"."application_version_id"::numeric, nullif("listed"."application_version_id"::numeric, 0)
) > $1::numeric

-- -ApplicationVersionId lt -(1 add 2)
(- "listed"."application_version_id"::numeric) < (- ($1::numeric + $2::numeric))

-- ApplicationVersionId gt 2 mul 3
"listed"."application_version_id" > takt.floor_units(($1::numeric * $2::numeric), 0)

-- substring(Name, 1) eq 'a'
casefold(
  takt.part_of_text(("listed"."name" COLLATE "und-x-icu"), $1::numeric, 2147483647) COLLATE "und-x-icu"
) = casefold($2::text COLLATE "und-x-icu")

-- not true or ApplicationVersionId eq 1
(false OR "listed"."application_version_id" = $1::bigint)

-- not (ApplicationVersionId gt 1)
"listed"."application_version_id" <= $1::bigint

-- ApplicationVersionId gt 1 and (ApplicationVersionId lt 5 or not contains(Name, 'a'))
(
  "listed"."application_version_id" > $1::bigint
  AND (
    "listed"."application_version_id" < $2::bigint
    OR (
      (
        position(
          casefold($3::text COLLATE "und-x-icu") IN casefold(
            ("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"
          )
        ) > 0
      ) IS NOT TRUE
    )
  )
)

-- not (ApplicationVersionId gt null)
true

-- Status eq 1
("listed"."status" = $1::bigint AND "listed"."status" IS NOT NULL)

-- Type eq 'a'
casefold("listed"."type" COLLATE "und-x-icu") = casefold($1::text COLLATE "und-x-icu")

-- DescriptiveName eq 'a'
(
  casefold("listed"."descriptive_name" COLLATE "und-x-icu") = casefold($1::text COLLATE "und-x-icu")
  AND "listed"."descriptive_name" IS NOT NULL
)

-- Namespace eq 'a'
(
  casefold("listed"."namespace" COLLATE "und-x-icu") = casefold($1::text COLLATE "und-x-icu")
  AND "listed"."namespace" IS NOT NULL
)

-- Scope eq 'a'
(
  casefold("listed"."scope" COLLATE "und-x-icu") = casefold($1::text COLLATE "und-x-icu")
  AND "listed"."scope" IS NOT NULL
)
