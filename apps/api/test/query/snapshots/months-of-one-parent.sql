-- $select=Month   page=after
SELECT coalesce(
    json_agg(json_build_array(to_char("monthly"."month", 'YYYY-MM'), "sort_0") ORDER BY "sort_0" DESC),
    '[]'::json
  ) AS rows,
  NULL AS size,
  EXISTS (
    SELECT
    FROM "takt"."product_structure_versions" AS listed
    WHERE "listed"."company_id" = $1::integer
      AND "listed"."product_structure_version_id" = $2::bigint
      AND "listed"."changed_at" is not null
  ) AS "hasParent",
  current_setting('takt.company_key', true) AS "companyKey"
FROM (
  SELECT *
  FROM (
    SELECT monthly.*, to_char("monthly"."month", 'YYYY-MM') AS "sort_0"
    FROM "takt"."monthly_figures" AS monthly
    WHERE "monthly"."company_id" = $3::integer
      AND "monthly"."product_structure_version_id" = $4::bigint
      AND "monthly"."number_of_completed_operations" > 0
      AND (to_char("monthly"."month", 'YYYY-MM')) < ($5::text)
    ORDER BY to_char("monthly"."month", 'YYYY-MM') DESC
    LIMIT 81
  ) AS most
  LIMIT $6::bigint + 1
) AS monthly;
