-- 
SELECT json_build_array(
  "listed"."product_id",
  "listed"."status",
  "listed"."name",
  "listed"."type",
  "listed"."description",
  (
    SELECT count(*)
    FROM "takt"."product_structure_versions" AS made
    WHERE "made"."company_id" = "listed"."company_id"
      AND "made"."product_id" = "listed"."product_id"
      AND "made"."changed_at" IS NOT NULL
  ),
  (
    SELECT json_agg(
      json_build_array(
        "made"."product_structure_version_id",
        "made"."status",
        "made"."name",
        "made"."version",
        "made"."revision",
        "made"."product_structure_version_id"
      )
      ORDER BY "made"."product_structure_version_id" DESC
    )
    FROM (
      SELECT *
      FROM "takt"."product_structure_versions" AS made
      WHERE "made"."company_id" = "listed"."company_id"
        AND "made"."product_id" = "listed"."product_id"
        AND "made"."changed_at" IS NOT NULL
      ORDER BY "made"."product_structure_version_id" DESC
      LIMIT 100
    ) AS made
  )
) AS row
FROM "takt"."products" AS listed
WHERE "listed"."company_id" = $1::integer AND "listed"."product_id" = $2::bigint;

-- $showDomainDescriptions=true
SELECT json_build_array(
  "listed"."product_id",
  "listed"."status",
  (
    SELECT jsonb_object_agg(key, coalesce(translations ->> $1::text, description))
    FROM takt.domain_values
    WHERE object = 'Product' AND field = 'Status'
  ) ->> "listed"."status"::text,
  "listed"."name",
  "listed"."type",
  (
    SELECT jsonb_object_agg(key, coalesce(translations ->> $2::text, description))
    FROM takt.domain_values
    WHERE object = 'Product' AND field = 'Type'
  ) ->> "listed"."type"::text,
  "listed"."description",
  (
    SELECT count(*)
    FROM "takt"."product_structure_versions" AS made
    WHERE "made"."company_id" = "listed"."company_id"
      AND "made"."product_id" = "listed"."product_id"
      AND "made"."changed_at" IS NOT NULL
  ),
  (
    SELECT json_agg(
      json_build_array(
        "made"."product_structure_version_id",
        "made"."status",
        (
          SELECT jsonb_object_agg(key, coalesce(translations ->> $3::text, description))
          FROM takt.domain_values
          WHERE object = 'ProductStructureVersion' AND field = 'Status'
        ) ->> "made"."status"::text,
        "made"."name",
        "made"."version",
        "made"."revision",
        "made"."product_structure_version_id"
      )
      ORDER BY "made"."product_structure_version_id" DESC
    )
    FROM (
      SELECT *
      FROM "takt"."product_structure_versions" AS made
      WHERE "made"."company_id" = "listed"."company_id"
        AND "made"."product_id" = "listed"."product_id"
        AND "made"."changed_at" IS NOT NULL
      ORDER BY "made"."product_structure_version_id" DESC
      LIMIT 100
    ) AS made
  )
) AS row
FROM "takt"."products" AS listed
WHERE "listed"."company_id" = $4::integer AND "listed"."product_id" = $5::bigint;
