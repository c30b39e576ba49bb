-- page=first
SELECT coalesce(
    json_agg(
      json_build_array(
        "listed"."product_id",
        "listed"."status",
        "listed"."name",
        "listed"."type",
        "listed"."description",
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
    SELECT listed.*, "listed"."product_id" AS "sort_0"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer
    ORDER BY "listed"."product_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $2::bigint + 1
) AS listed;

-- $showDomainDescriptions=true   page=first
SELECT coalesce(
    json_agg(
      json_build_array(
        "listed"."product_id",
        "listed"."status",
        (
          SELECT jsonb_object_agg(key, coalesce(translations ->> $1::text, description))
          FROM takt.domain_values
          WHERE object = 'Product' AND field = 'Status'
        ) ->> "listed"."status"::text,
        "listed"."name",
        "listed"."type",
        (
          SELECT jsonb_object_agg(key, coalesce(translations ->> $2::text, description))
          FROM takt.domain_values
          WHERE object = 'Product' AND field = 'Type'
        ) ->> "listed"."type"::text,
        "listed"."description",
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
    SELECT listed.*, "listed"."product_id" AS "sort_0"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $3::integer
    ORDER BY "listed"."product_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $4::bigint + 1
) AS listed;

-- $select=ProductId   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."product_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_id" AS "sort_0"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer
    ORDER BY "listed"."product_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $2::bigint + 1
) AS listed;

-- $select=ProductId   page=after
SELECT coalesce(
    json_agg(json_build_array("listed"."product_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_id" AS "sort_0"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer AND ("listed"."product_id") > ($2::bigint)
    ORDER BY "listed"."product_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ProductId   page=before
SELECT coalesce(
    json_agg(json_build_array("listed"."product_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_id" AS "sort_0"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer AND ("listed"."product_id") < ($2::bigint)
    ORDER BY "listed"."product_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ProductId   page=last
SELECT coalesce(
    json_agg(json_build_array("listed"."product_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_id" AS "sort_0"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $2::integer
    ORDER BY "listed"."product_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ProductId   $orderby=ProductId   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."product_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_id" AS "sort_0"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer
    ORDER BY "listed"."product_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $2::bigint + 1
) AS listed;

-- $select=ProductId   $orderby=ProductId   page=after
SELECT coalesce(
    json_agg(json_build_array("listed"."product_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_id" AS "sort_0"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer AND ("listed"."product_id") > ($2::bigint)
    ORDER BY "listed"."product_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ProductId   $orderby=ProductId   page=before
SELECT coalesce(
    json_agg(json_build_array("listed"."product_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_id" AS "sort_0"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer AND ("listed"."product_id") < ($2::bigint)
    ORDER BY "listed"."product_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ProductId   $orderby=ProductId   page=last
SELECT coalesce(
    json_agg(json_build_array("listed"."product_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_id" AS "sort_0"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $2::integer
    ORDER BY "listed"."product_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ProductId   $orderby=ProductId desc   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."product_id", "sort_0") ORDER BY "sort_0" DESC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_id" AS "sort_0"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer
    ORDER BY "listed"."product_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $2::bigint + 1
) AS listed;

-- $select=ProductId   $orderby=ProductId desc   page=after
SELECT coalesce(
    json_agg(json_build_array("listed"."product_id", "sort_0") ORDER BY "sort_0" DESC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_id" AS "sort_0"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer AND ("listed"."product_id") < ($2::bigint)
    ORDER BY "listed"."product_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ProductId   $orderby=ProductId desc   page=before
SELECT coalesce(
    json_agg(json_build_array("listed"."product_id", "sort_0") ORDER BY "sort_0" DESC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_id" AS "sort_0"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer AND ("listed"."product_id") > ($2::bigint)
    ORDER BY "listed"."product_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ProductId   $orderby=ProductId desc   page=last
SELECT coalesce(
    json_agg(json_build_array("listed"."product_id", "sort_0") ORDER BY "sort_0" DESC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_id" AS "sort_0"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $2::integer
    ORDER BY "listed"."product_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ProductId   $orderby=Name   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."product_id", "sort_0", "sort_1") ORDER BY "sort_0" ASC, "sort_1" ASC),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."name" AS "sort_0", "listed"."product_id" AS "sort_1"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer
    ORDER BY "listed"."name" ASC, "listed"."product_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $2::bigint + 1
) AS listed;

-- $select=ProductId   $orderby=Name   page=after
SELECT coalesce(
    json_agg(json_build_array("listed"."product_id", "sort_0", "sort_1") ORDER BY "sort_0" ASC, "sort_1" ASC),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."name" AS "sort_0", "listed"."product_id" AS "sort_1"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer
      AND ("listed"."name", "listed"."product_id") > ($2::text, $3::bigint)
    ORDER BY "listed"."name" ASC, "listed"."product_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $4::bigint + 1
) AS listed;

-- $select=ProductId   $orderby=Name   page=before
SELECT coalesce(
    json_agg(json_build_array("listed"."product_id", "sort_0", "sort_1") ORDER BY "sort_0" ASC, "sort_1" ASC),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."name" AS "sort_0", "listed"."product_id" AS "sort_1"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer
      AND ("listed"."name", "listed"."product_id") < ($2::text, $3::bigint)
    ORDER BY "listed"."name" DESC, "listed"."product_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $4::bigint + 1
) AS listed;

-- $select=ProductId   $orderby=Name   page=last
SELECT coalesce(
    json_agg(json_build_array("listed"."product_id", "sort_0", "sort_1") ORDER BY "sort_0" ASC, "sort_1" ASC),
    '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."name" AS "sort_0", "listed"."product_id" AS "sort_1"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $2::integer
    ORDER BY "listed"."name" DESC, "listed"."product_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ProductId   $orderby=Name desc,ProductId   page=first
SELECT coalesce(
    json_agg(
      json_build_array("listed"."product_id", "sort_0", "sort_1")
      ORDER BY "sort_0" DESC, "sort_1" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."name" AS "sort_0", "listed"."product_id" AS "sort_1"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer
    ORDER BY "listed"."name" DESC, "listed"."product_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $2::bigint + 1
) AS listed;

-- $select=ProductId   $orderby=Name desc,ProductId   page=after
SELECT coalesce(
    json_agg(
      json_build_array("listed"."product_id", "sort_0", "sort_1")
      ORDER BY "sort_0" DESC, "sort_1" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."name" AS "sort_0", "listed"."product_id" AS "sort_1"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer
      AND "listed"."name" <= $2::text
      AND (
        ("listed"."name" < $3::text) OR ("listed"."name" = $4::text AND "listed"."product_id" > $5::bigint)
      )
    ORDER BY "listed"."name" DESC, "listed"."product_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $6::bigint + 1
) AS listed;

-- $select=ProductId   $orderby=Name desc,ProductId   page=before
SELECT coalesce(
    json_agg(
      json_build_array("listed"."product_id", "sort_0", "sort_1")
      ORDER BY "sort_0" DESC, "sort_1" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."name" AS "sort_0", "listed"."product_id" AS "sort_1"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer
      AND "listed"."name" >= $2::text
      AND (
        ("listed"."name" > $3::text) OR ("listed"."name" = $4::text AND "listed"."product_id" < $5::bigint)
      )
    ORDER BY "listed"."name" ASC, "listed"."product_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $6::bigint + 1
) AS listed;

-- $select=ProductId   $orderby=Name desc,ProductId   page=last
SELECT coalesce(
    json_agg(
      json_build_array("listed"."product_id", "sort_0", "sort_1")
      ORDER BY "sort_0" DESC, "sort_1" ASC
    ),
    '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."name" AS "sort_0", "listed"."product_id" AS "sort_1"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $2::integer
    ORDER BY "listed"."name" ASC, "listed"."product_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ProductId   $inlinecount=allpages   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."product_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_id" AS "sort_0"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $2::integer
    ORDER BY "listed"."product_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ProductId   $skip=5   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."product_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_id" AS "sort_0"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer
    ORDER BY "listed"."product_id" ASC
    OFFSET $2::bigint
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ProductId   $skip=5   $filter=ProductId gt 1   $inlinecount=allpages   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."product_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."product_id" > $2::bigint
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_id" AS "sort_0"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $3::integer AND "listed"."product_id" > $4::bigint
    ORDER BY "listed"."product_id" ASC
    OFFSET $5::bigint
    LIMIT 81
  ) AS most
  LIMIT $6::bigint + 1
) AS listed;

-- $select=ProductId   $orderby=ProductId   $filter=ProductId gt 1   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."product_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_id" AS "sort_0"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."product_id" > $2::bigint
    ORDER BY "listed"."product_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ProductId   $orderby=ProductId   $filter=ProductId gt 1   $inlinecount=allpages   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."product_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."product_id" > $2::bigint
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_id" AS "sort_0"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $3::integer AND "listed"."product_id" > $4::bigint
    ORDER BY "listed"."product_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $5::bigint + 1
) AS listed;

-- $select=ProductId   $orderby=ProductId   $filter=ProductId gt 1   page=after
SELECT coalesce(
    json_agg(json_build_array("listed"."product_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_id" AS "sort_0"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer
      AND "listed"."product_id" > $2::bigint
      AND ("listed"."product_id") > ($3::bigint)
    ORDER BY "listed"."product_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $4::bigint + 1
) AS listed;

-- $select=ProductId   $orderby=ProductId   $filter=ProductId gt 1   $inlinecount=allpages   page=after
SELECT coalesce(
    json_agg(json_build_array("listed"."product_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."product_id" > $2::bigint
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_id" AS "sort_0"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $3::integer
      AND "listed"."product_id" > $4::bigint
      AND ("listed"."product_id") > ($5::bigint)
    ORDER BY "listed"."product_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $6::bigint + 1
) AS listed;

-- $select=ProductId   $orderby=ProductId   $filter=ProductId gt 1   page=before
SELECT coalesce(
    json_agg(json_build_array("listed"."product_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_id" AS "sort_0"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer
      AND "listed"."product_id" > $2::bigint
      AND ("listed"."product_id") < ($3::bigint)
    ORDER BY "listed"."product_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $4::bigint + 1
) AS listed;

-- $select=ProductId   $orderby=ProductId   $filter=ProductId gt 1   $inlinecount=allpages   page=before
SELECT coalesce(
    json_agg(json_build_array("listed"."product_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."product_id" > $2::bigint
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_id" AS "sort_0"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $3::integer
      AND "listed"."product_id" > $4::bigint
      AND ("listed"."product_id") < ($5::bigint)
    ORDER BY "listed"."product_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $6::bigint + 1
) AS listed;

-- $select=ProductId   $orderby=ProductId   $filter=ProductId gt 1   page=last
SELECT coalesce(
    json_agg(json_build_array("listed"."product_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."product_id" > $2::bigint
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_id" AS "sort_0"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $3::integer AND "listed"."product_id" > $4::bigint
    ORDER BY "listed"."product_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $5::bigint + 1
) AS listed;

-- $select=ProductId   $orderby=ProductId   $filter=ProductId gt 1   $inlinecount=allpages   page=last
SELECT coalesce(
    json_agg(json_build_array("listed"."product_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."product_id" > $2::bigint
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_id" AS "sort_0"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $3::integer AND "listed"."product_id" > $4::bigint
    ORDER BY "listed"."product_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $5::bigint + 1
) AS listed;

-- $select=ProductId   search=two words   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."product_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_id" AS "sort_0"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer
      AND (
        position(casefold($2::text COLLATE "und-x-icu") IN casefold("listed"."name" COLLATE "und-x-icu")) > 0
        OR position(
          casefold($3::text COLLATE "und-x-icu") IN casefold("listed"."product_id"::text COLLATE "und-x-icu")
        ) > 0
      )
      AND (
        position(casefold($4::text COLLATE "und-x-icu") IN casefold("listed"."name" COLLATE "und-x-icu")) > 0
        OR position(
          casefold($5::text COLLATE "und-x-icu") IN casefold("listed"."product_id"::text COLLATE "und-x-icu")
        ) > 0
      )
    ORDER BY "listed"."product_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $6::bigint + 1
) AS listed;

-- $select=ProductId   search=two words   page=after
SELECT coalesce(
    json_agg(json_build_array("listed"."product_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_id" AS "sort_0"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer
      AND (
        position(casefold($2::text COLLATE "und-x-icu") IN casefold("listed"."name" COLLATE "und-x-icu")) > 0
        OR position(
          casefold($3::text COLLATE "und-x-icu") IN casefold("listed"."product_id"::text COLLATE "und-x-icu")
        ) > 0
      )
      AND (
        position(casefold($4::text COLLATE "und-x-icu") IN casefold("listed"."name" COLLATE "und-x-icu")) > 0
        OR position(
          casefold($5::text COLLATE "und-x-icu") IN casefold("listed"."product_id"::text COLLATE "und-x-icu")
        ) > 0
      )
      AND ("listed"."product_id") > ($6::bigint)
    ORDER BY "listed"."product_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $7::bigint + 1
) AS listed;

-- $select=ProductId   search=two words   page=before
SELECT coalesce(
    json_agg(json_build_array("listed"."product_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_id" AS "sort_0"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer
      AND (
        position(casefold($2::text COLLATE "und-x-icu") IN casefold("listed"."name" COLLATE "und-x-icu")) > 0
        OR position(
          casefold($3::text COLLATE "und-x-icu") IN casefold("listed"."product_id"::text COLLATE "und-x-icu")
        ) > 0
      )
      AND (
        position(casefold($4::text COLLATE "und-x-icu") IN casefold("listed"."name" COLLATE "und-x-icu")) > 0
        OR position(
          casefold($5::text COLLATE "und-x-icu") IN casefold("listed"."product_id"::text COLLATE "und-x-icu")
        ) > 0
      )
      AND ("listed"."product_id") < ($6::bigint)
    ORDER BY "listed"."product_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $7::bigint + 1
) AS listed;

-- $select=ProductId   search=two words   page=last
SELECT coalesce(
    json_agg(json_build_array("listed"."product_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $1::integer
      AND (
        position(casefold($2::text COLLATE "und-x-icu") IN casefold("listed"."name" COLLATE "und-x-icu")) > 0
        OR position(
          casefold($3::text COLLATE "und-x-icu") IN casefold("listed"."product_id"::text COLLATE "und-x-icu")
        ) > 0
      )
      AND (
        position(casefold($4::text COLLATE "und-x-icu") IN casefold("listed"."name" COLLATE "und-x-icu")) > 0
        OR position(
          casefold($5::text COLLATE "und-x-icu") IN casefold("listed"."product_id"::text COLLATE "und-x-icu")
        ) > 0
      )
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_id" AS "sort_0"
    FROM "takt"."products" AS listed
    WHERE "listed"."company_id" = $6::integer
      AND (
        position(casefold($7::text COLLATE "und-x-icu") IN casefold("listed"."name" COLLATE "und-x-icu")) > 0
        OR position(
          casefold($8::text COLLATE "und-x-icu") IN casefold("listed"."product_id"::text COLLATE "und-x-icu")
        ) > 0
      )
      AND (
        position(casefold($9::text COLLATE "und-x-icu") IN casefold("listed"."name" COLLATE "und-x-icu")) > 0
        OR position(
          casefold($10::text COLLATE "und-x-icu") IN casefold("listed"."product_id"::text COLLATE "und-x-icu")
        ) > 0
      )
    ORDER BY "listed"."product_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $11::bigint + 1
) AS listed;
