-- 
SELECT json_build_array(listed.user_id, listed.first_name, listed.name) AS row
FROM (
  SELECT DISTINCT ON (company_id, user_id) *
  FROM (
    SELECT company_id,
      created_by_user_id AS user_id,
      created_by_first_name AS first_name,
      created_by_name AS name,
      changed_at,
      application_version_id,
      'created_by' AS by
    FROM "takt"."application_versions"
    WHERE created_by_user_id IS NOT NULL UNION ALL
    SELECT company_id,
      changed_by_user_id AS user_id,
      changed_by_first_name AS first_name,
      changed_by_name AS name,
      changed_at,
      application_version_id,
      'changed_by' AS by
    FROM "takt"."application_versions"
    WHERE changed_by_user_id IS NOT NULL
  ) AS named
  ORDER BY company_id, user_id, (name IS NULL), changed_at DESC, application_version_id DESC, by
) AS listed
WHERE "listed"."company_id" = $1::integer AND listed.user_id = $2::bigint;

-- $showDomainDescriptions=true
SELECT json_build_array(listed.user_id, listed.first_name, listed.name) AS row
FROM (
  SELECT DISTINCT ON (company_id, user_id) *
  FROM (
    SELECT company_id,
      created_by_user_id AS user_id,
      created_by_first_name AS first_name,
      created_by_name AS name,
      changed_at,
      application_version_id,
      'created_by' AS by
    FROM "takt"."application_versions"
    WHERE created_by_user_id IS NOT NULL UNION ALL
    SELECT company_id,
      changed_by_user_id AS user_id,
      changed_by_first_name AS first_name,
      changed_by_name AS name,
      changed_at,
      application_version_id,
      'changed_by' AS by
    FROM "takt"."application_versions"
    WHERE changed_by_user_id IS NOT NULL
  ) AS named
  ORDER BY company_id, user_id, (name IS NULL), changed_at DESC, application_version_id DESC, by
) AS listed
WHERE "listed"."company_id" = $1::integer AND listed.user_id = $2::bigint;
