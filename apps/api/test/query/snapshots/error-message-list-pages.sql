-- page=first
SELECT coalesce(
    json_agg(
      json_build_array(
        "listed"."error_message_id",
        "listed"."status",
        "listed"."namespace",
        "listed"."http_status_code",
        "listed"."message",
        "listed"."available_translations",
        "listed"."created_by",
        "sort_0"
      )
      ORDER BY "sort_0" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."error_message_id" AS "sort_0"
    FROM "takt"."error_messages" AS listed
    ORDER BY "listed"."error_message_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $1::bigint + 1
) AS listed;

-- $showDomainDescriptions=true   page=first
SELECT coalesce(
    json_agg(
      json_build_array(
        "listed"."error_message_id",
        "listed"."status",
        (
          SELECT jsonb_object_agg(key, coalesce(translations ->> $1::text, description))
          FROM takt.domain_values
          WHERE object = 'ErrorMessage' AND field = 'Status'
        ) ->> "listed"."status"::text,
        "listed"."namespace",
        "listed"."http_status_code",
        "listed"."message",
        "listed"."available_translations",
        "listed"."created_by",
        "sort_0"
      )
      ORDER BY "sort_0" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."error_message_id" AS "sort_0"
    FROM "takt"."error_messages" AS listed
    ORDER BY "listed"."error_message_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $2::bigint + 1
) AS listed;

-- $select=ErrorMessageId   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."error_message_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."error_message_id" AS "sort_0"
    FROM "takt"."error_messages" AS listed
    ORDER BY "listed"."error_message_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $1::bigint + 1
) AS listed;

-- $select=ErrorMessageId   page=after
SELECT coalesce(
    json_agg(json_build_array("listed"."error_message_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."error_message_id" AS "sort_0"
    FROM "takt"."error_messages" AS listed
    WHERE ("listed"."error_message_id") > ($1::bigint)
    ORDER BY "listed"."error_message_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $2::bigint + 1
) AS listed;

-- $select=ErrorMessageId   page=before
SELECT coalesce(
    json_agg(json_build_array("listed"."error_message_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."error_message_id" AS "sort_0"
    FROM "takt"."error_messages" AS listed
    WHERE ("listed"."error_message_id") < ($1::bigint)
    ORDER BY "listed"."error_message_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $2::bigint + 1
) AS listed;

-- $select=ErrorMessageId   page=last
SELECT coalesce(
    json_agg(json_build_array("listed"."error_message_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."error_messages" AS listed
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."error_message_id" AS "sort_0"
    FROM "takt"."error_messages" AS listed
    ORDER BY "listed"."error_message_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $1::bigint + 1
) AS listed;

-- $select=ErrorMessageId   $orderby=ErrorMessageId   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."error_message_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."error_message_id" AS "sort_0"
    FROM "takt"."error_messages" AS listed
    ORDER BY "listed"."error_message_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $1::bigint + 1
) AS listed;

-- $select=ErrorMessageId   $orderby=ErrorMessageId   page=after
SELECT coalesce(
    json_agg(json_build_array("listed"."error_message_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."error_message_id" AS "sort_0"
    FROM "takt"."error_messages" AS listed
    WHERE ("listed"."error_message_id") > ($1::bigint)
    ORDER BY "listed"."error_message_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $2::bigint + 1
) AS listed;

-- $select=ErrorMessageId   $orderby=ErrorMessageId   page=before
SELECT coalesce(
    json_agg(json_build_array("listed"."error_message_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."error_message_id" AS "sort_0"
    FROM "takt"."error_messages" AS listed
    WHERE ("listed"."error_message_id") < ($1::bigint)
    ORDER BY "listed"."error_message_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $2::bigint + 1
) AS listed;

-- $select=ErrorMessageId   $orderby=ErrorMessageId   page=last
SELECT coalesce(
    json_agg(json_build_array("listed"."error_message_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."error_messages" AS listed
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."error_message_id" AS "sort_0"
    FROM "takt"."error_messages" AS listed
    ORDER BY "listed"."error_message_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $1::bigint + 1
) AS listed;

-- $select=ErrorMessageId   $orderby=ErrorMessageId desc   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."error_message_id", "sort_0") ORDER BY "sort_0" DESC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."error_message_id" AS "sort_0"
    FROM "takt"."error_messages" AS listed
    ORDER BY "listed"."error_message_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $1::bigint + 1
) AS listed;

-- $select=ErrorMessageId   $orderby=ErrorMessageId desc   page=after
SELECT coalesce(
    json_agg(json_build_array("listed"."error_message_id", "sort_0") ORDER BY "sort_0" DESC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."error_message_id" AS "sort_0"
    FROM "takt"."error_messages" AS listed
    WHERE ("listed"."error_message_id") < ($1::bigint)
    ORDER BY "listed"."error_message_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $2::bigint + 1
) AS listed;

-- $select=ErrorMessageId   $orderby=ErrorMessageId desc   page=before
SELECT coalesce(
    json_agg(json_build_array("listed"."error_message_id", "sort_0") ORDER BY "sort_0" DESC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."error_message_id" AS "sort_0"
    FROM "takt"."error_messages" AS listed
    WHERE ("listed"."error_message_id") > ($1::bigint)
    ORDER BY "listed"."error_message_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $2::bigint + 1
) AS listed;

-- $select=ErrorMessageId   $orderby=ErrorMessageId desc   page=last
SELECT coalesce(
    json_agg(json_build_array("listed"."error_message_id", "sort_0") ORDER BY "sort_0" DESC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."error_messages" AS listed
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."error_message_id" AS "sort_0"
    FROM "takt"."error_messages" AS listed
    ORDER BY "listed"."error_message_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $1::bigint + 1
) AS listed;

-- $select=ErrorMessageId   $orderby=Status   page=first
SELECT coalesce(
    json_agg(
      json_build_array("listed"."error_message_id", "sort_0", "sort_1")
      ORDER BY "sort_0" ASC, "sort_1" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."status" AS "sort_0", "listed"."error_message_id" AS "sort_1"
    FROM "takt"."error_messages" AS listed
    ORDER BY "listed"."status" ASC, "listed"."error_message_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $1::bigint + 1
) AS listed;

-- $select=ErrorMessageId   $orderby=Status   page=after
SELECT coalesce(
    json_agg(
      json_build_array("listed"."error_message_id", "sort_0", "sort_1")
      ORDER BY "sort_0" ASC, "sort_1" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."status" AS "sort_0", "listed"."error_message_id" AS "sort_1"
    FROM "takt"."error_messages" AS listed
    WHERE ("listed"."status", "listed"."error_message_id") > ($1::text, $2::bigint)
    ORDER BY "listed"."status" ASC, "listed"."error_message_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ErrorMessageId   $orderby=Status   page=before
SELECT coalesce(
    json_agg(
      json_build_array("listed"."error_message_id", "sort_0", "sort_1")
      ORDER BY "sort_0" ASC, "sort_1" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."status" AS "sort_0", "listed"."error_message_id" AS "sort_1"
    FROM "takt"."error_messages" AS listed
    WHERE ("listed"."status", "listed"."error_message_id") < ($1::text, $2::bigint)
    ORDER BY "listed"."status" DESC, "listed"."error_message_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ErrorMessageId   $orderby=Status   page=last
SELECT coalesce(
    json_agg(
      json_build_array("listed"."error_message_id", "sort_0", "sort_1")
      ORDER BY "sort_0" ASC, "sort_1" ASC
    ),
    '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."error_messages" AS listed
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."status" AS "sort_0", "listed"."error_message_id" AS "sort_1"
    FROM "takt"."error_messages" AS listed
    ORDER BY "listed"."status" DESC, "listed"."error_message_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $1::bigint + 1
) AS listed;

-- $select=ErrorMessageId   $orderby=Status desc,ErrorMessageId   page=first
SELECT coalesce(
    json_agg(
      json_build_array("listed"."error_message_id", "sort_0", "sort_1")
      ORDER BY "sort_0" DESC, "sort_1" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."status" AS "sort_0", "listed"."error_message_id" AS "sort_1"
    FROM "takt"."error_messages" AS listed
    ORDER BY "listed"."status" DESC, "listed"."error_message_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $1::bigint + 1
) AS listed;

-- $select=ErrorMessageId   $orderby=Status desc,ErrorMessageId   page=after
SELECT coalesce(
    json_agg(
      json_build_array("listed"."error_message_id", "sort_0", "sort_1")
      ORDER BY "sort_0" DESC, "sort_1" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."status" AS "sort_0", "listed"."error_message_id" AS "sort_1"
    FROM "takt"."error_messages" AS listed
    WHERE "listed"."status" <= $1::text
      AND (
        ("listed"."status" < $2::text)
        OR ("listed"."status" = $3::text AND "listed"."error_message_id" > $4::bigint)
      )
    ORDER BY "listed"."status" DESC, "listed"."error_message_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $5::bigint + 1
) AS listed;

-- $select=ErrorMessageId   $orderby=Status desc,ErrorMessageId   page=before
SELECT coalesce(
    json_agg(
      json_build_array("listed"."error_message_id", "sort_0", "sort_1")
      ORDER BY "sort_0" DESC, "sort_1" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."status" AS "sort_0", "listed"."error_message_id" AS "sort_1"
    FROM "takt"."error_messages" AS listed
    WHERE "listed"."status" >= $1::text
      AND (
        ("listed"."status" > $2::text)
        OR ("listed"."status" = $3::text AND "listed"."error_message_id" < $4::bigint)
      )
    ORDER BY "listed"."status" ASC, "listed"."error_message_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $5::bigint + 1
) AS listed;

-- $select=ErrorMessageId   $orderby=Status desc,ErrorMessageId   page=last
SELECT coalesce(
    json_agg(
      json_build_array("listed"."error_message_id", "sort_0", "sort_1")
      ORDER BY "sort_0" DESC, "sort_1" ASC
    ),
    '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."error_messages" AS listed
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."status" AS "sort_0", "listed"."error_message_id" AS "sort_1"
    FROM "takt"."error_messages" AS listed
    ORDER BY "listed"."status" ASC, "listed"."error_message_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $1::bigint + 1
) AS listed;

-- $select=ErrorMessageId   $inlinecount=allpages   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."error_message_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."error_messages" AS listed
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."error_message_id" AS "sort_0"
    FROM "takt"."error_messages" AS listed
    ORDER BY "listed"."error_message_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $1::bigint + 1
) AS listed;

-- $select=ErrorMessageId   $skip=5   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."error_message_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."error_message_id" AS "sort_0"
    FROM "takt"."error_messages" AS listed
    ORDER BY "listed"."error_message_id" ASC
    OFFSET $1::bigint
    LIMIT 81
  ) AS most
  LIMIT $2::bigint + 1
) AS listed;

-- $select=ErrorMessageId   $skip=5   $filter=ErrorMessageId gt 1   $inlinecount=allpages   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."error_message_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."error_messages" AS listed
    WHERE "listed"."error_message_id" > $1::bigint
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."error_message_id" AS "sort_0"
    FROM "takt"."error_messages" AS listed
    WHERE "listed"."error_message_id" > $2::bigint
    ORDER BY "listed"."error_message_id" ASC
    OFFSET $3::bigint
    LIMIT 81
  ) AS most
  LIMIT $4::bigint + 1
) AS listed;

-- $select=ErrorMessageId   $orderby=ErrorMessageId   $filter=ErrorMessageId gt 1   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."error_message_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."error_message_id" AS "sort_0"
    FROM "takt"."error_messages" AS listed
    WHERE "listed"."error_message_id" > $1::bigint
    ORDER BY "listed"."error_message_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $2::bigint + 1
) AS listed;

-- $select=ErrorMessageId   $orderby=ErrorMessageId   $filter=ErrorMessageId gt 1   $inlinecount=allpages   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."error_message_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."error_messages" AS listed
    WHERE "listed"."error_message_id" > $1::bigint
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."error_message_id" AS "sort_0"
    FROM "takt"."error_messages" AS listed
    WHERE "listed"."error_message_id" > $2::bigint
    ORDER BY "listed"."error_message_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ErrorMessageId   $orderby=ErrorMessageId   $filter=ErrorMessageId gt 1   page=after
SELECT coalesce(
    json_agg(json_build_array("listed"."error_message_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."error_message_id" AS "sort_0"
    FROM "takt"."error_messages" AS listed
    WHERE "listed"."error_message_id" > $1::bigint AND ("listed"."error_message_id") > ($2::bigint)
    ORDER BY "listed"."error_message_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ErrorMessageId   $orderby=ErrorMessageId   $filter=ErrorMessageId gt 1   $inlinecount=allpages   page=after
SELECT coalesce(
    json_agg(json_build_array("listed"."error_message_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."error_messages" AS listed
    WHERE "listed"."error_message_id" > $1::bigint
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."error_message_id" AS "sort_0"
    FROM "takt"."error_messages" AS listed
    WHERE "listed"."error_message_id" > $2::bigint AND ("listed"."error_message_id") > ($3::bigint)
    ORDER BY "listed"."error_message_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $4::bigint + 1
) AS listed;

-- $select=ErrorMessageId   $orderby=ErrorMessageId   $filter=ErrorMessageId gt 1   page=before
SELECT coalesce(
    json_agg(json_build_array("listed"."error_message_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."error_message_id" AS "sort_0"
    FROM "takt"."error_messages" AS listed
    WHERE "listed"."error_message_id" > $1::bigint AND ("listed"."error_message_id") < ($2::bigint)
    ORDER BY "listed"."error_message_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ErrorMessageId   $orderby=ErrorMessageId   $filter=ErrorMessageId gt 1   $inlinecount=allpages   page=before
SELECT coalesce(
    json_agg(json_build_array("listed"."error_message_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."error_messages" AS listed
    WHERE "listed"."error_message_id" > $1::bigint
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."error_message_id" AS "sort_0"
    FROM "takt"."error_messages" AS listed
    WHERE "listed"."error_message_id" > $2::bigint AND ("listed"."error_message_id") < ($3::bigint)
    ORDER BY "listed"."error_message_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $4::bigint + 1
) AS listed;

-- $select=ErrorMessageId   $orderby=ErrorMessageId   $filter=ErrorMessageId gt 1   page=last
SELECT coalesce(
    json_agg(json_build_array("listed"."error_message_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."error_messages" AS listed
    WHERE "listed"."error_message_id" > $1::bigint
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."error_message_id" AS "sort_0"
    FROM "takt"."error_messages" AS listed
    WHERE "listed"."error_message_id" > $2::bigint
    ORDER BY "listed"."error_message_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ErrorMessageId   $orderby=ErrorMessageId   $filter=ErrorMessageId gt 1   $inlinecount=allpages   page=last
SELECT coalesce(
    json_agg(json_build_array("listed"."error_message_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."error_messages" AS listed
    WHERE "listed"."error_message_id" > $1::bigint
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."error_message_id" AS "sort_0"
    FROM "takt"."error_messages" AS listed
    WHERE "listed"."error_message_id" > $2::bigint
    ORDER BY "listed"."error_message_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ErrorMessageId   search=two words   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."error_message_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."error_message_id" AS "sort_0"
    FROM "takt"."error_messages" AS listed
    WHERE (
        position(
          casefold($1::text COLLATE "und-x-icu") IN casefold("listed"."message" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($2::text COLLATE "und-x-icu") IN casefold("listed"."namespace" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($3::text COLLATE "und-x-icu") IN casefold("listed"."error_message_id"::text COLLATE "und-x-icu")
        ) > 0
      )
      AND (
        position(
          casefold($4::text COLLATE "und-x-icu") IN casefold("listed"."message" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($5::text COLLATE "und-x-icu") IN casefold("listed"."namespace" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($6::text COLLATE "und-x-icu") IN casefold("listed"."error_message_id"::text COLLATE "und-x-icu")
        ) > 0
      )
    ORDER BY "listed"."error_message_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $7::bigint + 1
) AS listed;

-- $select=ErrorMessageId   search=two words   page=after
SELECT coalesce(
    json_agg(json_build_array("listed"."error_message_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."error_message_id" AS "sort_0"
    FROM "takt"."error_messages" AS listed
    WHERE (
        position(
          casefold($1::text COLLATE "und-x-icu") IN casefold("listed"."message" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($2::text COLLATE "und-x-icu") IN casefold("listed"."namespace" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($3::text COLLATE "und-x-icu") IN casefold("listed"."error_message_id"::text COLLATE "und-x-icu")
        ) > 0
      )
      AND (
        position(
          casefold($4::text COLLATE "und-x-icu") IN casefold("listed"."message" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($5::text COLLATE "und-x-icu") IN casefold("listed"."namespace" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($6::text COLLATE "und-x-icu") IN casefold("listed"."error_message_id"::text COLLATE "und-x-icu")
        ) > 0
      )
      AND ("listed"."error_message_id") > ($7::bigint)
    ORDER BY "listed"."error_message_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $8::bigint + 1
) AS listed;

-- $select=ErrorMessageId   search=two words   page=before
SELECT coalesce(
    json_agg(json_build_array("listed"."error_message_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."error_message_id" AS "sort_0"
    FROM "takt"."error_messages" AS listed
    WHERE (
        position(
          casefold($1::text COLLATE "und-x-icu") IN casefold("listed"."message" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($2::text COLLATE "und-x-icu") IN casefold("listed"."namespace" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($3::text COLLATE "und-x-icu") IN casefold("listed"."error_message_id"::text COLLATE "und-x-icu")
        ) > 0
      )
      AND (
        position(
          casefold($4::text COLLATE "und-x-icu") IN casefold("listed"."message" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($5::text COLLATE "und-x-icu") IN casefold("listed"."namespace" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($6::text COLLATE "und-x-icu") IN casefold("listed"."error_message_id"::text COLLATE "und-x-icu")
        ) > 0
      )
      AND ("listed"."error_message_id") < ($7::bigint)
    ORDER BY "listed"."error_message_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $8::bigint + 1
) AS listed;

-- $select=ErrorMessageId   search=two words   page=last
SELECT coalesce(
    json_agg(json_build_array("listed"."error_message_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."error_messages" AS listed
    WHERE (
        position(
          casefold($1::text COLLATE "und-x-icu") IN casefold("listed"."message" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($2::text COLLATE "und-x-icu") IN casefold("listed"."namespace" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($3::text COLLATE "und-x-icu") IN casefold("listed"."error_message_id"::text COLLATE "und-x-icu")
        ) > 0
      )
      AND (
        position(
          casefold($4::text COLLATE "und-x-icu") IN casefold("listed"."message" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($5::text COLLATE "und-x-icu") IN casefold("listed"."namespace" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($6::text COLLATE "und-x-icu") IN casefold("listed"."error_message_id"::text COLLATE "und-x-icu")
        ) > 0
      )
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."error_message_id" AS "sort_0"
    FROM "takt"."error_messages" AS listed
    WHERE (
        position(
          casefold($7::text COLLATE "und-x-icu") IN casefold("listed"."message" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($8::text COLLATE "und-x-icu") IN casefold("listed"."namespace" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($9::text COLLATE "und-x-icu") IN casefold("listed"."error_message_id"::text COLLATE "und-x-icu")
        ) > 0
      )
      AND (
        position(
          casefold($10::text COLLATE "und-x-icu") IN casefold("listed"."message" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($11::text COLLATE "und-x-icu") IN casefold("listed"."namespace" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($12::text COLLATE "und-x-icu") IN casefold("listed"."error_message_id"::text COLLATE "und-x-icu")
        ) > 0
      )
    ORDER BY "listed"."error_message_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $13::bigint + 1
) AS listed;
