-- page=first
SELECT coalesce(
    json_agg(
      json_build_array(
        "listed"."application_version_id",
        "listed"."status",
        "listed"."type",
        ("listed"."name" COLLATE "und-x-icu"),
        "listed"."descriptive_name",
        "listed"."description",
        "listed"."namespace",
        "listed"."content_type",
        "listed"."change_description",
        to_char("listed"."created_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        "listed"."scope",
        "listed"."is_changed",
        "listed"."is_pending_deployment",
        json_build_array("listed"."application_id", "listed"."application_version_id"),
        "sort_0"
      )
      ORDER BY "sort_0" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" = $2::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_version_id" AS "sort_0"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $3::integer AND "listed"."application_id" = $4::bigint
    ORDER BY "listed"."application_version_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $5::bigint + 1
) AS listed;

-- $showDomainDescriptions=true   page=first
SELECT coalesce(
    json_agg(
      json_build_array(
        "listed"."application_version_id",
        "listed"."status",
        (
          SELECT jsonb_object_agg(key, coalesce(translations ->> $1::text, description))
          FROM takt.domain_values
          WHERE object = 'Application' AND field = 'Status'
        ) ->> "listed"."status"::text,
        "listed"."type",
        (
          SELECT jsonb_object_agg(key, coalesce(translations ->> $2::text, description))
          FROM takt.domain_values
          WHERE object = 'Application' AND field = 'Type'
        ) ->> "listed"."type"::text,
        ("listed"."name" COLLATE "und-x-icu"),
        "listed"."descriptive_name",
        "listed"."description",
        "listed"."namespace",
        "listed"."content_type",
        (
          SELECT jsonb_object_agg(key, coalesce(translations ->> $3::text, description))
          FROM takt.domain_values
          WHERE object = 'Application' AND field = 'ContentType'
        ) ->> "listed"."content_type"::text,
        "listed"."change_description",
        to_char("listed"."created_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        "listed"."scope",
        (
          SELECT jsonb_object_agg(key, coalesce(translations ->> $4::text, description))
          FROM takt.domain_values
          WHERE object = 'Application' AND field = 'Scope'
        ) ->> "listed"."scope"::text,
        "listed"."is_changed",
        "listed"."is_pending_deployment",
        json_build_array("listed"."application_id", "listed"."application_version_id"),
        "sort_0"
      )
      ORDER BY "sort_0" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $5::integer AND "listed"."application_id" = $6::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_version_id" AS "sort_0"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $7::integer AND "listed"."application_id" = $8::bigint
    ORDER BY "listed"."application_version_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $9::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."application_version_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" = $2::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_version_id" AS "sort_0"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $3::integer AND "listed"."application_id" = $4::bigint
    ORDER BY "listed"."application_version_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $5::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   page=after
SELECT coalesce(
    json_agg(json_build_array("listed"."application_version_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" = $2::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_version_id" AS "sort_0"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $3::integer
      AND "listed"."application_id" = $4::bigint
      AND ("listed"."application_version_id") > ($5::bigint)
    ORDER BY "listed"."application_version_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $6::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   page=before
SELECT coalesce(
    json_agg(json_build_array("listed"."application_version_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" = $2::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_version_id" AS "sort_0"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $3::integer
      AND "listed"."application_id" = $4::bigint
      AND ("listed"."application_version_id") < ($5::bigint)
    ORDER BY "listed"."application_version_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $6::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   page=last
SELECT coalesce(
    json_agg(json_build_array("listed"."application_version_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" = $2::bigint
  ) AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $3::integer AND "listed"."application_id" = $4::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_version_id" AS "sort_0"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $5::integer AND "listed"."application_id" = $6::bigint
    ORDER BY "listed"."application_version_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $7::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   $orderby=ApplicationVersionId   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."application_version_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" = $2::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_version_id" AS "sort_0"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $3::integer AND "listed"."application_id" = $4::bigint
    ORDER BY "listed"."application_version_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $5::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   $orderby=ApplicationVersionId   page=after
SELECT coalesce(
    json_agg(json_build_array("listed"."application_version_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" = $2::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_version_id" AS "sort_0"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $3::integer
      AND "listed"."application_id" = $4::bigint
      AND ("listed"."application_version_id") > ($5::bigint)
    ORDER BY "listed"."application_version_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $6::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   $orderby=ApplicationVersionId   page=before
SELECT coalesce(
    json_agg(json_build_array("listed"."application_version_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" = $2::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_version_id" AS "sort_0"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $3::integer
      AND "listed"."application_id" = $4::bigint
      AND ("listed"."application_version_id") < ($5::bigint)
    ORDER BY "listed"."application_version_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $6::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   $orderby=ApplicationVersionId   page=last
SELECT coalesce(
    json_agg(json_build_array("listed"."application_version_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" = $2::bigint
  ) AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $3::integer AND "listed"."application_id" = $4::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_version_id" AS "sort_0"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $5::integer AND "listed"."application_id" = $6::bigint
    ORDER BY "listed"."application_version_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $7::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   $orderby=ApplicationVersionId desc   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."application_version_id", "sort_0") ORDER BY "sort_0" DESC), '[]'::json
  ) AS rows,
  NULL AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" = $2::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_version_id" AS "sort_0"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $3::integer AND "listed"."application_id" = $4::bigint
    ORDER BY "listed"."application_version_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $5::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   $orderby=ApplicationVersionId desc   page=after
SELECT coalesce(
    json_agg(json_build_array("listed"."application_version_id", "sort_0") ORDER BY "sort_0" DESC), '[]'::json
  ) AS rows,
  NULL AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" = $2::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_version_id" AS "sort_0"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $3::integer
      AND "listed"."application_id" = $4::bigint
      AND ("listed"."application_version_id") < ($5::bigint)
    ORDER BY "listed"."application_version_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $6::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   $orderby=ApplicationVersionId desc   page=before
SELECT coalesce(
    json_agg(json_build_array("listed"."application_version_id", "sort_0") ORDER BY "sort_0" DESC), '[]'::json
  ) AS rows,
  NULL AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" = $2::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_version_id" AS "sort_0"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $3::integer
      AND "listed"."application_id" = $4::bigint
      AND ("listed"."application_version_id") > ($5::bigint)
    ORDER BY "listed"."application_version_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $6::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   $orderby=ApplicationVersionId desc   page=last
SELECT coalesce(
    json_agg(json_build_array("listed"."application_version_id", "sort_0") ORDER BY "sort_0" DESC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" = $2::bigint
  ) AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $3::integer AND "listed"."application_id" = $4::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_version_id" AS "sort_0"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $5::integer AND "listed"."application_id" = $6::bigint
    ORDER BY "listed"."application_version_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $7::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   $orderby=Name   page=first
SELECT coalesce(
    json_agg(
      json_build_array("listed"."application_version_id", "sort_0", "sort_1")
      ORDER BY "sort_0" ASC, "sort_1" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" = $2::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*,
      ("listed"."name" COLLATE "und-x-icu") AS "sort_0",
      "listed"."application_version_id" AS "sort_1"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $3::integer AND "listed"."application_id" = $4::bigint
    ORDER BY ("listed"."name" COLLATE "und-x-icu") ASC, "listed"."application_version_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $5::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   $orderby=Name   page=after
SELECT coalesce(
    json_agg(
      json_build_array("listed"."application_version_id", "sort_0", "sort_1")
      ORDER BY "sort_0" ASC, "sort_1" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" = $2::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*,
      ("listed"."name" COLLATE "und-x-icu") AS "sort_0",
      "listed"."application_version_id" AS "sort_1"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $3::integer
      AND "listed"."application_id" = $4::bigint
      AND (("listed"."name" COLLATE "und-x-icu"), "listed"."application_version_id") > ($5::text, $6::bigint)
    ORDER BY ("listed"."name" COLLATE "und-x-icu") ASC, "listed"."application_version_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $7::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   $orderby=Name   page=before
SELECT coalesce(
    json_agg(
      json_build_array("listed"."application_version_id", "sort_0", "sort_1")
      ORDER BY "sort_0" ASC, "sort_1" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" = $2::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*,
      ("listed"."name" COLLATE "und-x-icu") AS "sort_0",
      "listed"."application_version_id" AS "sort_1"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $3::integer
      AND "listed"."application_id" = $4::bigint
      AND (("listed"."name" COLLATE "und-x-icu"), "listed"."application_version_id") < ($5::text, $6::bigint)
    ORDER BY ("listed"."name" COLLATE "und-x-icu") DESC, "listed"."application_version_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $7::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   $orderby=Name   page=last
SELECT coalesce(
    json_agg(
      json_build_array("listed"."application_version_id", "sort_0", "sort_1")
      ORDER BY "sort_0" ASC, "sort_1" ASC
    ),
    '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" = $2::bigint
  ) AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $3::integer AND "listed"."application_id" = $4::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*,
      ("listed"."name" COLLATE "und-x-icu") AS "sort_0",
      "listed"."application_version_id" AS "sort_1"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $5::integer AND "listed"."application_id" = $6::bigint
    ORDER BY ("listed"."name" COLLATE "und-x-icu") DESC, "listed"."application_version_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $7::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   $orderby=Name desc,ApplicationVersionId   page=first
SELECT coalesce(
    json_agg(
      json_build_array("listed"."application_version_id", "sort_0", "sort_1")
      ORDER BY "sort_0" DESC, "sort_1" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" = $2::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*,
      ("listed"."name" COLLATE "und-x-icu") AS "sort_0",
      "listed"."application_version_id" AS "sort_1"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $3::integer AND "listed"."application_id" = $4::bigint
    ORDER BY ("listed"."name" COLLATE "und-x-icu") DESC, "listed"."application_version_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $5::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   $orderby=Name desc,ApplicationVersionId   page=after
SELECT coalesce(
    json_agg(
      json_build_array("listed"."application_version_id", "sort_0", "sort_1")
      ORDER BY "sort_0" DESC, "sort_1" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" = $2::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*,
      ("listed"."name" COLLATE "und-x-icu") AS "sort_0",
      "listed"."application_version_id" AS "sort_1"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $3::integer
      AND "listed"."application_id" = $4::bigint
      AND ("listed"."name" COLLATE "und-x-icu") <= $5::text
      AND (
        (("listed"."name" COLLATE "und-x-icu") < $6::text)
        OR (
          ("listed"."name" COLLATE "und-x-icu") = $7::text AND "listed"."application_version_id" > $8::bigint
        )
      )
    ORDER BY ("listed"."name" COLLATE "und-x-icu") DESC, "listed"."application_version_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $9::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   $orderby=Name desc,ApplicationVersionId   page=before
SELECT coalesce(
    json_agg(
      json_build_array("listed"."application_version_id", "sort_0", "sort_1")
      ORDER BY "sort_0" DESC, "sort_1" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" = $2::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*,
      ("listed"."name" COLLATE "und-x-icu") AS "sort_0",
      "listed"."application_version_id" AS "sort_1"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $3::integer
      AND "listed"."application_id" = $4::bigint
      AND ("listed"."name" COLLATE "und-x-icu") >= $5::text
      AND (
        (("listed"."name" COLLATE "und-x-icu") > $6::text)
        OR (
          ("listed"."name" COLLATE "und-x-icu") = $7::text AND "listed"."application_version_id" < $8::bigint
        )
      )
    ORDER BY ("listed"."name" COLLATE "und-x-icu") ASC, "listed"."application_version_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $9::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   $orderby=Name desc,ApplicationVersionId   page=last
SELECT coalesce(
    json_agg(
      json_build_array("listed"."application_version_id", "sort_0", "sort_1")
      ORDER BY "sort_0" DESC, "sort_1" ASC
    ),
    '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" = $2::bigint
  ) AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $3::integer AND "listed"."application_id" = $4::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*,
      ("listed"."name" COLLATE "und-x-icu") AS "sort_0",
      "listed"."application_version_id" AS "sort_1"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $5::integer AND "listed"."application_id" = $6::bigint
    ORDER BY ("listed"."name" COLLATE "und-x-icu") ASC, "listed"."application_version_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $7::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   $inlinecount=allpages   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."application_version_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" = $2::bigint
  ) AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $3::integer AND "listed"."application_id" = $4::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_version_id" AS "sort_0"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $5::integer AND "listed"."application_id" = $6::bigint
    ORDER BY "listed"."application_version_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $7::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   $skip=5   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."application_version_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" = $2::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_version_id" AS "sort_0"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $3::integer AND "listed"."application_id" = $4::bigint
    ORDER BY "listed"."application_version_id" ASC
    OFFSET $5::bigint
    LIMIT 81
  ) AS most
  LIMIT $6::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   $skip=5   $filter=ApplicationVersionId gt 1   $inlinecount=allpages   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."application_version_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $1::integer
      AND "listed"."application_id" = $2::bigint
      AND "listed"."application_version_id" > $3::bigint
  ) AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $4::integer AND "listed"."application_id" = $5::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_version_id" AS "sort_0"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $6::integer
      AND "listed"."application_id" = $7::bigint
      AND "listed"."application_version_id" > $8::bigint
    ORDER BY "listed"."application_version_id" ASC
    OFFSET $9::bigint
    LIMIT 81
  ) AS most
  LIMIT $10::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   $orderby=ApplicationVersionId   $filter=ApplicationVersionId gt 1   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."application_version_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" = $2::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_version_id" AS "sort_0"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $3::integer
      AND "listed"."application_id" = $4::bigint
      AND "listed"."application_version_id" > $5::bigint
    ORDER BY "listed"."application_version_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $6::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   $orderby=ApplicationVersionId   $filter=ApplicationVersionId gt 1   $inlinecount=allpages   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."application_version_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $1::integer
      AND "listed"."application_id" = $2::bigint
      AND "listed"."application_version_id" > $3::bigint
  ) AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $4::integer AND "listed"."application_id" = $5::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_version_id" AS "sort_0"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $6::integer
      AND "listed"."application_id" = $7::bigint
      AND "listed"."application_version_id" > $8::bigint
    ORDER BY "listed"."application_version_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $9::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   $orderby=ApplicationVersionId   $filter=ApplicationVersionId gt 1   page=after
SELECT coalesce(
    json_agg(json_build_array("listed"."application_version_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" = $2::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_version_id" AS "sort_0"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $3::integer
      AND "listed"."application_id" = $4::bigint
      AND "listed"."application_version_id" > $5::bigint
      AND ("listed"."application_version_id") > ($6::bigint)
    ORDER BY "listed"."application_version_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $7::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   $orderby=ApplicationVersionId   $filter=ApplicationVersionId gt 1   $inlinecount=allpages   page=after
SELECT coalesce(
    json_agg(json_build_array("listed"."application_version_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $1::integer
      AND "listed"."application_id" = $2::bigint
      AND "listed"."application_version_id" > $3::bigint
  ) AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $4::integer AND "listed"."application_id" = $5::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_version_id" AS "sort_0"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $6::integer
      AND "listed"."application_id" = $7::bigint
      AND "listed"."application_version_id" > $8::bigint
      AND ("listed"."application_version_id") > ($9::bigint)
    ORDER BY "listed"."application_version_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $10::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   $orderby=ApplicationVersionId   $filter=ApplicationVersionId gt 1   page=before
SELECT coalesce(
    json_agg(json_build_array("listed"."application_version_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" = $2::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_version_id" AS "sort_0"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $3::integer
      AND "listed"."application_id" = $4::bigint
      AND "listed"."application_version_id" > $5::bigint
      AND ("listed"."application_version_id") < ($6::bigint)
    ORDER BY "listed"."application_version_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $7::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   $orderby=ApplicationVersionId   $filter=ApplicationVersionId gt 1   $inlinecount=allpages   page=before
SELECT coalesce(
    json_agg(json_build_array("listed"."application_version_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $1::integer
      AND "listed"."application_id" = $2::bigint
      AND "listed"."application_version_id" > $3::bigint
  ) AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $4::integer AND "listed"."application_id" = $5::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_version_id" AS "sort_0"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $6::integer
      AND "listed"."application_id" = $7::bigint
      AND "listed"."application_version_id" > $8::bigint
      AND ("listed"."application_version_id") < ($9::bigint)
    ORDER BY "listed"."application_version_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $10::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   $orderby=ApplicationVersionId   $filter=ApplicationVersionId gt 1   page=last
SELECT coalesce(
    json_agg(json_build_array("listed"."application_version_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $1::integer
      AND "listed"."application_id" = $2::bigint
      AND "listed"."application_version_id" > $3::bigint
  ) AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $4::integer AND "listed"."application_id" = $5::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_version_id" AS "sort_0"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $6::integer
      AND "listed"."application_id" = $7::bigint
      AND "listed"."application_version_id" > $8::bigint
    ORDER BY "listed"."application_version_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $9::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   $orderby=ApplicationVersionId   $filter=ApplicationVersionId gt 1   $inlinecount=allpages   page=last
SELECT coalesce(
    json_agg(json_build_array("listed"."application_version_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $1::integer
      AND "listed"."application_id" = $2::bigint
      AND "listed"."application_version_id" > $3::bigint
  ) AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $4::integer AND "listed"."application_id" = $5::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_version_id" AS "sort_0"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $6::integer
      AND "listed"."application_id" = $7::bigint
      AND "listed"."application_version_id" > $8::bigint
    ORDER BY "listed"."application_version_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $9::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   search=two words   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."application_version_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" = $2::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_version_id" AS "sort_0"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $3::integer
      AND "listed"."application_id" = $4::bigint
      AND (
        position(
          casefold($5::text COLLATE "und-x-icu") IN casefold(
            ("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"
          )
        ) > 0
        OR position(
          casefold($6::text COLLATE "und-x-icu") IN casefold("listed"."descriptive_name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($7::text COLLATE "und-x-icu") IN casefold(
            "listed"."application_version_id"::text COLLATE "und-x-icu"
          )
        ) > 0
      )
      AND (
        position(
          casefold($8::text COLLATE "und-x-icu") IN casefold(
            ("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"
          )
        ) > 0
        OR position(
          casefold($9::text COLLATE "und-x-icu") IN casefold("listed"."descriptive_name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($10::text COLLATE "und-x-icu") IN casefold(
            "listed"."application_version_id"::text COLLATE "und-x-icu"
          )
        ) > 0
      )
    ORDER BY "listed"."application_version_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $11::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   search=two words   page=after
SELECT coalesce(
    json_agg(json_build_array("listed"."application_version_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" = $2::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_version_id" AS "sort_0"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $3::integer
      AND "listed"."application_id" = $4::bigint
      AND (
        position(
          casefold($5::text COLLATE "und-x-icu") IN casefold(
            ("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"
          )
        ) > 0
        OR position(
          casefold($6::text COLLATE "und-x-icu") IN casefold("listed"."descriptive_name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($7::text COLLATE "und-x-icu") IN casefold(
            "listed"."application_version_id"::text COLLATE "und-x-icu"
          )
        ) > 0
      )
      AND (
        position(
          casefold($8::text COLLATE "und-x-icu") IN casefold(
            ("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"
          )
        ) > 0
        OR position(
          casefold($9::text COLLATE "und-x-icu") IN casefold("listed"."descriptive_name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($10::text COLLATE "und-x-icu") IN casefold(
            "listed"."application_version_id"::text COLLATE "und-x-icu"
          )
        ) > 0
      )
      AND ("listed"."application_version_id") > ($11::bigint)
    ORDER BY "listed"."application_version_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $12::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   search=two words   page=before
SELECT coalesce(
    json_agg(json_build_array("listed"."application_version_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" = $2::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_version_id" AS "sort_0"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $3::integer
      AND "listed"."application_id" = $4::bigint
      AND (
        position(
          casefold($5::text COLLATE "und-x-icu") IN casefold(
            ("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"
          )
        ) > 0
        OR position(
          casefold($6::text COLLATE "und-x-icu") IN casefold("listed"."descriptive_name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($7::text COLLATE "und-x-icu") IN casefold(
            "listed"."application_version_id"::text COLLATE "und-x-icu"
          )
        ) > 0
      )
      AND (
        position(
          casefold($8::text COLLATE "und-x-icu") IN casefold(
            ("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"
          )
        ) > 0
        OR position(
          casefold($9::text COLLATE "und-x-icu") IN casefold("listed"."descriptive_name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($10::text COLLATE "und-x-icu") IN casefold(
            "listed"."application_version_id"::text COLLATE "und-x-icu"
          )
        ) > 0
      )
      AND ("listed"."application_version_id") < ($11::bigint)
    ORDER BY "listed"."application_version_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $12::bigint + 1
) AS listed;

-- $select=ApplicationVersionId   search=two words   page=last
SELECT coalesce(
    json_agg(json_build_array("listed"."application_version_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $1::integer
      AND "listed"."application_id" = $2::bigint
      AND (
        position(
          casefold($3::text COLLATE "und-x-icu") IN casefold(
            ("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"
          )
        ) > 0
        OR position(
          casefold($4::text COLLATE "und-x-icu") IN casefold("listed"."descriptive_name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($5::text COLLATE "und-x-icu") IN casefold(
            "listed"."application_version_id"::text COLLATE "und-x-icu"
          )
        ) > 0
      )
      AND (
        position(
          casefold($6::text COLLATE "und-x-icu") IN casefold(
            ("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"
          )
        ) > 0
        OR position(
          casefold($7::text COLLATE "und-x-icu") IN casefold("listed"."descriptive_name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($8::text COLLATE "und-x-icu") IN casefold(
            "listed"."application_version_id"::text COLLATE "und-x-icu"
          )
        ) > 0
      )
  ) AS size,
  EXISTS (
    SELECT
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $9::integer AND "listed"."application_id" = $10::bigint
  ) AS "hasParent"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_version_id" AS "sort_0"
    FROM "takt"."application_versions" AS listed
    WHERE "listed"."company_id" = $11::integer
      AND "listed"."application_id" = $12::bigint
      AND (
        position(
          casefold($13::text COLLATE "und-x-icu") IN casefold(
            ("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"
          )
        ) > 0
        OR position(
          casefold($14::text COLLATE "und-x-icu") IN casefold("listed"."descriptive_name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($15::text COLLATE "und-x-icu") IN casefold(
            "listed"."application_version_id"::text COLLATE "und-x-icu"
          )
        ) > 0
      )
      AND (
        position(
          casefold($16::text COLLATE "und-x-icu") IN casefold(
            ("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"
          )
        ) > 0
        OR position(
          casefold($17::text COLLATE "und-x-icu") IN casefold("listed"."descriptive_name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($18::text COLLATE "und-x-icu") IN casefold(
            "listed"."application_version_id"::text COLLATE "und-x-icu"
          )
        ) > 0
      )
    ORDER BY "listed"."application_version_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $19::bigint + 1
) AS listed;
