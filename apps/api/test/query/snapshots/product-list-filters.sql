-- ProductId eq 1
"listed"."product_id" = $1::bigint

-- Name eq 'a'
casefold("listed"."name" COLLATE "und-x-icu") = casefold($1::text COLLATE "und-x-icu")

-- ProductId eq null
("listed"."product_id" IS NULL)

-- ProductId ne 1
"listed"."product_id" <> $1::bigint

-- Name ne 'a'
casefold("listed"."name" COLLATE "und-x-icu") <> casefold($1::text COLLATE "und-x-icu")

-- ProductId ne null
("listed"."product_id" IS NOT NULL)

-- ProductId lt 1
"listed"."product_id" < $1::bigint

-- Name lt 'a'
casefold("listed"."name" COLLATE "und-x-icu") < casefold($1::text COLLATE "und-x-icu")

-- ProductId lt null
false

-- ProductId le 1
"listed"."product_id" <= $1::bigint

-- Name le 'a'
casefold("listed"."name" COLLATE "und-x-icu") <= casefold($1::text COLLATE "und-x-icu")

-- ProductId le null
false

-- ProductId gt 1
"listed"."product_id" > $1::bigint

-- Name gt 'a'
casefold("listed"."name" COLLATE "und-x-icu") > casefold($1::text COLLATE "und-x-icu")

-- ProductId gt null
false

-- ProductId ge 1
"listed"."product_id" >= $1::bigint

-- Name ge 'a'
casefold("listed"."name" COLLATE "und-x-icu") >= casefold($1::text COLLATE "und-x-icu")

-- ProductId ge null
false

-- ProductId eq 1.5
"listed"."product_id" = takt.same_units($1::numeric, 0, -9223372036854775807)

-- 1 lt ProductId
"listed"."product_id" > $1::bigint

-- ProductId gt ProductId
"listed"."product_id" > "listed"."product_id"

-- Name eq Name
casefold("listed"."name" COLLATE "und-x-icu") = casefold("listed"."name" COLLATE "und-x-icu")

-- Name eq 'a'
casefold("listed"."name" COLLATE "und-x-icu") = casefold($1::text COLLATE "und-x-icu")

-- ProductId in (1, 2.5, null)
(
  "listed"."product_id" = ANY (takt.same_units($1::numeric[], 0, -9223372036854775807))
  OR ("listed"."product_id" IS NULL)
)

-- Name in ('a', 'b')
casefold("listed"."name" COLLATE "und-x-icu") IN (
  SELECT casefold(listed_value COLLATE "und-x-icu")
  FROM unnest($1::text[]) AS listed_value
)

-- startswith(Name, 'a')
(
  ("listed"."name" >= ($1::text COLLATE "und-x-icu") AND "listed"."name" < ($2::text COLLATE "und-x-icu"))
  AND coalesce(
    starts_with(casefold("listed"."name" COLLATE "und-x-icu"), casefold($3::text COLLATE "und-x-icu")), false
  )
)

-- endswith(Name, 'a')
(
  right(
    casefold("listed"."name" COLLATE "und-x-icu"), length(casefold($1::text COLLATE "und-x-icu"))
  ) = casefold($2::text COLLATE "und-x-icu")
)

-- contains(Name, 'a')
(position(casefold($1::text COLLATE "und-x-icu") IN casefold("listed"."name" COLLATE "und-x-icu")) > 0)

-- substringof('a', Name)
(position(casefold($1::text COLLATE "und-x-icu") IN casefold("listed"."name" COLLATE "und-x-icu")) > 0)

-- startswith(Name, Name)
starts_with(casefold("listed"."name" COLLATE "und-x-icu"), casefold("listed"."name" COLLATE "und-x-icu"))

-- endswith(Name, Name)
(
  right(
    casefold("listed"."name" COLLATE "und-x-icu"), length(casefold("listed"."name" COLLATE "und-x-icu"))
  ) = casefold("listed"."name" COLLATE "und-x-icu")
)

-- contains(Name, Name)
(position(casefold("listed"."name" COLLATE "und-x-icu") IN casefold("listed"."name" COLLATE "und-x-icu")) > 0)

-- substringof(Name, Name)
(position(casefold("listed"."name" COLLATE "und-x-icu") IN casefold("listed"."name" COLLATE "und-x-icu")) > 0)

-- tolower(Name) eq 'a'
casefold(
  lower("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"
) = casefold($1::text COLLATE "und-x-icu")

-- toupper(Name) eq 'a'
casefold(
  upper("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"
) = casefold($1::text COLLATE "und-x-icu")

-- trim(Name) eq 'a'
casefold(
  btrim("listed"."name", E' \t\n\r\f\v\u00a0') COLLATE "und-x-icu"
) = casefold($1::text COLLATE "und-x-icu")

-- concat(Name, 'b') eq 'a'
casefold(("listed"."name" || $1::text) COLLATE "und-x-icu") = casefold($2::text COLLATE "und-x-icu")

-- substring(Name, 2, 3) eq 'a'
casefold(
  takt.part_of_text("listed"."name", $1::numeric, $2::numeric) COLLATE "und-x-icu"
) = casefold($3::text COLLATE "und-x-icu")

-- length(Name) eq 1
length("listed"."name") = $1::bigint

-- indexof(Name, 'b') eq 1
takt.place_in_text("listed"."name", $1::text) = $2::bigint

-- round(ProductId) eq 1
round("listed"."product_id"::numeric) = $1::bigint

-- floor(ProductId) eq 1
floor("listed"."product_id"::numeric) = $1::bigint

-- ceiling(ProductId) eq 1
ceil("listed"."product_id"::numeric) = $1::bigint

-- ProductId add ProductId gt 1.5
("listed"."product_id"::numeric + "listed"."product_id"::numeric) > $1::numeric

-- ProductId sub ProductId gt 1.5
("listed"."product_id"::numeric - "listed"."product_id"::numeric) > $1::numeric

-- ProductId mul ProductId gt 1.5
("listed"."product_id"::numeric * "listed"."product_id"::numeric) > $1::numeric

-- ProductId div ProductId gt 1.5
(div("listed"."product_id"::numeric * 1e20, nullif("listed"."product_id"::numeric, 0)) * 1e-20) > $1::numeric

-- ProductId mod ProductId gt 1.5
mod("listed"."product_id"::numeric, nullif("listed"."product_id"::numeric, 0)) > $1::numeric

-- -ProductId lt -(1 add 2)
(- "listed"."product_id"::numeric) < (- ($1::numeric + $2::numeric))

-- ProductId gt 2 mul 3
"listed"."product_id" > takt.floor_units(($1::numeric * $2::numeric), 0)

-- substring(Name, 1) eq 'a'
casefold(
  takt.part_of_text("listed"."name", $1::numeric, 2147483647) COLLATE "und-x-icu"
) = casefold($2::text COLLATE "und-x-icu")

-- not true or ProductId eq 1
(false OR "listed"."product_id" = $1::bigint)

-- not (ProductId gt 1)
"listed"."product_id" <= $1::bigint

-- ProductId gt 1 and (ProductId lt 5 or not contains(Name, 'a'))
(
  "listed"."product_id" > $1::bigint
  AND (
    "listed"."product_id" < $2::bigint
    OR (
      (
        position(casefold($3::text COLLATE "und-x-icu") IN casefold("listed"."name" COLLATE "und-x-icu")) > 0
      ) IS NOT TRUE
    )
  )
)

-- not (ProductId gt null)
true

-- Status eq 1
"listed"."status" = $1::bigint

-- Type eq 'a'
casefold("listed"."type" COLLATE "und-x-icu") = casefold($1::text COLLATE "und-x-icu")

-- Description eq 'a'
casefold("listed"."description" COLLATE "und-x-icu") = casefold($1::text COLLATE "und-x-icu")
