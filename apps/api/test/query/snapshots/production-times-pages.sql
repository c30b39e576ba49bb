-- $showDomainDescriptions=true   page=first
SELECT coalesce(
    json_agg(
      json_build_array(
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
        "listed"."run_time",
        "listed"."setup_time",
        "listed"."cleanup_time",
        "listed"."number_of_completed_operations",
        "listed"."average_run_time",
        "listed"."shortest_run_time",
        "listed"."longest_run_time",
        "listed"."deviation_run_time",
        "listed"."average_setup_time",
        "listed"."shortest_setup_time",
        "listed"."longest_setup_time",
        "listed"."deviation_setup_time",
        "listed"."average_cleanup_time",
        "listed"."shortest_cleanup_time",
        "listed"."longest_cleanup_time",
        "listed"."deviation_cleanup_time",
        "sort_0"
      )
      ORDER BY "sort_0" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size,
  current_setting('takt.company_key', true) AS "companyKey"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_structure_version_id" AS "sort_0"
    FROM "takt"."product_structure_versions" AS listed
    WHERE "listed"."company_id" = $4::integer AND "listed"."changed_at" is not null
    ORDER BY "listed"."product_structure_version_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $5::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = $6::integer
  AND "product"."product_id" = "listed"."product_id";

-- $select=ProductStructureVersionId   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."product_structure_version_id", "sort_0") ORDER BY "sort_0" ASC),
    '[]'::json
  ) AS rows,
  NULL AS size,
  current_setting('takt.company_key', true) AS "companyKey"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_structure_version_id" AS "sort_0"
    FROM "takt"."product_structure_versions" AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."changed_at" is not null
    ORDER BY "listed"."product_structure_version_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $2::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = $3::integer
  AND "product"."product_id" = "listed"."product_id";

-- $select=ProductStructureVersionId   page=after
SELECT coalesce(
    json_agg(json_build_array("listed"."product_structure_version_id", "sort_0") ORDER BY "sort_0" ASC),
    '[]'::json
  ) AS rows,
  NULL AS size,
  current_setting('takt.company_key', true) AS "companyKey"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_structure_version_id" AS "sort_0"
    FROM "takt"."product_structure_versions" AS listed
    WHERE "listed"."company_id" = $1::integer
      AND "listed"."changed_at" is not null
      AND ("listed"."product_structure_version_id") > ($2::bigint)
    ORDER BY "listed"."product_structure_version_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = $4::integer
  AND "product"."product_id" = "listed"."product_id";

-- $select=ProductStructureVersionId   page=before
SELECT coalesce(
    json_agg(json_build_array("listed"."product_structure_version_id", "sort_0") ORDER BY "sort_0" ASC),
    '[]'::json
  ) AS rows,
  NULL AS size,
  current_setting('takt.company_key', true) AS "companyKey"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_structure_version_id" AS "sort_0"
    FROM "takt"."product_structure_versions" AS listed
    WHERE "listed"."company_id" = $1::integer
      AND "listed"."changed_at" is not null
      AND ("listed"."product_structure_version_id") < ($2::bigint)
    ORDER BY "listed"."product_structure_version_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = $4::integer
  AND "product"."product_id" = "listed"."product_id";

-- $select=ProductStructureVersionId   page=last
SELECT coalesce(
    json_agg(json_build_array("listed"."product_structure_version_id", "sort_0") ORDER BY "sort_0" ASC),
    '[]'::json
  ) AS rows,
  coalesce(
    (
      SELECT "takt"."list_sizes"."product_structure_versions"
      FROM "takt"."list_sizes"
      WHERE "takt"."list_sizes"."company_id" = $1::integer
    ),
    0
  ) AS size,
  current_setting('takt.company_key', true) AS "companyKey"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_structure_version_id" AS "sort_0"
    FROM "takt"."product_structure_versions" AS listed
    WHERE "listed"."company_id" = $2::integer AND "listed"."changed_at" is not null
    ORDER BY "listed"."product_structure_version_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = $4::integer
  AND "product"."product_id" = "listed"."product_id";

-- $select=ProductStructureVersionId   $orderby=RunTime   page=after
SELECT coalesce(
    json_agg(
      json_build_array("listed"."product_structure_version_id", "sort_0", "sort_1")
      ORDER BY "sort_0" ASC, "sort_1" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size,
  current_setting('takt.company_key', true) AS "companyKey"
FROM (
  SELECT *
  FROM (
    SELECT listed.*,
      greatest("listed"."run_time", -1) AS "sort_0",
      "listed"."product_structure_version_id" AS "sort_1"
    FROM "takt"."product_structure_versions" AS listed
    WHERE "listed"."company_id" = $1::integer
      AND "listed"."changed_at" is not null
      AND (
        greatest("listed"."run_time", -1), "listed"."product_structure_version_id"
      ) > ($2::bigint, $3::bigint)
    ORDER BY greatest("listed"."run_time", -1) ASC, "listed"."product_structure_version_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $4::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = $5::integer
  AND "product"."product_id" = "listed"."product_id";

-- $select=ProductStructureVersionId   $orderby=ProductName desc   page=after
SELECT coalesce(
    json_agg(
      json_build_array("listed"."product_structure_version_id", "sort_0", "sort_1")
      ORDER BY "sort_0" DESC, "sort_1" DESC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size,
  current_setting('takt.company_key', true) AS "companyKey"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_name" AS "sort_0", "listed"."product_structure_version_id" AS "sort_1"
    FROM "takt"."product_structure_versions" AS listed
    WHERE "listed"."company_id" = $1::integer
      AND "listed"."changed_at" is not null
      AND ("listed"."product_name", "listed"."product_structure_version_id") < ($2::text, $3::bigint)
    ORDER BY "listed"."product_name" DESC, "listed"."product_structure_version_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $4::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = $5::integer
  AND "product"."product_id" = "listed"."product_id";

-- $select=ProductStructureVersionId   $orderby=ProductName desc,RunTime   page=after
SELECT coalesce(
    json_agg(
      json_build_array("listed"."product_structure_version_id", "sort_0", "sort_1", "sort_2")
      ORDER BY "sort_0" DESC, "sort_1" ASC, "sort_2" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size,
  current_setting('takt.company_key', true) AS "companyKey"
FROM (
  SELECT *
  FROM (
    SELECT listed.*,
      "listed"."product_name" AS "sort_0",
      greatest("listed"."run_time", -1) AS "sort_1",
      "listed"."product_structure_version_id" AS "sort_2"
    FROM "takt"."product_structure_versions" AS listed
    WHERE "listed"."company_id" = $1::integer
      AND "listed"."changed_at" is not null
      AND "listed"."product_name" <= $2::text
      AND (
        ("listed"."product_name" < $3::text)
        OR ("listed"."product_name" = $4::text AND greatest("listed"."run_time", -1) > $5::bigint)
        OR (
          "listed"."product_name" = $6::text
          AND greatest("listed"."run_time", -1) = $7::bigint
          AND "listed"."product_structure_version_id" > $8::bigint
        )
      )
    ORDER BY "listed"."product_name" DESC,
      greatest("listed"."run_time", -1) ASC,
      "listed"."product_structure_version_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $9::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = $10::integer
  AND "product"."product_id" = "listed"."product_id";

-- $select=ProductStructureVersionId   $skip=5   $filter=RunTime gt 1   $inlinecount=allpages   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."product_structure_version_id", "sort_0") ORDER BY "sort_0" ASC),
    '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."product_structure_versions" AS listed
    WHERE "listed"."company_id" = $1::integer
      AND "listed"."changed_at" is not null
      AND (
        greatest("listed"."run_time", -1) > takt.floor_units($2::bigint, 6)
        AND greatest("listed"."run_time", -1) > '-1'::bigint
      )
  ) AS size,
  current_setting('takt.company_key', true) AS "companyKey"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_structure_version_id" AS "sort_0"
    FROM "takt"."product_structure_versions" AS listed
    WHERE "listed"."company_id" = $3::integer
      AND "listed"."changed_at" is not null
      AND (
        greatest("listed"."run_time", -1) > takt.floor_units($4::bigint, 6)
        AND greatest("listed"."run_time", -1) > '-1'::bigint
      )
    ORDER BY "listed"."product_structure_version_id" ASC
    OFFSET $5::bigint
    LIMIT 81
  ) AS most
  LIMIT $6::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = $7::integer
  AND "product"."product_id" = "listed"."product_id";

-- $select=ProductStructureVersionId   $inlinecount=allpages   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."product_structure_version_id", "sort_0") ORDER BY "sort_0" ASC),
    '[]'::json
  ) AS rows,
  coalesce(
    (
      SELECT "takt"."list_sizes"."product_structure_versions"
      FROM "takt"."list_sizes"
      WHERE "takt"."list_sizes"."company_id" = $1::integer
    ),
    0
  ) AS size,
  current_setting('takt.company_key', true) AS "companyKey"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_structure_version_id" AS "sort_0"
    FROM "takt"."product_structure_versions" AS listed
    WHERE "listed"."company_id" = $2::integer AND "listed"."changed_at" is not null
    ORDER BY "listed"."product_structure_version_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = $4::integer
  AND "product"."product_id" = "listed"."product_id";

-- $select=ProductStructureVersionId   search=two words   page=before
SELECT coalesce(
    json_agg(json_build_array("listed"."product_structure_version_id", "sort_0") ORDER BY "sort_0" ASC),
    '[]'::json
  ) AS rows,
  NULL AS size,
  current_setting('takt.company_key', true) AS "companyKey"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_structure_version_id" AS "sort_0"
    FROM "takt"."product_structure_versions" AS listed
    WHERE "listed"."company_id" = $1::integer
      AND "listed"."changed_at" is not null
      AND (
        CASE WHEN takt.are_few_structure_versions(
          ARRAY['%' || regexp_replace(takt.plain_text($2::text), '([\\%_])', '\\\1', 'g') || '%',
          '%' || regexp_replace(takt.plain_text($3::text), '([\\%_])', '\\\1', 'g') || '%']
        ) THEN "listed"."product_structure_version_id" = ANY (
          (
            SELECT takt.find_structure_versions(
              ARRAY['%' || regexp_replace(takt.plain_text($4::text), '([\\%_])', '\\\1', 'g') || '%',
              '%' || regexp_replace(takt.plain_text($5::text), '([\\%_])', '\\\1', 'g') || '%']
            )
          )::bigint[]
        ) ELSE (
          position(takt.plain_text($6::text) IN takt.spellings("listed"."product_name")) > 0
          OR position(takt.plain_text($7::text) IN takt.spellings("listed"."name")) > 0
          OR position(takt.plain_text($8::text) IN "listed"."product_id"::text) > 0
          OR position(takt.plain_text($9::text) IN "listed"."product_structure_version_id"::text) > 0
        )
        AND (
          position(takt.plain_text($10::text) IN takt.spellings("listed"."product_name")) > 0
          OR position(takt.plain_text($11::text) IN takt.spellings("listed"."name")) > 0
          OR position(takt.plain_text($12::text) IN "listed"."product_id"::text) > 0
          OR position(takt.plain_text($13::text) IN "listed"."product_structure_version_id"::text) > 0
        ) END
      )
      AND ("listed"."product_structure_version_id") < ($14::bigint)
    ORDER BY "listed"."product_structure_version_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $15::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = $16::integer
  AND "product"."product_id" = "listed"."product_id";
