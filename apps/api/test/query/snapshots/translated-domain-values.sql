-- $showDomainDescriptions=true   page=first
SELECT coalesce(
    json_agg(
      json_build_array(
        "listed"."key",
        (coalesce("listed"."translations" ->> $1::text, "listed"."description") COLLATE "und-x-icu"),
        "listed"."priority",
        "sort_0",
        "sort_1"
      )
      ORDER BY "sort_0" ASC, "sort_1" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size,
  current_setting('takt.company_key', true) AS "companyKey"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."priority" AS "sort_0", "listed"."key" AS "sort_1"
    FROM "takt"."domain_values" AS listed
    WHERE "listed"."object" = $2::text AND "listed"."field" = $3::text
    ORDER BY "listed"."priority" ASC, "listed"."key" ASC
    LIMIT 81
  ) AS most
  LIMIT $4::bigint + 1
) AS listed;

-- $select=Key   page=after
SELECT coalesce(
    json_agg(json_build_array("listed"."key", "sort_0", "sort_1") ORDER BY "sort_0" ASC, "sort_1" ASC),
    '[]'::json
  ) AS rows,
  NULL AS size,
  current_setting('takt.company_key', true) AS "companyKey"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."priority" AS "sort_0", "listed"."key" AS "sort_1"
    FROM "takt"."domain_values" AS listed
    WHERE "listed"."object" = $1::text
      AND "listed"."field" = $2::text
      AND ("listed"."priority", "listed"."key") > ($3::bigint, $4::text)
    ORDER BY "listed"."priority" ASC, "listed"."key" ASC
    LIMIT 81
  ) AS most
  LIMIT $5::bigint + 1
) AS listed;
