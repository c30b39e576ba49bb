-- Priority eq 1
"listed"."priority" = $1::bigint

-- Key eq 'a'
casefold("listed"."key" COLLATE "und-x-icu") = casefold($1::text COLLATE "und-x-icu")

-- Priority eq null
("listed"."priority" IS NULL)

-- Priority ne 1
"listed"."priority" <> $1::bigint

-- Key ne 'a'
casefold("listed"."key" COLLATE "und-x-icu") <> casefold($1::text COLLATE "und-x-icu")

-- Priority ne null
("listed"."priority" IS NOT NULL)

-- Priority lt 1
"listed"."priority" < $1::bigint

-- Key lt 'a'
casefold("listed"."key" COLLATE "und-x-icu") < casefold($1::text COLLATE "und-x-icu")

-- Priority lt null
false

-- Priority le 1
"listed"."priority" <= $1::bigint

-- Key le 'a'
casefold("listed"."key" COLLATE "und-x-icu") <= casefold($1::text COLLATE "und-x-icu")

-- Priority le null
false

-- Priority gt 1
"listed"."priority" > $1::bigint

-- Key gt 'a'
casefold("listed"."key" COLLATE "und-x-icu") > casefold($1::text COLLATE "und-x-icu")

-- Priority gt null
false

-- Priority ge 1
"listed"."priority" >= $1::bigint

-- Key ge 'a'
casefold("listed"."key" COLLATE "und-x-icu") >= casefold($1::text COLLATE "und-x-icu")

-- Priority ge null
false

-- Priority eq 1.5
"listed"."priority" = takt.same_units($1::numeric, 0, -9223372036854775807)

-- 1 lt Priority
"listed"."priority" > $1::bigint

-- Priority gt Priority
"listed"."priority" > "listed"."priority"

-- Key eq Description
casefold("listed"."key" COLLATE "und-x-icu") = casefold(
  (
    coalesce("listed"."translations" ->> $1::text, "listed"."description") COLLATE "und-x-icu"
  ) COLLATE "und-x-icu"
)

-- Description eq 'a'
casefold(
  (
    coalesce("listed"."translations" ->> $1::text, "listed"."description") COLLATE "und-x-icu"
  ) COLLATE "und-x-icu"
) = casefold($2::text COLLATE "und-x-icu")

-- Priority in (1, 2.5, null)
(
  "listed"."priority" = ANY (takt.same_units($1::numeric[], 0, -9223372036854775807))
  OR ("listed"."priority" IS NULL)
)

-- Key in ('a', 'b')
casefold("listed"."key" COLLATE "und-x-icu") IN (
  SELECT casefold(listed_value COLLATE "und-x-icu")
  FROM unnest($1::text[]) AS listed_value
)

-- startswith(Key, 'a')
(
  ("listed"."key" >= ($1::text COLLATE "und-x-icu") AND "listed"."key" < ($2::text COLLATE "und-x-icu"))
  AND coalesce(
    starts_with(casefold("listed"."key" COLLATE "und-x-icu"), casefold($3::text COLLATE "und-x-icu")), false
  )
)

-- endswith(Key, 'a')
(
  right(
    casefold("listed"."key" COLLATE "und-x-icu"), length(casefold($1::text COLLATE "und-x-icu"))
  ) = casefold($2::text COLLATE "und-x-icu")
)

-- contains(Key, 'a')
(position(casefold($1::text COLLATE "und-x-icu") IN casefold("listed"."key" COLLATE "und-x-icu")) > 0)

-- substringof('a', Key)
(position(casefold($1::text COLLATE "und-x-icu") IN casefold("listed"."key" COLLATE "und-x-icu")) > 0)

-- startswith(Key, Description)
starts_with(
  casefold("listed"."key" COLLATE "und-x-icu"),
  casefold(
    (
      coalesce("listed"."translations" ->> $1::text, "listed"."description") COLLATE "und-x-icu"
    ) COLLATE "und-x-icu"
  )
)

-- endswith(Key, Description)
(
  right(
    casefold("listed"."key" COLLATE "und-x-icu"),
    length(
      casefold(
        (
          coalesce("listed"."translations" ->> $1::text, "listed"."description") COLLATE "und-x-icu"
        ) COLLATE "und-x-icu"
      )
    )
  ) = casefold(
    (
      coalesce("listed"."translations" ->> $2::text, "listed"."description") COLLATE "und-x-icu"
    ) COLLATE "und-x-icu"
  )
)

-- contains(Key, Description)
(
  position(
    casefold(
      (
        coalesce("listed"."translations" ->> $1::text, "listed"."description") COLLATE "und-x-icu"
      ) COLLATE "und-x-icu"
    ) IN casefold("listed"."key" COLLATE "und-x-icu")
  ) > 0
)

-- substringof(Description, Key)
(
  position(
    casefold(
      (
        coalesce("listed"."translations" ->> $1::text, "listed"."description") COLLATE "und-x-icu"
      ) COLLATE "und-x-icu"
    ) IN casefold("listed"."key" COLLATE "und-x-icu")
  ) > 0
)

-- tolower(Key) eq 'a'
casefold(
  lower("listed"."key" COLLATE "und-x-icu") COLLATE "und-x-icu"
) = casefold($1::text COLLATE "und-x-icu")

-- toupper(Key) eq 'a'
casefold(
  upper("listed"."key" COLLATE "und-x-icu") COLLATE "und-x-icu"
) = casefold($1::text COLLATE "und-x-icu")

-- trim(Key) eq 'a'
casefold(
  btrim("listed"."key", E' \t\n\r\f\v\u00a0') COLLATE "und-x-icu"
) = casefold($1::text COLLATE "und-x-icu")

-- concat(Key, 'b') eq 'a'
casefold(("listed"."key" || $1::text) COLLATE "und-x-icu") = casefold($2::text COLLATE "und-x-icu")

-- substring(Key, 2, 3) eq 'a'
casefold(
  takt.part_of_text("listed"."key", $1::numeric, $2::numeric) COLLATE "und-x-icu"
) = casefold($3::text COLLATE "und-x-icu")

-- length(Key) eq 1
length("listed"."key") = $1::bigint

-- indexof(Key, 'b') eq 1
takt.place_in_text("listed"."key", $1::text) = $2::bigint

-- round(Priority) eq 1
round("listed"."priority"::numeric) = $1::bigint

-- floor(Priority) eq 1
floor("listed"."priority"::numeric) = $1::bigint

-- ceiling(Priority) eq 1
ceil("listed"."priority"::numeric) = $1::bigint

-- Priority add Priority gt 1.5
("listed"."priority"::numeric + "listed"."priority"::numeric) > $1::numeric

-- Priority sub Priority gt 1.5
("listed"."priority"::numeric - "listed"."priority"::numeric) > $1::numeric

-- Priority mul Priority gt 1.5
("listed"."priority"::numeric * "listed"."priority"::numeric) > $1::numeric

-- Priority div Priority gt 1.5
(div("listed"."priority"::numeric * 1e20, nullif("listed"."priority"::numeric, 0)) * 1e-20) > $1::numeric

-- Priority mod Priority gt 1.5
mod("listed"."priority"::numeric, nullif("listed"."priority"::numeric, 0)) > $1::numeric

-- -Priority lt -(1 add 2)
(- "listed"."priority"::numeric) < (- ($1::numeric + $2::numeric))

-- Priority gt 2 mul 3
"listed"."priority" > takt.floor_units(($1::numeric * $2::numeric), 0)

-- substring(Key, 1) eq 'a'
casefold(
  takt.part_of_text("listed"."key", $1::numeric, 2147483647) COLLATE "und-x-icu"
) = casefold($2::text COLLATE "und-x-icu")

-- not true or Priority eq 1
(false OR "listed"."priority" = $1::bigint)

-- not (Priority gt 1)
"listed"."priority" <= $1::bigint

-- Priority gt 1 and (Priority lt 5 or not contains(Key, 'a'))
(
  "listed"."priority" > $1::bigint
  AND (
    "listed"."priority" < $2::bigint
    OR (
      (
        position(casefold($3::text COLLATE "und-x-icu") IN casefold("listed"."key" COLLATE "und-x-icu")) > 0
      ) IS NOT TRUE
    )
  )
)

-- not (Priority gt null)
true
