-- page=first
SELECT coalesce(
    json_agg(
      json_build_array(
        listed.suggestion,
        "listed"."product_structure_version_id",
        "listed"."status",
        "listed"."name",
        "listed"."version",
        "listed"."revision",
        "listed"."product_id",
        "product"."status",
        "listed"."product_name",
        "product"."type",
        "product"."description",
        "listed"."product_id",
        "listed"."product_structure_version_id",
        listed.kind,
        listed.planned,
        listed.suggested,
        (listed.suggested - listed.planned),
        listed.over_plan_percent,
        listed.operations,
        listed.hours_over_plan,
        listed.hours_a_year,
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
    SELECT listed.*, listed.suggestion AS "sort_0"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
    ORDER BY listed.suggestion ASC
    LIMIT 81
  ) AS most
  LIMIT $2::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $showDomainDescriptions=true   page=first
SELECT coalesce(
    json_agg(
      json_build_array(
        listed.suggestion,
        "listed"."product_structure_version_id",
        "listed"."status",
        (
          SELECT jsonb_object_agg(key, coalesce(translations ->> $1::text, description))
          FROM takt.domain_values
          WHERE object = 'ProductStructureVersion' AND field = 'Status'
        ) ->> "listed"."status"::text,
        "listed"."name",
        "listed"."version",
        "listed"."revision",
        "listed"."product_id",
        "product"."status",
        (
          SELECT jsonb_object_agg(key, coalesce(translations ->> $2::text, description))
          FROM takt.domain_values
          WHERE object = 'Product' AND field = 'Status'
        ) ->> "product"."status"::text,
        "listed"."product_name",
        "product"."type",
        (
          SELECT jsonb_object_agg(key, coalesce(translations ->> $3::text, description))
          FROM takt.domain_values
          WHERE object = 'Product' AND field = 'Type'
        ) ->> "product"."type"::text,
        "product"."description",
        "listed"."product_id",
        "listed"."product_structure_version_id",
        listed.kind,
        (
          SELECT jsonb_object_agg(key, coalesce(translations ->> $4::text, description))
          FROM takt.domain_values
          WHERE object = 'PlanSuggestion' AND field = 'Kind'
        ) ->> listed.kind::text,
        listed.planned,
        listed.suggested,
        (listed.suggested - listed.planned),
        listed.over_plan_percent,
        listed.operations,
        listed.hours_over_plan,
        listed.hours_a_year,
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
    SELECT listed.*, listed.suggestion AS "sort_0"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $5::integer
    ORDER BY listed.suggestion ASC
    LIMIT 81
  ) AS most
  LIMIT $6::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   page=first
SELECT coalesce(
    json_agg(json_build_array(listed.suggestion, "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, listed.suggestion AS "sort_0"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
    ORDER BY listed.suggestion ASC
    LIMIT 81
  ) AS most
  LIMIT $2::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   page=after
SELECT coalesce(
    json_agg(json_build_array(listed.suggestion, "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, listed.suggestion AS "sort_0"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer AND (listed.suggestion) > ($2::text)
    ORDER BY listed.suggestion ASC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   page=before
SELECT coalesce(
    json_agg(json_build_array(listed.suggestion, "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, listed.suggestion AS "sort_0"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer AND (listed.suggestion) < ($2::text)
    ORDER BY listed.suggestion DESC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   page=last
SELECT coalesce(
    json_agg(json_build_array(listed.suggestion, "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, listed.suggestion AS "sort_0"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $2::integer
    ORDER BY listed.suggestion DESC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   $orderby=PlannedTime   page=first
SELECT coalesce(
    json_agg(json_build_array(listed.suggestion, "sort_0", "sort_1") ORDER BY "sort_0" ASC, "sort_1" ASC),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, greatest(listed.planned, -1) AS "sort_0", listed.suggestion AS "sort_1"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
    ORDER BY greatest(listed.planned, -1) ASC, listed.suggestion ASC
    LIMIT 81
  ) AS most
  LIMIT $2::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   $orderby=PlannedTime   page=after
SELECT coalesce(
    json_agg(json_build_array(listed.suggestion, "sort_0", "sort_1") ORDER BY "sort_0" ASC, "sort_1" ASC),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, greatest(listed.planned, -1) AS "sort_0", listed.suggestion AS "sort_1"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
      AND (greatest(listed.planned, -1), listed.suggestion) > ($2::bigint, $3::text)
    ORDER BY greatest(listed.planned, -1) ASC, listed.suggestion ASC
    LIMIT 81
  ) AS most
  LIMIT $4::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   $orderby=PlannedTime   page=before
SELECT coalesce(
    json_agg(json_build_array(listed.suggestion, "sort_0", "sort_1") ORDER BY "sort_0" ASC, "sort_1" ASC),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, greatest(listed.planned, -1) AS "sort_0", listed.suggestion AS "sort_1"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
      AND (greatest(listed.planned, -1), listed.suggestion) < ($2::bigint, $3::text)
    ORDER BY greatest(listed.planned, -1) DESC, listed.suggestion DESC
    LIMIT 81
  ) AS most
  LIMIT $4::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   $orderby=PlannedTime   page=last
SELECT coalesce(
    json_agg(json_build_array(listed.suggestion, "sort_0", "sort_1") ORDER BY "sort_0" ASC, "sort_1" ASC),
    '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, greatest(listed.planned, -1) AS "sort_0", listed.suggestion AS "sort_1"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $2::integer
    ORDER BY greatest(listed.planned, -1) DESC, listed.suggestion DESC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   $orderby=PlannedTime desc   page=first
SELECT coalesce(
    json_agg(json_build_array(listed.suggestion, "sort_0", "sort_1") ORDER BY "sort_0" DESC, "sort_1" DESC),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, greatest(listed.planned, -1) AS "sort_0", listed.suggestion AS "sort_1"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
    ORDER BY greatest(listed.planned, -1) DESC, listed.suggestion DESC
    LIMIT 81
  ) AS most
  LIMIT $2::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   $orderby=PlannedTime desc   page=after
SELECT coalesce(
    json_agg(json_build_array(listed.suggestion, "sort_0", "sort_1") ORDER BY "sort_0" DESC, "sort_1" DESC),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, greatest(listed.planned, -1) AS "sort_0", listed.suggestion AS "sort_1"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
      AND (greatest(listed.planned, -1), listed.suggestion) < ($2::bigint, $3::text)
    ORDER BY greatest(listed.planned, -1) DESC, listed.suggestion DESC
    LIMIT 81
  ) AS most
  LIMIT $4::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   $orderby=PlannedTime desc   page=before
SELECT coalesce(
    json_agg(json_build_array(listed.suggestion, "sort_0", "sort_1") ORDER BY "sort_0" DESC, "sort_1" DESC),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, greatest(listed.planned, -1) AS "sort_0", listed.suggestion AS "sort_1"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
      AND (greatest(listed.planned, -1), listed.suggestion) > ($2::bigint, $3::text)
    ORDER BY greatest(listed.planned, -1) ASC, listed.suggestion ASC
    LIMIT 81
  ) AS most
  LIMIT $4::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   $orderby=PlannedTime desc   page=last
SELECT coalesce(
    json_agg(json_build_array(listed.suggestion, "sort_0", "sort_1") ORDER BY "sort_0" DESC, "sort_1" DESC),
    '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, greatest(listed.planned, -1) AS "sort_0", listed.suggestion AS "sort_1"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $2::integer
    ORDER BY greatest(listed.planned, -1) ASC, listed.suggestion ASC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   $orderby=ProductName   page=first
SELECT coalesce(
    json_agg(json_build_array(listed.suggestion, "sort_0", "sort_1") ORDER BY "sort_0" ASC, "sort_1" ASC),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_name" AS "sort_0", listed.suggestion AS "sort_1"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
    ORDER BY "listed"."product_name" ASC, listed.suggestion ASC
    LIMIT 81
  ) AS most
  LIMIT $2::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   $orderby=ProductName   page=after
SELECT coalesce(
    json_agg(json_build_array(listed.suggestion, "sort_0", "sort_1") ORDER BY "sort_0" ASC, "sort_1" ASC),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_name" AS "sort_0", listed.suggestion AS "sort_1"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
      AND ("listed"."product_name", listed.suggestion) > ($2::text, $3::text)
    ORDER BY "listed"."product_name" ASC, listed.suggestion ASC
    LIMIT 81
  ) AS most
  LIMIT $4::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   $orderby=ProductName   page=before
SELECT coalesce(
    json_agg(json_build_array(listed.suggestion, "sort_0", "sort_1") ORDER BY "sort_0" ASC, "sort_1" ASC),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_name" AS "sort_0", listed.suggestion AS "sort_1"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
      AND ("listed"."product_name", listed.suggestion) < ($2::text, $3::text)
    ORDER BY "listed"."product_name" DESC, listed.suggestion DESC
    LIMIT 81
  ) AS most
  LIMIT $4::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   $orderby=ProductName   page=last
SELECT coalesce(
    json_agg(json_build_array(listed.suggestion, "sort_0", "sort_1") ORDER BY "sort_0" ASC, "sort_1" ASC),
    '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_name" AS "sort_0", listed.suggestion AS "sort_1"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $2::integer
    ORDER BY "listed"."product_name" DESC, listed.suggestion DESC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   $orderby=ProductName desc,PlannedTime   page=first
SELECT coalesce(
    json_agg(
      json_build_array(listed.suggestion, "sort_0", "sort_1", "sort_2")
      ORDER BY "sort_0" DESC, "sort_1" ASC, "sort_2" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*,
      "listed"."product_name" AS "sort_0",
      greatest(listed.planned, -1) AS "sort_1",
      listed.suggestion AS "sort_2"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
    ORDER BY "listed"."product_name" DESC, greatest(listed.planned, -1) ASC, listed.suggestion ASC
    LIMIT 81
  ) AS most
  LIMIT $2::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   $orderby=ProductName desc,PlannedTime   page=after
SELECT coalesce(
    json_agg(
      json_build_array(listed.suggestion, "sort_0", "sort_1", "sort_2")
      ORDER BY "sort_0" DESC, "sort_1" ASC, "sort_2" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*,
      "listed"."product_name" AS "sort_0",
      greatest(listed.planned, -1) AS "sort_1",
      listed.suggestion AS "sort_2"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
      AND "listed"."product_name" <= $2::text
      AND (
        ("listed"."product_name" < $3::text)
        OR ("listed"."product_name" = $4::text AND greatest(listed.planned, -1) > $5::bigint)
        OR (
          "listed"."product_name" = $6::text
          AND greatest(listed.planned, -1) = $7::bigint
          AND listed.suggestion > $8::text
        )
      )
    ORDER BY "listed"."product_name" DESC, greatest(listed.planned, -1) ASC, listed.suggestion ASC
    LIMIT 81
  ) AS most
  LIMIT $9::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   $orderby=ProductName desc,PlannedTime   page=before
SELECT coalesce(
    json_agg(
      json_build_array(listed.suggestion, "sort_0", "sort_1", "sort_2")
      ORDER BY "sort_0" DESC, "sort_1" ASC, "sort_2" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*,
      "listed"."product_name" AS "sort_0",
      greatest(listed.planned, -1) AS "sort_1",
      listed.suggestion AS "sort_2"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
      AND "listed"."product_name" >= $2::text
      AND (
        ("listed"."product_name" > $3::text)
        OR ("listed"."product_name" = $4::text AND greatest(listed.planned, -1) < $5::bigint)
        OR (
          "listed"."product_name" = $6::text
          AND greatest(listed.planned, -1) = $7::bigint
          AND listed.suggestion < $8::text
        )
      )
    ORDER BY "listed"."product_name" ASC, greatest(listed.planned, -1) DESC, listed.suggestion DESC
    LIMIT 81
  ) AS most
  LIMIT $9::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   $orderby=ProductName desc,PlannedTime   page=last
SELECT coalesce(
    json_agg(
      json_build_array(listed.suggestion, "sort_0", "sort_1", "sort_2")
      ORDER BY "sort_0" DESC, "sort_1" ASC, "sort_2" ASC
    ),
    '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*,
      "listed"."product_name" AS "sort_0",
      greatest(listed.planned, -1) AS "sort_1",
      listed.suggestion AS "sort_2"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $2::integer
    ORDER BY "listed"."product_name" ASC, greatest(listed.planned, -1) DESC, listed.suggestion DESC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   $inlinecount=allpages   page=first
SELECT coalesce(
    json_agg(json_build_array(listed.suggestion, "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, listed.suggestion AS "sort_0"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $2::integer
    ORDER BY listed.suggestion ASC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   $skip=5   page=first
SELECT coalesce(
    json_agg(json_build_array(listed.suggestion, "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, listed.suggestion AS "sort_0"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
    ORDER BY listed.suggestion ASC
    OFFSET $2::bigint
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   $skip=5   $filter=PlannedTime gt 1   $inlinecount=allpages   page=first
SELECT coalesce(
    json_agg(json_build_array(listed.suggestion, "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
      AND (
        greatest(listed.planned, -1) > takt.floor_units($2::bigint, 6)
        AND greatest(listed.planned, -1) > '-1'::bigint
      )
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, listed.suggestion AS "sort_0"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $3::integer
      AND (
        greatest(listed.planned, -1) > takt.floor_units($4::bigint, 6)
        AND greatest(listed.planned, -1) > '-1'::bigint
      )
    ORDER BY listed.suggestion ASC
    OFFSET $5::bigint
    LIMIT 81
  ) AS most
  LIMIT $6::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   $orderby=PlannedTime   $filter=PlannedTime gt 1   page=first
SELECT coalesce(
    json_agg(json_build_array(listed.suggestion, "sort_0", "sort_1") ORDER BY "sort_0" ASC, "sort_1" ASC),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, greatest(listed.planned, -1) AS "sort_0", listed.suggestion AS "sort_1"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
      AND (
        greatest(listed.planned, -1) > takt.floor_units($2::bigint, 6)
        AND greatest(listed.planned, -1) > '-1'::bigint
      )
    ORDER BY greatest(listed.planned, -1) ASC, listed.suggestion ASC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   $orderby=PlannedTime   $filter=PlannedTime gt 1   $inlinecount=allpages   page=first
SELECT coalesce(
    json_agg(json_build_array(listed.suggestion, "sort_0", "sort_1") ORDER BY "sort_0" ASC, "sort_1" ASC),
    '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
      AND (
        greatest(listed.planned, -1) > takt.floor_units($2::bigint, 6)
        AND greatest(listed.planned, -1) > '-1'::bigint
      )
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, greatest(listed.planned, -1) AS "sort_0", listed.suggestion AS "sort_1"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $3::integer
      AND (
        greatest(listed.planned, -1) > takt.floor_units($4::bigint, 6)
        AND greatest(listed.planned, -1) > '-1'::bigint
      )
    ORDER BY greatest(listed.planned, -1) ASC, listed.suggestion ASC
    LIMIT 81
  ) AS most
  LIMIT $5::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   $orderby=PlannedTime   $filter=PlannedTime gt 1   page=after
SELECT coalesce(
    json_agg(json_build_array(listed.suggestion, "sort_0", "sort_1") ORDER BY "sort_0" ASC, "sort_1" ASC),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, greatest(listed.planned, -1) AS "sort_0", listed.suggestion AS "sort_1"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
      AND (
        greatest(listed.planned, -1) > takt.floor_units($2::bigint, 6)
        AND greatest(listed.planned, -1) > '-1'::bigint
      )
      AND (greatest(listed.planned, -1), listed.suggestion) > ($3::bigint, $4::text)
    ORDER BY greatest(listed.planned, -1) ASC, listed.suggestion ASC
    LIMIT 81
  ) AS most
  LIMIT $5::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   $orderby=PlannedTime   $filter=PlannedTime gt 1   $inlinecount=allpages   page=after
SELECT coalesce(
    json_agg(json_build_array(listed.suggestion, "sort_0", "sort_1") ORDER BY "sort_0" ASC, "sort_1" ASC),
    '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
      AND (
        greatest(listed.planned, -1) > takt.floor_units($2::bigint, 6)
        AND greatest(listed.planned, -1) > '-1'::bigint
      )
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, greatest(listed.planned, -1) AS "sort_0", listed.suggestion AS "sort_1"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $3::integer
      AND (
        greatest(listed.planned, -1) > takt.floor_units($4::bigint, 6)
        AND greatest(listed.planned, -1) > '-1'::bigint
      )
      AND (greatest(listed.planned, -1), listed.suggestion) > ($5::bigint, $6::text)
    ORDER BY greatest(listed.planned, -1) ASC, listed.suggestion ASC
    LIMIT 81
  ) AS most
  LIMIT $7::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   $orderby=PlannedTime   $filter=PlannedTime gt 1   page=before
SELECT coalesce(
    json_agg(json_build_array(listed.suggestion, "sort_0", "sort_1") ORDER BY "sort_0" ASC, "sort_1" ASC),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, greatest(listed.planned, -1) AS "sort_0", listed.suggestion AS "sort_1"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
      AND (
        greatest(listed.planned, -1) > takt.floor_units($2::bigint, 6)
        AND greatest(listed.planned, -1) > '-1'::bigint
      )
      AND (greatest(listed.planned, -1), listed.suggestion) < ($3::bigint, $4::text)
    ORDER BY greatest(listed.planned, -1) DESC, listed.suggestion DESC
    LIMIT 81
  ) AS most
  LIMIT $5::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   $orderby=PlannedTime   $filter=PlannedTime gt 1   $inlinecount=allpages   page=before
SELECT coalesce(
    json_agg(json_build_array(listed.suggestion, "sort_0", "sort_1") ORDER BY "sort_0" ASC, "sort_1" ASC),
    '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
      AND (
        greatest(listed.planned, -1) > takt.floor_units($2::bigint, 6)
        AND greatest(listed.planned, -1) > '-1'::bigint
      )
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, greatest(listed.planned, -1) AS "sort_0", listed.suggestion AS "sort_1"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $3::integer
      AND (
        greatest(listed.planned, -1) > takt.floor_units($4::bigint, 6)
        AND greatest(listed.planned, -1) > '-1'::bigint
      )
      AND (greatest(listed.planned, -1), listed.suggestion) < ($5::bigint, $6::text)
    ORDER BY greatest(listed.planned, -1) DESC, listed.suggestion DESC
    LIMIT 81
  ) AS most
  LIMIT $7::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   $orderby=PlannedTime   $filter=PlannedTime gt 1   page=last
SELECT coalesce(
    json_agg(json_build_array(listed.suggestion, "sort_0", "sort_1") ORDER BY "sort_0" ASC, "sort_1" ASC),
    '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
      AND (
        greatest(listed.planned, -1) > takt.floor_units($2::bigint, 6)
        AND greatest(listed.planned, -1) > '-1'::bigint
      )
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, greatest(listed.planned, -1) AS "sort_0", listed.suggestion AS "sort_1"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $3::integer
      AND (
        greatest(listed.planned, -1) > takt.floor_units($4::bigint, 6)
        AND greatest(listed.planned, -1) > '-1'::bigint
      )
    ORDER BY greatest(listed.planned, -1) DESC, listed.suggestion DESC
    LIMIT 81
  ) AS most
  LIMIT $5::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   $orderby=PlannedTime   $filter=PlannedTime gt 1   $inlinecount=allpages   page=last
SELECT coalesce(
    json_agg(json_build_array(listed.suggestion, "sort_0", "sort_1") ORDER BY "sort_0" ASC, "sort_1" ASC),
    '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
      AND (
        greatest(listed.planned, -1) > takt.floor_units($2::bigint, 6)
        AND greatest(listed.planned, -1) > '-1'::bigint
      )
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, greatest(listed.planned, -1) AS "sort_0", listed.suggestion AS "sort_1"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $3::integer
      AND (
        greatest(listed.planned, -1) > takt.floor_units($4::bigint, 6)
        AND greatest(listed.planned, -1) > '-1'::bigint
      )
    ORDER BY greatest(listed.planned, -1) DESC, listed.suggestion DESC
    LIMIT 81
  ) AS most
  LIMIT $5::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   search=two words   page=first
SELECT coalesce(
    json_agg(json_build_array(listed.suggestion, "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, listed.suggestion AS "sort_0"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
      AND (
        position(
          casefold($2::text COLLATE "und-x-icu") IN casefold("listed"."product_name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($3::text COLLATE "und-x-icu") IN casefold("listed"."name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($4::text COLLATE "und-x-icu") IN casefold(
            "listed"."product_structure_version_id"::text COLLATE "und-x-icu"
          )
        ) > 0
        OR position(
          casefold($5::text COLLATE "und-x-icu") IN casefold("listed"."product_id"::text COLLATE "und-x-icu")
        ) > 0
      )
      AND (
        position(
          casefold($6::text COLLATE "und-x-icu") IN casefold("listed"."product_name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($7::text COLLATE "und-x-icu") IN casefold("listed"."name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($8::text COLLATE "und-x-icu") IN casefold(
            "listed"."product_structure_version_id"::text COLLATE "und-x-icu"
          )
        ) > 0
        OR position(
          casefold($9::text COLLATE "und-x-icu") IN casefold("listed"."product_id"::text COLLATE "und-x-icu")
        ) > 0
      )
    ORDER BY listed.suggestion ASC
    LIMIT 81
  ) AS most
  LIMIT $10::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   search=two words   page=after
SELECT coalesce(
    json_agg(json_build_array(listed.suggestion, "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, listed.suggestion AS "sort_0"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
      AND (
        position(
          casefold($2::text COLLATE "und-x-icu") IN casefold("listed"."product_name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($3::text COLLATE "und-x-icu") IN casefold("listed"."name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($4::text COLLATE "und-x-icu") IN casefold(
            "listed"."product_structure_version_id"::text COLLATE "und-x-icu"
          )
        ) > 0
        OR position(
          casefold($5::text COLLATE "und-x-icu") IN casefold("listed"."product_id"::text COLLATE "und-x-icu")
        ) > 0
      )
      AND (
        position(
          casefold($6::text COLLATE "und-x-icu") IN casefold("listed"."product_name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($7::text COLLATE "und-x-icu") IN casefold("listed"."name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($8::text COLLATE "und-x-icu") IN casefold(
            "listed"."product_structure_version_id"::text COLLATE "und-x-icu"
          )
        ) > 0
        OR position(
          casefold($9::text COLLATE "und-x-icu") IN casefold("listed"."product_id"::text COLLATE "und-x-icu")
        ) > 0
      )
      AND (listed.suggestion) > ($10::text)
    ORDER BY listed.suggestion ASC
    LIMIT 81
  ) AS most
  LIMIT $11::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   search=two words   page=before
SELECT coalesce(
    json_agg(json_build_array(listed.suggestion, "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, listed.suggestion AS "sort_0"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
      AND (
        position(
          casefold($2::text COLLATE "und-x-icu") IN casefold("listed"."product_name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($3::text COLLATE "und-x-icu") IN casefold("listed"."name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($4::text COLLATE "und-x-icu") IN casefold(
            "listed"."product_structure_version_id"::text COLLATE "und-x-icu"
          )
        ) > 0
        OR position(
          casefold($5::text COLLATE "und-x-icu") IN casefold("listed"."product_id"::text COLLATE "und-x-icu")
        ) > 0
      )
      AND (
        position(
          casefold($6::text COLLATE "und-x-icu") IN casefold("listed"."product_name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($7::text COLLATE "und-x-icu") IN casefold("listed"."name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($8::text COLLATE "und-x-icu") IN casefold(
            "listed"."product_structure_version_id"::text COLLATE "und-x-icu"
          )
        ) > 0
        OR position(
          casefold($9::text COLLATE "und-x-icu") IN casefold("listed"."product_id"::text COLLATE "und-x-icu")
        ) > 0
      )
      AND (listed.suggestion) < ($10::text)
    ORDER BY listed.suggestion DESC
    LIMIT 81
  ) AS most
  LIMIT $11::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";

-- $select=PlanSuggestionId   search=two words   page=last
SELECT coalesce(
    json_agg(json_build_array(listed.suggestion, "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $1::integer
      AND (
        position(
          casefold($2::text COLLATE "und-x-icu") IN casefold("listed"."product_name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($3::text COLLATE "und-x-icu") IN casefold("listed"."name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($4::text COLLATE "und-x-icu") IN casefold(
            "listed"."product_structure_version_id"::text COLLATE "und-x-icu"
          )
        ) > 0
        OR position(
          casefold($5::text COLLATE "und-x-icu") IN casefold("listed"."product_id"::text COLLATE "und-x-icu")
        ) > 0
      )
      AND (
        position(
          casefold($6::text COLLATE "und-x-icu") IN casefold("listed"."product_name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($7::text COLLATE "und-x-icu") IN casefold("listed"."name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($8::text COLLATE "und-x-icu") IN casefold(
            "listed"."product_structure_version_id"::text COLLATE "und-x-icu"
          )
        ) > 0
        OR position(
          casefold($9::text COLLATE "und-x-icu") IN casefold("listed"."product_id"::text COLLATE "und-x-icu")
        ) > 0
      )
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, listed.suggestion AS "sort_0"
    FROM takt.plan_suggestions(20, 10) AS listed
    WHERE "listed"."company_id" = $10::integer
      AND (
        position(
          casefold($11::text COLLATE "und-x-icu") IN casefold("listed"."product_name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($12::text COLLATE "und-x-icu") IN casefold("listed"."name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($13::text COLLATE "und-x-icu") IN casefold(
            "listed"."product_structure_version_id"::text COLLATE "und-x-icu"
          )
        ) > 0
        OR position(
          casefold($14::text COLLATE "und-x-icu") IN casefold("listed"."product_id"::text COLLATE "und-x-icu")
        ) > 0
      )
      AND (
        position(
          casefold($15::text COLLATE "und-x-icu") IN casefold("listed"."product_name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($16::text COLLATE "und-x-icu") IN casefold("listed"."name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($17::text COLLATE "und-x-icu") IN casefold(
            "listed"."product_structure_version_id"::text COLLATE "und-x-icu"
          )
        ) > 0
        OR position(
          casefold($18::text COLLATE "und-x-icu") IN casefold("listed"."product_id"::text COLLATE "und-x-icu")
        ) > 0
      )
    ORDER BY listed.suggestion DESC
    LIMIT 81
  ) AS most
  LIMIT $19::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id";
