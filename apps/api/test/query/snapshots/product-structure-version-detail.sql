-- 
SELECT json_build_array(
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
  "listed"."run_time",
  "listed"."setup_time",
  "listed"."cleanup_time",
  "listed"."product_structure_version_id"
) AS row
FROM "takt"."product_structure_versions" AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id"
WHERE "listed"."company_id" = $1::integer
  AND "listed"."product_structure_version_id" = $2::bigint
  AND "listed"."changed_at" is not null;

-- $showDomainDescriptions=true
SELECT json_build_array(
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
  "listed"."product_structure_version_id"
) AS row
FROM "takt"."product_structure_versions" AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = "listed"."company_id"
  AND "product"."product_id" = "listed"."product_id"
WHERE "listed"."company_id" = $4::integer
  AND "listed"."product_structure_version_id" = $5::bigint
  AND "listed"."changed_at" is not null;
