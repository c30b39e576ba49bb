-- 
SELECT json_build_array(
  "listed"."application_id",
  "listed"."status",
  "listed"."type",
  ("listed"."name" COLLATE "und-x-icu"),
  "listed"."descriptive_name",
  "listed"."description",
  "listed"."namespace",
  listed.number_of_versions,
  json_build_array("listed"."application_id", "listed"."application_version_id"),
  "listed"."application_id"
) AS row
FROM (
  SELECT DISTINCT ON (company_id, application_id) *,
    count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
  FROM "takt"."application_versions"
  ORDER BY company_id, application_id, application_version_id DESC
) AS listed
WHERE "listed"."company_id" = $1::integer AND "listed"."application_id" = $2::bigint;

-- $showDomainDescriptions=true
SELECT json_build_array(
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
  "listed"."application_id"
) AS row
FROM (
  SELECT DISTINCT ON (company_id, application_id) *,
    count(*) OVER (PARTITION BY company_id, application_id) AS number_of_versions
  FROM "takt"."application_versions"
  ORDER BY company_id, application_id, application_version_id DESC
) AS listed
WHERE "listed"."company_id" = $3::integer AND "listed"."application_id" = $4::bigint;
