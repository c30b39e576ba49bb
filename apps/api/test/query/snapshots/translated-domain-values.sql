-- $select=*   page=first
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
