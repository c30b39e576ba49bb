-- 
SELECT json_build_array(
  "listed"."restricted_to_company_id",
  "listed"."restricted_to_database",
  (
    SELECT json_agg(
      json_build_array(
        "version"."application_version_id",
        "version"."application_id",
        "version"."status",
        "version"."name",
        json_build_array("version"."application_id", "version"."application_version_id")
      )
      ORDER BY "version"."application_version_id" DESC
    )
    FROM (
      SELECT *
      FROM "takt"."application_versions" AS version
      WHERE "version"."company_id" = "listed"."company_id"
        AND "version"."restricted_to_company_id" = "listed"."restricted_to_company_id"
      ORDER BY "version"."application_version_id" DESC
      LIMIT 100
    ) AS version
  )
) AS row
FROM (
  SELECT DISTINCT ON (company_id, restricted_to_company_id) *
  FROM "takt"."application_versions"
  WHERE restricted_to_company_id IS NOT NULL
  ORDER BY company_id,
    restricted_to_company_id,
    (restricted_to_database IS NULL),
    changed_at DESC,
    application_version_id DESC
) AS listed
WHERE "listed"."company_id" = $1::integer AND "listed"."restricted_to_company_id" = $2::bigint;

-- $showDomainDescriptions=true
SELECT json_build_array(
  "listed"."restricted_to_company_id",
  "listed"."restricted_to_database",
  (
    SELECT json_agg(
      json_build_array(
        "version"."application_version_id",
        "version"."application_id",
        "version"."status",
        (
          SELECT jsonb_object_agg(key, coalesce(translations ->> $1::text, description))
          FROM takt.domain_values
          WHERE object = 'Application' AND field = 'Status'
        ) ->> "version"."status"::text,
        "version"."name",
        json_build_array("version"."application_id", "version"."application_version_id")
      )
      ORDER BY "version"."application_version_id" DESC
    )
    FROM (
      SELECT *
      FROM "takt"."application_versions" AS version
      WHERE "version"."company_id" = "listed"."company_id"
        AND "version"."restricted_to_company_id" = "listed"."restricted_to_company_id"
      ORDER BY "version"."application_version_id" DESC
      LIMIT 100
    ) AS version
  )
) AS row
FROM (
  SELECT DISTINCT ON (company_id, restricted_to_company_id) *
  FROM "takt"."application_versions"
  WHERE restricted_to_company_id IS NOT NULL
  ORDER BY company_id,
    restricted_to_company_id,
    (restricted_to_database IS NULL),
    changed_at DESC,
    application_version_id DESC
) AS listed
WHERE "listed"."company_id" = $2::integer AND "listed"."restricted_to_company_id" = $3::bigint;
