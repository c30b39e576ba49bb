-- 
SELECT json_build_array(
  "listed"."application_version_id",
  "listed"."status",
  "listed"."type",
  "listed"."name",
  "listed"."descriptive_name",
  "listed"."description",
  "listed"."namespace",
  "listed"."master_url",
  "listed"."lookup_key",
  "listed"."lookup_priority",
  "listed"."content_type",
  "listed"."change_description",
  to_char("listed"."created_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
  "listed"."created_by_user_id",
  "listed"."created_by_first_name",
  "listed"."created_by_name",
  "listed"."created_by_user_id",
  "listed"."restricted_to_company_id",
  "listed"."restricted_to_database",
  "listed"."restricted_to_company_id",
  "listed"."permission_id",
  "listed"."permission_name",
  "listed"."permission_id",
  "listed"."scope",
  "listed"."is_changed",
  "listed"."changed_by_user_id",
  "listed"."changed_by_name",
  "listed"."changed_by_first_name",
  "listed"."changed_by_user_id",
  "listed"."is_pending_deployment",
  "listed"."application_id",
  "listed"."application_id",
  "listed"."field_order"
) AS row
FROM "takt"."application_versions" AS listed
WHERE "listed"."company_id" = $1::integer
  AND "listed"."application_id" = $2::bigint
  AND "listed"."application_version_id" = $3::bigint;

-- $showDomainDescriptions=true
SELECT json_build_array(
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
  "listed"."name",
  "listed"."descriptive_name",
  "listed"."description",
  "listed"."namespace",
  "listed"."master_url",
  "listed"."lookup_key",
  "listed"."lookup_priority",
  "listed"."content_type",
  (
    SELECT jsonb_object_agg(key, coalesce(translations ->> $3::text, description))
    FROM takt.domain_values
    WHERE object = 'Application' AND field = 'ContentType'
  ) ->> "listed"."content_type"::text,
  "listed"."change_description",
  to_char("listed"."created_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
  "listed"."created_by_user_id",
  "listed"."created_by_first_name",
  "listed"."created_by_name",
  "listed"."created_by_user_id",
  "listed"."restricted_to_company_id",
  "listed"."restricted_to_database",
  "listed"."restricted_to_company_id",
  "listed"."permission_id",
  "listed"."permission_name",
  "listed"."permission_id",
  "listed"."scope",
  (
    SELECT jsonb_object_agg(key, coalesce(translations ->> $4::text, description))
    FROM takt.domain_values
    WHERE object = 'Application' AND field = 'Scope'
  ) ->> "listed"."scope"::text,
  "listed"."is_changed",
  "listed"."changed_by_user_id",
  "listed"."changed_by_name",
  "listed"."changed_by_first_name",
  "listed"."changed_by_user_id",
  "listed"."is_pending_deployment",
  "listed"."application_id",
  "listed"."application_id",
  "listed"."field_order"
) AS row
FROM "takt"."application_versions" AS listed
WHERE "listed"."company_id" = $5::integer
  AND "listed"."application_id" = $6::bigint
  AND "listed"."application_version_id" = $7::bigint;
