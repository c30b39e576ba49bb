-- 
SELECT json_build_array(
  "listed"."permission_id",
  "listed"."permission_name",
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
        AND "version"."permission_id" = "listed"."permission_id"
      ORDER BY "version"."application_version_id" DESC
      LIMIT 100
    ) AS version
  )
) AS row
FROM (
  SELECT DISTINCT ON (company_id, permission_id) *
  FROM "takt"."application_versions"
  WHERE permission_id IS NOT NULL
  ORDER BY company_id, permission_id, (permission_name IS NULL), changed_at DESC, application_version_id DESC
) AS listed
WHERE "listed"."company_id" = $1::integer AND "listed"."permission_id" = $2::bigint;

-- $showDomainDescriptions=true
SELECT json_build_array(
  "listed"."permission_id",
  "listed"."permission_name",
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
        AND "version"."permission_id" = "listed"."permission_id"
      ORDER BY "version"."application_version_id" DESC
      LIMIT 100
    ) AS version
  )
) AS row
FROM (
  SELECT DISTINCT ON (company_id, permission_id) *
  FROM "takt"."application_versions"
  WHERE permission_id IS NOT NULL
  ORDER BY company_id, permission_id, (permission_name IS NULL), changed_at DESC, application_version_id DESC
) AS listed
WHERE "listed"."company_id" = $2::integer AND "listed"."permission_id" = $3::bigint;
