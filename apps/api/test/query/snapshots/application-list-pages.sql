-- page=first
SELECT coalesce(
    json_agg(
      json_build_array(
        "listed"."application_id",
        "listed"."status",
        "listed"."type",
        ("listed"."name" COLLATE "und-x-icu"),
        "listed"."descriptive_name",
        "listed"."description",
        "listed"."namespace",
        listed.number_of_versions,
        json_build_array("listed"."application_id", "listed"."application_version_id"),
        "listed"."application_id",
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
    SELECT listed.*, "listed"."application_id" AS "sort_0"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer
    ORDER BY "listed"."application_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $2::bigint + 1
) AS listed;

-- $showDomainDescriptions=true   page=first
SELECT coalesce(
    json_agg(
      json_build_array(
        "listed"."application_id",
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
        listed.number_of_versions,
        json_build_array("listed"."application_id", "listed"."application_version_id"),
        "listed"."application_id",
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
    SELECT listed.*, "listed"."application_id" AS "sort_0"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $3::integer
    ORDER BY "listed"."application_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $4::bigint + 1
) AS listed;

-- $select=ApplicationId   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."application_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_id" AS "sort_0"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer
    ORDER BY "listed"."application_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $2::bigint + 1
) AS listed;

-- $select=ApplicationId   page=after
SELECT coalesce(
    json_agg(json_build_array("listed"."application_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_id" AS "sort_0"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND ("listed"."application_id") > ($2::bigint)
    ORDER BY "listed"."application_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ApplicationId   page=before
SELECT coalesce(
    json_agg(json_build_array("listed"."application_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_id" AS "sort_0"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND ("listed"."application_id") < ($2::bigint)
    ORDER BY "listed"."application_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ApplicationId   page=last
SELECT coalesce(
    json_agg(json_build_array("listed"."application_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_id" AS "sort_0"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $2::integer
    ORDER BY "listed"."application_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ApplicationId   $orderby=ApplicationId   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."application_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_id" AS "sort_0"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer
    ORDER BY "listed"."application_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $2::bigint + 1
) AS listed;

-- $select=ApplicationId   $orderby=ApplicationId   page=after
SELECT coalesce(
    json_agg(json_build_array("listed"."application_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_id" AS "sort_0"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND ("listed"."application_id") > ($2::bigint)
    ORDER BY "listed"."application_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ApplicationId   $orderby=ApplicationId   page=before
SELECT coalesce(
    json_agg(json_build_array("listed"."application_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_id" AS "sort_0"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND ("listed"."application_id") < ($2::bigint)
    ORDER BY "listed"."application_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ApplicationId   $orderby=ApplicationId   page=last
SELECT coalesce(
    json_agg(json_build_array("listed"."application_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_id" AS "sort_0"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $2::integer
    ORDER BY "listed"."application_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ApplicationId   $orderby=ApplicationId desc   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."application_id", "sort_0") ORDER BY "sort_0" DESC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_id" AS "sort_0"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer
    ORDER BY "listed"."application_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $2::bigint + 1
) AS listed;

-- $select=ApplicationId   $orderby=ApplicationId desc   page=after
SELECT coalesce(
    json_agg(json_build_array("listed"."application_id", "sort_0") ORDER BY "sort_0" DESC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_id" AS "sort_0"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND ("listed"."application_id") < ($2::bigint)
    ORDER BY "listed"."application_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ApplicationId   $orderby=ApplicationId desc   page=before
SELECT coalesce(
    json_agg(json_build_array("listed"."application_id", "sort_0") ORDER BY "sort_0" DESC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_id" AS "sort_0"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND ("listed"."application_id") > ($2::bigint)
    ORDER BY "listed"."application_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ApplicationId   $orderby=ApplicationId desc   page=last
SELECT coalesce(
    json_agg(json_build_array("listed"."application_id", "sort_0") ORDER BY "sort_0" DESC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_id" AS "sort_0"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $2::integer
    ORDER BY "listed"."application_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ApplicationId   $orderby=Name   page=first
SELECT coalesce(
    json_agg(
      json_build_array("listed"."application_id", "sort_0", "sort_1")
      ORDER BY "sort_0" ASC, "sort_1" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, ("listed"."name" COLLATE "und-x-icu") AS "sort_0", "listed"."application_id" AS "sort_1"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer
    ORDER BY ("listed"."name" COLLATE "und-x-icu") ASC, "listed"."application_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $2::bigint + 1
) AS listed;

-- $select=ApplicationId   $orderby=Name   page=after
SELECT coalesce(
    json_agg(
      json_build_array("listed"."application_id", "sort_0", "sort_1")
      ORDER BY "sort_0" ASC, "sort_1" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, ("listed"."name" COLLATE "und-x-icu") AS "sort_0", "listed"."application_id" AS "sort_1"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer
      AND (("listed"."name" COLLATE "und-x-icu"), "listed"."application_id") > ($2::text, $3::bigint)
    ORDER BY ("listed"."name" COLLATE "und-x-icu") ASC, "listed"."application_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $4::bigint + 1
) AS listed;

-- $select=ApplicationId   $orderby=Name   page=before
SELECT coalesce(
    json_agg(
      json_build_array("listed"."application_id", "sort_0", "sort_1")
      ORDER BY "sort_0" ASC, "sort_1" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, ("listed"."name" COLLATE "und-x-icu") AS "sort_0", "listed"."application_id" AS "sort_1"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer
      AND (("listed"."name" COLLATE "und-x-icu"), "listed"."application_id") < ($2::text, $3::bigint)
    ORDER BY ("listed"."name" COLLATE "und-x-icu") DESC, "listed"."application_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $4::bigint + 1
) AS listed;

-- $select=ApplicationId   $orderby=Name   page=last
SELECT coalesce(
    json_agg(
      json_build_array("listed"."application_id", "sort_0", "sort_1")
      ORDER BY "sort_0" ASC, "sort_1" ASC
    ),
    '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, ("listed"."name" COLLATE "und-x-icu") AS "sort_0", "listed"."application_id" AS "sort_1"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $2::integer
    ORDER BY ("listed"."name" COLLATE "und-x-icu") DESC, "listed"."application_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ApplicationId   $orderby=Name desc,ApplicationId   page=first
SELECT coalesce(
    json_agg(
      json_build_array("listed"."application_id", "sort_0", "sort_1")
      ORDER BY "sort_0" DESC, "sort_1" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, ("listed"."name" COLLATE "und-x-icu") AS "sort_0", "listed"."application_id" AS "sort_1"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer
    ORDER BY ("listed"."name" COLLATE "und-x-icu") DESC, "listed"."application_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $2::bigint + 1
) AS listed;

-- $select=ApplicationId   $orderby=Name desc,ApplicationId   page=after
SELECT coalesce(
    json_agg(
      json_build_array("listed"."application_id", "sort_0", "sort_1")
      ORDER BY "sort_0" DESC, "sort_1" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, ("listed"."name" COLLATE "und-x-icu") AS "sort_0", "listed"."application_id" AS "sort_1"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer
      AND ("listed"."name" COLLATE "und-x-icu") <= $2::text
      AND (
        (("listed"."name" COLLATE "und-x-icu") < $3::text)
        OR (("listed"."name" COLLATE "und-x-icu") = $4::text AND "listed"."application_id" > $5::bigint)
      )
    ORDER BY ("listed"."name" COLLATE "und-x-icu") DESC, "listed"."application_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $6::bigint + 1
) AS listed;

-- $select=ApplicationId   $orderby=Name desc,ApplicationId   page=before
SELECT coalesce(
    json_agg(
      json_build_array("listed"."application_id", "sort_0", "sort_1")
      ORDER BY "sort_0" DESC, "sort_1" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, ("listed"."name" COLLATE "und-x-icu") AS "sort_0", "listed"."application_id" AS "sort_1"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer
      AND ("listed"."name" COLLATE "und-x-icu") >= $2::text
      AND (
        (("listed"."name" COLLATE "und-x-icu") > $3::text)
        OR (("listed"."name" COLLATE "und-x-icu") = $4::text AND "listed"."application_id" < $5::bigint)
      )
    ORDER BY ("listed"."name" COLLATE "und-x-icu") ASC, "listed"."application_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $6::bigint + 1
) AS listed;

-- $select=ApplicationId   $orderby=Name desc,ApplicationId   page=last
SELECT coalesce(
    json_agg(
      json_build_array("listed"."application_id", "sort_0", "sort_1")
      ORDER BY "sort_0" DESC, "sort_1" ASC
    ),
    '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, ("listed"."name" COLLATE "und-x-icu") AS "sort_0", "listed"."application_id" AS "sort_1"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $2::integer
    ORDER BY ("listed"."name" COLLATE "und-x-icu") ASC, "listed"."application_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ApplicationId   $inlinecount=allpages   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."application_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_id" AS "sort_0"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $2::integer
    ORDER BY "listed"."application_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ApplicationId   $skip=5   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."application_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_id" AS "sort_0"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer
    ORDER BY "listed"."application_id" ASC
    OFFSET $2::bigint
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ApplicationId   $skip=5   $filter=ApplicationId gt 1   $inlinecount=allpages   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."application_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" > $2::bigint
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_id" AS "sort_0"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $3::integer AND "listed"."application_id" > $4::bigint
    ORDER BY "listed"."application_id" ASC
    OFFSET $5::bigint
    LIMIT 81
  ) AS most
  LIMIT $6::bigint + 1
) AS listed;

-- $select=ApplicationId   $orderby=ApplicationId   $filter=ApplicationId gt 1   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."application_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_id" AS "sort_0"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" > $2::bigint
    ORDER BY "listed"."application_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed;

-- $select=ApplicationId   $orderby=ApplicationId   $filter=ApplicationId gt 1   $inlinecount=allpages   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."application_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" > $2::bigint
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_id" AS "sort_0"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $3::integer AND "listed"."application_id" > $4::bigint
    ORDER BY "listed"."application_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $5::bigint + 1
) AS listed;

-- $select=ApplicationId   $orderby=ApplicationId   $filter=ApplicationId gt 1   page=after
SELECT coalesce(
    json_agg(json_build_array("listed"."application_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_id" AS "sort_0"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer
      AND "listed"."application_id" > $2::bigint
      AND ("listed"."application_id") > ($3::bigint)
    ORDER BY "listed"."application_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $4::bigint + 1
) AS listed;

-- $select=ApplicationId   $orderby=ApplicationId   $filter=ApplicationId gt 1   $inlinecount=allpages   page=after
SELECT coalesce(
    json_agg(json_build_array("listed"."application_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" > $2::bigint
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_id" AS "sort_0"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $3::integer
      AND "listed"."application_id" > $4::bigint
      AND ("listed"."application_id") > ($5::bigint)
    ORDER BY "listed"."application_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $6::bigint + 1
) AS listed;

-- $select=ApplicationId   $orderby=ApplicationId   $filter=ApplicationId gt 1   page=before
SELECT coalesce(
    json_agg(json_build_array("listed"."application_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_id" AS "sort_0"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer
      AND "listed"."application_id" > $2::bigint
      AND ("listed"."application_id") < ($3::bigint)
    ORDER BY "listed"."application_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $4::bigint + 1
) AS listed;

-- $select=ApplicationId   $orderby=ApplicationId   $filter=ApplicationId gt 1   $inlinecount=allpages   page=before
SELECT coalesce(
    json_agg(json_build_array("listed"."application_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" > $2::bigint
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_id" AS "sort_0"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $3::integer
      AND "listed"."application_id" > $4::bigint
      AND ("listed"."application_id") < ($5::bigint)
    ORDER BY "listed"."application_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $6::bigint + 1
) AS listed;

-- $select=ApplicationId   $orderby=ApplicationId   $filter=ApplicationId gt 1   page=last
SELECT coalesce(
    json_agg(json_build_array("listed"."application_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" > $2::bigint
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_id" AS "sort_0"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $3::integer AND "listed"."application_id" > $4::bigint
    ORDER BY "listed"."application_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $5::bigint + 1
) AS listed;

-- $select=ApplicationId   $orderby=ApplicationId   $filter=ApplicationId gt 1   $inlinecount=allpages   page=last
SELECT coalesce(
    json_agg(json_build_array("listed"."application_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" > $2::bigint
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_id" AS "sort_0"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $3::integer AND "listed"."application_id" > $4::bigint
    ORDER BY "listed"."application_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $5::bigint + 1
) AS listed;

-- $select=ApplicationId   search=two words   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."application_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_id" AS "sort_0"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer
      AND (
        position(
          casefold($2::text COLLATE "und-x-icu") IN casefold(
            ("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"
          )
        ) > 0
        OR position(
          casefold($3::text COLLATE "und-x-icu") IN casefold("listed"."descriptive_name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($4::text COLLATE "und-x-icu") IN casefold("listed"."application_id"::text COLLATE "und-x-icu")
        ) > 0
      )
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
          casefold($7::text COLLATE "und-x-icu") IN casefold("listed"."application_id"::text COLLATE "und-x-icu")
        ) > 0
      )
    ORDER BY "listed"."application_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $8::bigint + 1
) AS listed;

-- $select=ApplicationId   search=two words   page=after
SELECT coalesce(
    json_agg(json_build_array("listed"."application_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_id" AS "sort_0"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer
      AND (
        position(
          casefold($2::text COLLATE "und-x-icu") IN casefold(
            ("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"
          )
        ) > 0
        OR position(
          casefold($3::text COLLATE "und-x-icu") IN casefold("listed"."descriptive_name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($4::text COLLATE "und-x-icu") IN casefold("listed"."application_id"::text COLLATE "und-x-icu")
        ) > 0
      )
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
          casefold($7::text COLLATE "und-x-icu") IN casefold("listed"."application_id"::text COLLATE "und-x-icu")
        ) > 0
      )
      AND ("listed"."application_id") > ($8::bigint)
    ORDER BY "listed"."application_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $9::bigint + 1
) AS listed;

-- $select=ApplicationId   search=two words   page=before
SELECT coalesce(
    json_agg(json_build_array("listed"."application_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  NULL AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_id" AS "sort_0"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer
      AND (
        position(
          casefold($2::text COLLATE "und-x-icu") IN casefold(
            ("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"
          )
        ) > 0
        OR position(
          casefold($3::text COLLATE "und-x-icu") IN casefold("listed"."descriptive_name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($4::text COLLATE "und-x-icu") IN casefold("listed"."application_id"::text COLLATE "und-x-icu")
        ) > 0
      )
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
          casefold($7::text COLLATE "und-x-icu") IN casefold("listed"."application_id"::text COLLATE "und-x-icu")
        ) > 0
      )
      AND ("listed"."application_id") < ($8::bigint)
    ORDER BY "listed"."application_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $9::bigint + 1
) AS listed;

-- $select=ApplicationId   search=two words   page=last
SELECT coalesce(
    json_agg(json_build_array("listed"."application_id", "sort_0") ORDER BY "sort_0" ASC), '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $1::integer
      AND (
        position(
          casefold($2::text COLLATE "und-x-icu") IN casefold(
            ("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"
          )
        ) > 0
        OR position(
          casefold($3::text COLLATE "und-x-icu") IN casefold("listed"."descriptive_name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($4::text COLLATE "und-x-icu") IN casefold("listed"."application_id"::text COLLATE "und-x-icu")
        ) > 0
      )
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
          casefold($7::text COLLATE "und-x-icu") IN casefold("listed"."application_id"::text COLLATE "und-x-icu")
        ) > 0
      )
  ) AS size
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."application_id" AS "sort_0"
    FROM (
      SELECT DISTINCT ON (company_id, application_id) *,
        count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
      FROM "takt"."application_versions"
      ORDER BY company_id, application_id, application_version_id DESC
    ) AS listed
    WHERE "listed"."company_id" = $8::integer
      AND (
        position(
          casefold($9::text COLLATE "und-x-icu") IN casefold(
            ("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"
          )
        ) > 0
        OR position(
          casefold($10::text COLLATE "und-x-icu") IN casefold("listed"."descriptive_name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($11::text COLLATE "und-x-icu") IN casefold("listed"."application_id"::text COLLATE "und-x-icu")
        ) > 0
      )
      AND (
        position(
          casefold($12::text COLLATE "und-x-icu") IN casefold(
            ("listed"."name" COLLATE "und-x-icu") COLLATE "und-x-icu"
          )
        ) > 0
        OR position(
          casefold($13::text COLLATE "und-x-icu") IN casefold("listed"."descriptive_name" COLLATE "und-x-icu")
        ) > 0
        OR position(
          casefold($14::text COLLATE "und-x-icu") IN casefold("listed"."application_id"::text COLLATE "und-x-icu")
        ) > 0
      )
    ORDER BY "listed"."application_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $15::bigint + 1
) AS listed;
