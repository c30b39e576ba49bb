-- ErrorMessageId eq 1
"listed"."error_message_id" = $1::bigint

-- Status eq 'a'
casefold("listed"."status" COLLATE "und-x-icu") = casefold($1::text COLLATE "und-x-icu")

-- ErrorMessageId eq null
("listed"."error_message_id" IS NULL)

-- ErrorMessageId ne 1
"listed"."error_message_id" <> $1::bigint

-- Status ne 'a'
casefold("listed"."status" COLLATE "und-x-icu") <> casefold($1::text COLLATE "und-x-icu")

-- ErrorMessageId ne null
("listed"."error_message_id" IS NOT NULL)

-- ErrorMessageId lt 1
"listed"."error_message_id" < $1::bigint

-- Status lt 'a'
casefold("listed"."status" COLLATE "und-x-icu") < casefold($1::text COLLATE "und-x-icu")

-- ErrorMessageId lt null
false

-- ErrorMessageId le 1
"listed"."error_message_id" <= $1::bigint

-- Status le 'a'
casefold("listed"."status" COLLATE "und-x-icu") <= casefold($1::text COLLATE "und-x-icu")

-- ErrorMessageId le null
false

-- ErrorMessageId gt 1
"listed"."error_message_id" > $1::bigint

-- Status gt 'a'
casefold("listed"."status" COLLATE "und-x-icu") > casefold($1::text COLLATE "und-x-icu")

-- ErrorMessageId gt null
false

-- ErrorMessageId ge 1
"listed"."error_message_id" >= $1::bigint

-- Status ge 'a'
casefold("listed"."status" COLLATE "und-x-icu") >= casefold($1::text COLLATE "und-x-icu")

-- ErrorMessageId ge null
false

-- ErrorMessageId eq 1.5
"listed"."error_message_id" = takt.same_units($1::numeric, 0, -9223372036854775807)

-- 1 lt ErrorMessageId
"listed"."error_message_id" > $1::bigint

-- ErrorMessageId gt CreatedBy
"listed"."error_message_id" > "listed"."created_by"

-- Status eq Message
casefold("listed"."status" COLLATE "und-x-icu") = casefold("listed"."message" COLLATE "und-x-icu")

-- Message eq 'a'
casefold("listed"."message" COLLATE "und-x-icu") = casefold($1::text COLLATE "und-x-icu")

-- ErrorMessageId in (1, 2.5, null)
(
  "listed"."error_message_id" = ANY (takt.same_units($1::numeric[], 0, -9223372036854775807))
  OR ("listed"."error_message_id" IS NULL)
)

-- Status in ('a', 'b')
casefold("listed"."status" COLLATE "und-x-icu") IN (
  SELECT casefold(listed_value COLLATE "und-x-icu")
  FROM unnest($1::text[]) AS listed_value
)

-- startswith(Status, 'a')
(
  ("listed"."status" >= ($1::text COLLATE "und-x-icu") AND "listed"."status" < ($2::text COLLATE "und-x-icu"))
  AND coalesce(
    starts_with(casefold("listed"."status" COLLATE "und-x-icu"), casefold($3::text COLLATE "und-x-icu")),
    false
  )
)

-- endswith(Status, 'a')
(
  right(
    casefold("listed"."status" COLLATE "und-x-icu"), length(casefold($1::text COLLATE "und-x-icu"))
  ) = casefold($2::text COLLATE "und-x-icu")
)

-- contains(Status, 'a')
(position(casefold($1::text COLLATE "und-x-icu") IN casefold("listed"."status" COLLATE "und-x-icu")) > 0)

-- substringof('a', Status)
(position(casefold($1::text COLLATE "und-x-icu") IN casefold("listed"."status" COLLATE "und-x-icu")) > 0)

-- startswith(Status, Message)
starts_with(casefold("listed"."status" COLLATE "und-x-icu"), casefold("listed"."message" COLLATE "und-x-icu"))

-- endswith(Status, Message)
(
  right(
    casefold("listed"."status" COLLATE "und-x-icu"), length(casefold("listed"."message" COLLATE "und-x-icu"))
  ) = casefold("listed"."message" COLLATE "und-x-icu")
)

-- contains(Status, Message)
(
  position(
    casefold("listed"."message" COLLATE "und-x-icu") IN casefold("listed"."status" COLLATE "und-x-icu")
  ) > 0
)

-- substringof(Message, Status)
(
  position(
    casefold("listed"."message" COLLATE "und-x-icu") IN casefold("listed"."status" COLLATE "und-x-icu")
  ) > 0
)

-- tolower(Status) eq 'a'
casefold(
  lower("listed"."status" COLLATE "und-x-icu") COLLATE "und-x-icu"
) = casefold($1::text COLLATE "und-x-icu")

-- toupper(Status) eq 'a'
casefold(
  upper("listed"."status" COLLATE "und-x-icu") COLLATE "und-x-icu"
) = casefold($1::text COLLATE "und-x-icu")

-- trim(Status) eq 'a'
casefold(
  btrim("listed"."status", E' \t\n\r\f\v\u00a0') COLLATE "und-x-icu"
) = casefold($1::text COLLATE "und-x-icu")

-- concat(Status, 'b') eq 'a'
casefold(("listed"."status" || $1::text) COLLATE "und-x-icu") = casefold($2::text COLLATE "und-x-icu")

-- substring(Status, 2, 3) eq 'a'
casefold(
  takt.part_of_text("listed"."status", $1::numeric, $2::numeric) COLLATE "und-x-icu"
) = casefold($3::text COLLATE "und-x-icu")

-- length(Status) eq 1
length("listed"."status") = $1::bigint

-- indexof(Status, 'b') eq 1
takt.place_in_text("listed"."status", $1::text) = $2::bigint

-- round(ErrorMessageId) eq 1
round("listed"."error_message_id"::numeric) = $1::bigint

-- floor(ErrorMessageId) eq 1
floor("listed"."error_message_id"::numeric) = $1::bigint

-- ceiling(ErrorMessageId) eq 1
ceil("listed"."error_message_id"::numeric) = $1::bigint

-- ErrorMessageId add CreatedBy gt 1.5
("listed"."error_message_id"::numeric + "listed"."created_by"::numeric) > $1::numeric

-- ErrorMessageId sub CreatedBy gt 1.5
("listed"."error_message_id"::numeric - "listed"."created_by"::numeric) > $1::numeric

-- ErrorMessageId mul CreatedBy gt 1.5
("listed"."error_message_id"::numeric * "listed"."created_by"::numeric) > $1::numeric

-- ErrorMessageId div CreatedBy gt 1.5
(
  div("listed"."error_message_id"::numeric * 1e20, nullif("listed"."created_by"::numeric, 0)) * 1e-20
) > $1::numeric

-- ErrorMessageId mod CreatedBy gt 1.5
mod("listed"."error_message_id"::numeric, nullif("listed"."created_by"::numeric, 0)) > $1::numeric

-- -ErrorMessageId lt -(1 add 2)
(- "listed"."error_message_id"::numeric) < (- ($1::numeric + $2::numeric))

-- ErrorMessageId gt 2 mul 3
"listed"."error_message_id" > takt.floor_units(($1::numeric * $2::numeric), 0)

-- substring(Status, 1) eq 'a'
casefold(
  takt.part_of_text("listed"."status", $1::numeric, 2147483647) COLLATE "und-x-icu"
) = casefold($2::text COLLATE "und-x-icu")

-- not true or ErrorMessageId eq 1
(false OR "listed"."error_message_id" = $1::bigint)

-- not (ErrorMessageId gt 1)
"listed"."error_message_id" <= $1::bigint

-- ErrorMessageId gt 1 and (CreatedBy lt 5 or not contains(Status, 'a'))
(
  "listed"."error_message_id" > $1::bigint
  AND (
    "listed"."created_by" < $2::bigint
    OR (
      (
        position(
          casefold($3::text COLLATE "und-x-icu") IN casefold("listed"."status" COLLATE "und-x-icu")
        ) > 0
      ) IS NOT TRUE
    )
  )
)

-- not (ErrorMessageId gt null)
true
