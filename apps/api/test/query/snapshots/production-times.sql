-- $select=Status,ProductType,RunTime   $showDomainDescriptions=true   page=first
SELECT coalesce(
    json_agg(
      json_build_array(
        "listed"."status",
        (
          SELECT jsonb_object_agg(key, coalesce(translations ->> $1::text, description))
          FROM takt.domain_values
          WHERE object = 'ProductStructureVersion' AND field = 'Status'
        ) ->> "listed"."status"::text,
        "product"."status",
        (
          SELECT jsonb_object_agg(key, coalesce(translations ->> $2::text, description))
          FROM takt.domain_values
          WHERE object = 'Product' AND field = 'Status'
        ) ->> "product"."status"::text,
        "product"."type",
        (
          SELECT jsonb_object_agg(key, coalesce(translations ->> $3::text, description))
          FROM takt.domain_values
          WHERE object = 'Product' AND field = 'Type'
        ) ->> "product"."type"::text,
        "listed"."run_time",
        "sort_0"
      )
      ORDER BY "sort_0" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size,
  current_setting('takt.company_key', true) AS "companyKey"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_structure_version_id" AS "sort_0"
    FROM "takt"."product_structure_versions" AS listed
    WHERE "listed"."company_id" = $4::integer AND "listed"."changed_at" is not null
    ORDER BY "listed"."product_structure_version_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $5::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = $6::integer
  AND "product"."product_id" = "listed"."product_id";

-- $select=ProductStructureVersionId   $orderby=ProductName desc,RunTime   page=after
SELECT coalesce(
    json_agg(
      json_build_array("listed"."product_structure_version_id", "sort_0", "sort_1", "sort_2")
      ORDER BY "sort_0" DESC, "sort_1" ASC, "sort_2" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size,
  current_setting('takt.company_key', true) AS "companyKey"
FROM (
  SELECT *
  FROM (
    SELECT listed.*,
      "listed"."product_name" AS "sort_0",
      greatest("listed"."run_time", -1) AS "sort_1",
      "listed"."product_structure_version_id" AS "sort_2"
    FROM "takt"."product_structure_versions" AS listed
    WHERE "listed"."company_id" = $1::integer
      AND "listed"."changed_at" is not null
      AND "listed"."product_name" <= $2::text
      AND (
        ("listed"."product_name" < $3::text)
        OR ("listed"."product_name" = $4::text AND greatest("listed"."run_time", -1) > $5::bigint)
        OR (
          "listed"."product_name" = $6::text
          AND greatest("listed"."run_time", -1) = $7::bigint
          AND "listed"."product_structure_version_id" > $8::bigint
        )
      )
    ORDER BY "listed"."product_name" DESC,
      greatest("listed"."run_time", -1) ASC,
      "listed"."product_structure_version_id" ASC
    LIMIT 81
  ) AS most
  LIMIT $9::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = $10::integer
  AND "product"."product_id" = "listed"."product_id";

-- $select=ProductStructureVersionId   search=two words   page=before
SELECT coalesce(
    json_agg(json_build_array("listed"."product_structure_version_id", "sort_0") ORDER BY "sort_0" ASC),
    '[]'::json
  ) AS rows,
  NULL AS size,
  current_setting('takt.company_key', true) AS "companyKey"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_structure_version_id" AS "sort_0"
    FROM "takt"."product_structure_versions" AS listed
    WHERE "listed"."company_id" = $1::integer
      AND "listed"."changed_at" is not null
      AND (
        CASE WHEN takt.are_few_structure_versions(
          ARRAY['%' || regexp_replace(takt.plain_text($2::text), '([\\%_])', '\\\1', 'g') || '%',
          '%' || regexp_replace(takt.plain_text($3::text), '([\\%_])', '\\\1', 'g') || '%']
        ) THEN "listed"."product_structure_version_id" = ANY (
          (
            SELECT takt.find_structure_versions(
              ARRAY['%' || regexp_replace(takt.plain_text($4::text), '([\\%_])', '\\\1', 'g') || '%',
              '%' || regexp_replace(takt.plain_text($5::text), '([\\%_])', '\\\1', 'g') || '%']
            )
          )::bigint[]
        ) ELSE (
          position(takt.plain_text($6::text) IN takt.spellings("listed"."product_name")) > 0
          OR position(takt.plain_text($7::text) IN takt.spellings("listed"."name")) > 0
          OR position(
            takt.plain_text($8::text) IN coalesce(
              takt.spellings("listed"."product_key"), "listed"."product_id"::text
            )
          ) > 0
          OR position(
            takt.plain_text($9::text) IN coalesce(
              takt.spellings("listed"."product_structure_version_key"),
              "listed"."product_structure_version_id"::text
            )
          ) > 0
        )
        AND (
          position(takt.plain_text($10::text) IN takt.spellings("listed"."product_name")) > 0
          OR position(takt.plain_text($11::text) IN takt.spellings("listed"."name")) > 0
          OR position(
            takt.plain_text($12::text) IN coalesce(
              takt.spellings("listed"."product_key"), "listed"."product_id"::text
            )
          ) > 0
          OR position(
            takt.plain_text($13::text) IN coalesce(
              takt.spellings("listed"."product_structure_version_key"),
              "listed"."product_structure_version_id"::text
            )
          ) > 0
        ) END
      )
      AND ("listed"."product_structure_version_id") < ($14::bigint)
    ORDER BY "listed"."product_structure_version_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $15::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = $16::integer
  AND "product"."product_id" = "listed"."product_id";

-- $select=ProductStructureVersionId   $inlinecount=allpages   page=last
SELECT coalesce(
    json_agg(json_build_array("listed"."product_structure_version_id", "sort_0") ORDER BY "sort_0" ASC),
    '[]'::json
  ) AS rows,
  coalesce(
    (
      SELECT "takt"."list_sizes"."product_structure_versions"
      FROM "takt"."list_sizes"
      WHERE "takt"."list_sizes"."company_id" = $1::integer
    ),
    0
  ) AS size,
  current_setting('takt.company_key', true) AS "companyKey"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_structure_version_id" AS "sort_0"
    FROM "takt"."product_structure_versions" AS listed
    WHERE "listed"."company_id" = $2::integer AND "listed"."changed_at" is not null
    ORDER BY "listed"."product_structure_version_id" DESC
    LIMIT 81
  ) AS most
  LIMIT $3::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = $4::integer
  AND "product"."product_id" = "listed"."product_id";

-- $select=ProductStructureVersionId   $skip=5   $filter=RunTime gt 1   $inlinecount=allpages   page=first
SELECT coalesce(
    json_agg(json_build_array("listed"."product_structure_version_id", "sort_0") ORDER BY "sort_0" ASC),
    '[]'::json
  ) AS rows,
  (
    SELECT count(*)
    FROM "takt"."product_structure_versions" AS listed
    WHERE "listed"."company_id" = $1::integer
      AND "listed"."changed_at" is not null
      AND (
        greatest("listed"."run_time", -1) > takt.floor_units($2::bigint, 6)
        AND greatest("listed"."run_time", -1) > '-1'::bigint
      )
  ) AS size,
  current_setting('takt.company_key', true) AS "companyKey"
FROM (
  SELECT *
  FROM (
    SELECT listed.*, "listed"."product_structure_version_id" AS "sort_0"
    FROM "takt"."product_structure_versions" AS listed
    WHERE "listed"."company_id" = $3::integer
      AND "listed"."changed_at" is not null
      AND (
        greatest("listed"."run_time", -1) > takt.floor_units($4::bigint, 6)
        AND greatest("listed"."run_time", -1) > '-1'::bigint
      )
    ORDER BY "listed"."product_structure_version_id" ASC
    OFFSET $5::bigint
    LIMIT 81
  ) AS most
  LIMIT $6::bigint + 1
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = $7::integer
  AND "product"."product_id" = "listed"."product_id";

-- $select=ProductStructureVersionId   from=2025-04   to=2025-06   $orderby=HoursOverPlan desc   $inlinecount=allpages   $expand=Summary   page=first
WITH found AS (
  SELECT "listed"."product_structure_version_id" AS found_key,
    greatest("listed"."hours_over_plan", '-9223372036854775808'::bigint) AS "sort_0",
    "listed"."product_structure_version_id" AS "sort_1",
    "listed"."hours_over_plan",
    "listed"."number_of_completed_operations",
    listed.planned_of_period
  FROM (
    SELECT version."company_id",
      version."product_structure_version_id",
      version."changed_at",
      version."status",
      version."name",
      version."version",
      version."revision",
      version."product_id",
      version."product_name",
      version."run_time",
      version."setup_time",
      version."cleanup_time",
      version."product_structure_version_key",
      version."product_key",
      coalesce(sum("monthly"."number_of_completed_operations"), 0)::bigint AS "number_of_completed_operations",
      coalesce(sum("monthly"."run_time_sum"), 0) AS "run_time_sum",
      sum(monthly."run_time_sum_of_squares") AS "run_time_sum_of_squares",
      min(monthly."shortest_run_time") AS "shortest_run_time",
      max(monthly."longest_run_time") AS "longest_run_time",
      takt.average_microhours(
        coalesce(sum("monthly"."number_of_completed_operations"), 0)::bigint,
        coalesce(sum("monthly"."run_time_sum"), 0)
      ) AS "average_run_time",
      takt.population_deviation_microhours(
        coalesce(sum("monthly"."number_of_completed_operations"), 0)::bigint,
        coalesce(sum("monthly"."run_time_sum"), 0),
        sum(monthly."run_time_sum_of_squares")
      ) AS "deviation_run_time",
      takt.average_microhours(
        coalesce(sum("monthly"."number_of_completed_operations"), 0)::bigint,
        coalesce(sum("monthly"."run_time_sum"), 0)
      ) - "version"."run_time" AS "run_time_difference",
      takt.percent_over_plan(
        coalesce(sum("monthly"."number_of_completed_operations"), 0)::bigint,
        coalesce(sum("monthly"."run_time_sum"), 0),
        "version"."run_time"
      ) AS "run_time_over_plan_percent",
      takt.within_bigint(
        takt.microhours_over_plan(
          coalesce(sum("monthly"."number_of_completed_operations"), 0)::bigint,
          coalesce(sum("monthly"."run_time_sum"), 0),
          "version"."run_time"
        )
      ) AS "run_time_hours_over_plan",
      coalesce(sum("monthly"."setup_time_count"), 0)::bigint AS "setup_time_count",
      coalesce(sum("monthly"."setup_time_sum"), 0) AS "setup_time_sum",
      sum(monthly."setup_time_sum_of_squares") AS "setup_time_sum_of_squares",
      min(monthly."shortest_setup_time") AS "shortest_setup_time",
      max(monthly."longest_setup_time") AS "longest_setup_time",
      takt.average_microhours(
        coalesce(sum("monthly"."setup_time_count"), 0)::bigint, coalesce(sum("monthly"."setup_time_sum"), 0)
      ) AS "average_setup_time",
      takt.population_deviation_microhours(
        coalesce(sum("monthly"."setup_time_count"), 0)::bigint,
        coalesce(sum("monthly"."setup_time_sum"), 0),
        sum(monthly."setup_time_sum_of_squares")
      ) AS "deviation_setup_time",
      takt.average_microhours(
        coalesce(sum("monthly"."setup_time_count"), 0)::bigint, coalesce(sum("monthly"."setup_time_sum"), 0)
      ) - "version"."setup_time" AS "setup_time_difference",
      takt.percent_over_plan(
        coalesce(sum("monthly"."setup_time_count"), 0)::bigint,
        coalesce(sum("monthly"."setup_time_sum"), 0),
        "version"."setup_time"
      ) AS "setup_time_over_plan_percent",
      takt.within_bigint(
        takt.microhours_over_plan(
          coalesce(sum("monthly"."setup_time_count"), 0)::bigint,
          coalesce(sum("monthly"."setup_time_sum"), 0),
          "version"."setup_time"
        )
      ) AS "setup_time_hours_over_plan",
      coalesce(sum("monthly"."cleanup_time_count"), 0)::bigint AS "cleanup_time_count",
      coalesce(sum("monthly"."cleanup_time_sum"), 0) AS "cleanup_time_sum",
      sum(monthly."cleanup_time_sum_of_squares") AS "cleanup_time_sum_of_squares",
      min(monthly."shortest_cleanup_time") AS "shortest_cleanup_time",
      max(monthly."longest_cleanup_time") AS "longest_cleanup_time",
      takt.average_microhours(
        coalesce(sum("monthly"."cleanup_time_count"), 0)::bigint,
        coalesce(sum("monthly"."cleanup_time_sum"), 0)
      ) AS "average_cleanup_time",
      takt.population_deviation_microhours(
        coalesce(sum("monthly"."cleanup_time_count"), 0)::bigint,
        coalesce(sum("monthly"."cleanup_time_sum"), 0),
        sum(monthly."cleanup_time_sum_of_squares")
      ) AS "deviation_cleanup_time",
      takt.average_microhours(
        coalesce(sum("monthly"."cleanup_time_count"), 0)::bigint,
        coalesce(sum("monthly"."cleanup_time_sum"), 0)
      ) - "version"."cleanup_time" AS "cleanup_time_difference",
      takt.percent_over_plan(
        coalesce(sum("monthly"."cleanup_time_count"), 0)::bigint,
        coalesce(sum("monthly"."cleanup_time_sum"), 0),
        "version"."cleanup_time"
      ) AS "cleanup_time_over_plan_percent",
      takt.within_bigint(
        takt.microhours_over_plan(
          coalesce(sum("monthly"."cleanup_time_count"), 0)::bigint,
          coalesce(sum("monthly"."cleanup_time_sum"), 0),
          "version"."cleanup_time"
        )
      ) AS "cleanup_time_hours_over_plan",
      takt.within_bigint(
        CASE WHEN coalesce(
          "version"."run_time", "version"."setup_time", "version"."cleanup_time"
        ) IS NOT NULL THEN 1000000 * coalesce(
          sum(
            CASE WHEN "version"."run_time" IS NULL THEN 0 ELSE "monthly"."run_time_sum" END + CASE WHEN "version"."setup_time" IS NULL THEN 0 ELSE "monthly"."setup_time_sum" END + CASE WHEN "version"."cleanup_time" IS NULL THEN 0 ELSE "monthly"."cleanup_time_sum" END
          ),
          0
        ) - (
          coalesce(
            sum(
              takt.planned_of_few(
                "monthly"."number_of_completed_operations",
                "version"."run_time",
                "monthly"."setup_time_count",
                "version"."setup_time",
                "monthly"."cleanup_time_count",
                "version"."cleanup_time"
              )
            ),
            0
          ) + coalesce(
            sum(
              takt.planned_of_many(
                "monthly"."number_of_completed_operations",
                "version"."run_time",
                "monthly"."setup_time_count",
                "version"."setup_time",
                "monthly"."cleanup_time_count",
                "version"."cleanup_time"
              )
            ),
            0
          )
        ) END
      ) AS "hours_over_plan",
      coalesce(
        sum(
          takt.planned_of_few(
            "monthly"."number_of_completed_operations",
            "version"."run_time",
            "monthly"."setup_time_count",
            "version"."setup_time",
            "monthly"."cleanup_time_count",
            "version"."cleanup_time"
          )
        ),
        0
      ) + coalesce(
        sum(
          takt.planned_of_many(
            "monthly"."number_of_completed_operations",
            "version"."run_time",
            "monthly"."setup_time_count",
            "version"."setup_time",
            "monthly"."cleanup_time_count",
            "version"."cleanup_time"
          )
        ),
        0
      ) AS "planned_of_period"
    FROM "takt"."product_structure_versions" AS version JOIN "takt"."monthly_figures" AS monthly ON "monthly"."company_id" = $1::integer
      AND "monthly"."month" BETWEEN (coalesce($2::text, '0001-01') || '-01')::date
      AND (coalesce($3::text, '9999-12') || '-01')::date
      AND "monthly"."number_of_completed_operations" > 0
      AND "monthly"."product_structure_version_id" = "version"."product_structure_version_id"
    WHERE "version"."company_id" = $4::integer AND "version"."changed_at" IS NOT NULL GROUP BY "version"."company_id",
      "version"."product_structure_version_id"
  ) AS listed
  WHERE "listed"."company_id" = $5::integer
)
SELECT coalesce(
    json_agg(
      json_build_array("listed"."product_structure_version_id", "sort_0"::text, "sort_1")
      ORDER BY "sort_0" DESC, "sort_1" DESC
    ),
    '[]'::json
  ) AS rows,
  (SELECT count(*) FROM found AS listed) AS size,
  (
    SELECT json_build_array(
      count(*),
      coalesce(sum("listed"."number_of_completed_operations"), 0),
      takt.within_bigint(
        CASE WHEN sum("listed"."hours_over_plan") IS NOT NULL THEN sum(listed.planned_of_period) END
      ),
      takt.within_bigint(
        CASE WHEN sum("listed"."hours_over_plan") IS NOT NULL THEN sum(listed.planned_of_period) END + sum("listed"."hours_over_plan")
      ),
      takt.within_bigint(sum("listed"."hours_over_plan")),
      (
        (coalesce($6::text, '9999-12') || '-01')::date + interval '1 month' <= now() AT TIME ZONE takt.time_zone_of($7::integer, 0)
      )
    )
    FROM found AS listed
  ) AS totals,
  current_setting('takt.company_key', true) AS "companyKey"
FROM (
  SELECT listed.*, "sort_0", "sort_1"
  FROM (
      SELECT *
      FROM (
        SELECT *
        FROM found
        ORDER BY "sort_0" DESC, "sort_1" DESC
        LIMIT 81
      ) AS most
      LIMIT $8::bigint + 1
    ) AS found,
    LATERAL (
      SELECT /* the same columns */
      FROM "takt"."product_structure_versions" AS version
      LEFT JOIN "takt"."monthly_figures" AS monthly ON "monthly"."company_id" = $9::integer
        AND "monthly"."month" BETWEEN (coalesce($10::text, '0001-01') || '-01')::date
        AND (coalesce($11::text, '9999-12') || '-01')::date
        AND "monthly"."number_of_completed_operations" > 0
        AND "monthly"."product_structure_version_id" = "version"."product_structure_version_id"
      WHERE "version"."company_id" = $12::integer AND "version"."changed_at" IS NOT NULL AND "version"."product_structure_version_id" = found.found_key GROUP BY "version"."company_id",
        "version"."product_structure_version_id"
    ) AS listed
  WHERE "listed"."product_structure_version_id" = found_key
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = $13::integer
  AND "product"."product_id" = "listed"."product_id";

-- $orderby=RunTime   page=after   walk false 100
SELECT coalesce(
    json_agg(
      json_build_array("listed"."product_structure_version_id", "sort_0", "sort_1")
      ORDER BY "sort_0" ASC, "sort_1" ASC
    ) FILTER (WHERE NOT is_end),
    '[]'::json
  ) AS rows,
  (json_agg(json_build_array("sort_0", "sort_1")) FILTER (WHERE is_end)) -> 0 AS ended,
  NULL AS size,
  current_setting('takt.company_key', true) AS "companyKey"
FROM (
  SELECT *
  FROM (
    SELECT *
    FROM (
      SELECT listed.*,
        greatest("listed"."run_time", -1) AS "sort_0",
        "listed"."product_structure_version_id" AS "sort_1",
        row_number() OVER (
          ORDER BY greatest("listed"."run_time", -1) ASC, "listed"."product_structure_version_id" ASC
        ) > 100 AS is_end
      FROM "takt"."product_structure_versions" AS listed
      WHERE "listed"."company_id" = $1::integer
        AND "listed"."changed_at" is not null
        AND (
          greatest("listed"."run_time", -1) > takt.floor_units($2::bigint, 6)
          AND greatest("listed"."run_time", -1) > '-1'::bigint
        )
        AND (
          greatest("listed"."run_time", -1), "listed"."product_structure_version_id"
        ) > ($3::bigint, $4::bigint)
      ORDER BY greatest("listed"."run_time", -1) ASC, "listed"."product_structure_version_id" ASC
      LIMIT 101
    ) AS listed
    WHERE is_end
      OR (
        (
          greatest("listed"."setup_time", -1) < takt.ceiling_units($5::bigint, 6)
          AND greatest("listed"."setup_time", -1) > '-1'::bigint
        )
      )
    ORDER BY "sort_0" ASC, "sort_1" ASC
    LIMIT 82
  ) AS most
  LIMIT $6::bigint + 2
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = $7::integer
  AND "product"."product_id" = "listed"."product_id";

-- $orderby=RunTime,ProductName desc   page=after   walk false 100
SELECT coalesce(
    json_agg(
      json_build_array("listed"."product_structure_version_id", "sort_0", "sort_1", "sort_2")
      ORDER BY "sort_0" ASC, "sort_1" DESC, "sort_2" DESC
    ) FILTER (WHERE NOT is_end),
    '[]'::json
  ) AS rows,
  (json_agg(json_build_array("sort_0", "sort_1", "sort_2")) FILTER (WHERE is_end)) -> 0 AS ended,
  NULL AS size,
  current_setting('takt.company_key', true) AS "companyKey"
FROM (
  SELECT *
  FROM (
    SELECT *
    FROM (
      SELECT listed.*,
        greatest("listed"."run_time", -1) AS "sort_0",
        "listed"."product_name" AS "sort_1",
        "listed"."product_structure_version_id" AS "sort_2",
        row_number() OVER (
          ORDER BY greatest("listed"."run_time", -1) ASC, "listed"."product_structure_version_id" ASC
        ) > 100 AS is_end
      FROM "takt"."product_structure_versions" AS listed
      WHERE "listed"."company_id" = $1::integer
        AND "listed"."changed_at" is not null
        AND (
          greatest("listed"."run_time", -1) > takt.floor_units($2::bigint, 6)
          AND greatest("listed"."run_time", -1) > '-1'::bigint
        )
        AND greatest("listed"."run_time", -1) >= $3::bigint
      ORDER BY greatest("listed"."run_time", -1) ASC, "listed"."product_structure_version_id" ASC
      LIMIT 101
    ) AS listed
    WHERE is_end
      OR (
        (
          greatest("listed"."setup_time", -1) < takt.ceiling_units($4::bigint, 6)
          AND greatest("listed"."setup_time", -1) > '-1'::bigint
        )
        AND (
          "sort_0" >= $5::bigint
          AND (
            ("sort_0" > $6::bigint)
            OR ("sort_0" = $7::bigint AND "sort_1" < $8::text)
            OR ("sort_0" = $9::bigint AND "sort_1" = $10::text AND "sort_2" < $11::bigint)
          )
        )
      )
    ORDER BY "sort_0" ASC, is_end DESC, "sort_1" DESC, "sort_2" DESC
    LIMIT 82
  ) AS most
  LIMIT $12::bigint + 2
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = $13::integer
  AND "product"."product_id" = "listed"."product_id";

-- $orderby=RunTime,ProductName desc   page=after   walk true 100
SELECT coalesce(
    json_agg(
      json_build_array("listed"."product_structure_version_id", "sort_0", "sort_1", "sort_2")
      ORDER BY "sort_0" ASC, "sort_1" DESC, "sort_2" DESC
    ) FILTER (WHERE NOT is_end),
    '[]'::json
  ) AS rows,
  (json_agg(json_build_array("sort_0", "sort_1", "sort_2")) FILTER (WHERE is_end)) -> 0 AS ended,
  NULL AS size,
  current_setting('takt.company_key', true) AS "companyKey"
FROM (
  SELECT *
  FROM (
    SELECT *
    FROM (
      SELECT listed.*,
        greatest("listed"."run_time", -1) AS "sort_0",
        "listed"."product_name" AS "sort_1",
        "listed"."product_structure_version_id" AS "sort_2",
        row_number() OVER (
          ORDER BY greatest("listed"."run_time", -1) ASC, "listed"."product_structure_version_id" ASC
        ) > 100 AS is_end
      FROM "takt"."product_structure_versions" AS listed
      WHERE "listed"."company_id" = $1::integer
        AND "listed"."changed_at" is not null
        AND (
          greatest("listed"."run_time", -1) > takt.floor_units($2::bigint, 6)
          AND greatest("listed"."run_time", -1) > '-1'::bigint
        )
        AND greatest("listed"."run_time", -1) > $3::bigint
      ORDER BY greatest("listed"."run_time", -1) ASC, "listed"."product_structure_version_id" ASC
      LIMIT 101
    ) AS listed
    WHERE is_end
      OR (
        (
          greatest("listed"."setup_time", -1) < takt.ceiling_units($4::bigint, 6)
          AND greatest("listed"."setup_time", -1) > '-1'::bigint
        )
      )
    ORDER BY "sort_0" ASC, is_end DESC, "sort_1" DESC, "sort_2" DESC
    LIMIT 82
  ) AS most
  LIMIT $5::bigint + 2
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = $6::integer
  AND "product"."product_id" = "listed"."product_id";

-- $orderby=RunTime,ProductName desc   page=after   sorted true
SELECT coalesce(
    json_agg(
      json_build_array("listed"."product_structure_version_id", "sort_0", "sort_1", "sort_2")
      ORDER BY "sort_0" ASC, "sort_1" DESC, "sort_2" DESC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size,
  current_setting('takt.company_key', true) AS "companyKey"
FROM (
  SELECT listed.*, "sort_0", "sort_1", "sort_2"
  FROM (
      SELECT *
      FROM (
        SELECT *
        FROM (
          SELECT "listed"."product_structure_version_id" AS found_key,
            greatest("listed"."run_time", -1) AS "sort_0",
            "listed"."product_name" AS "sort_1",
            "listed"."product_structure_version_id" AS "sort_2"
          FROM "takt"."product_structure_versions" AS listed
          WHERE "listed"."company_id" = $1::integer
            AND "listed"."changed_at" is not null
            AND (
              (
                greatest("listed"."run_time", -1) > takt.floor_units($2::bigint, 6)
                AND greatest("listed"."run_time", -1) > '-1'::bigint
              )
              AND (
                greatest("listed"."setup_time", -1) < takt.ceiling_units($3::bigint, 6)
                AND greatest("listed"."setup_time", -1) > '-1'::bigint
              )
            )
            AND greatest("listed"."run_time", -1) >= $4::bigint
            AND (
              (greatest("listed"."run_time", -1) > $5::bigint)
              OR (greatest("listed"."run_time", -1) = $6::bigint AND "listed"."product_name" < $7::text)
              OR (
                greatest("listed"."run_time", -1) = $8::bigint
                AND "listed"."product_name" = $9::text
                AND "listed"."product_structure_version_id" < $10::bigint
              )
            )
            AND greatest("listed"."run_time", -1) = $11::bigint
          OFFSET 0
        ) AS sorted
        ORDER BY "sort_0" ASC, "sort_1" DESC, "sort_2" DESC
        LIMIT 81
      ) AS most
      LIMIT $12::bigint + 1
    ) AS found,
    "takt"."product_structure_versions" AS listed
  WHERE "listed"."company_id" = $13::integer
    AND "listed"."changed_at" is not null
    AND "listed"."product_structure_version_id" = found_key
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = $14::integer
  AND "product"."product_id" = "listed"."product_id";

-- RunTime eq 1
greatest("listed"."run_time", -1) = takt.same_units($1::bigint, 6, 0)

-- RunTime ne 1
(
  greatest("listed"."run_time", -1) <> takt.same_units($1::bigint, 6, 0)
  AND greatest("listed"."run_time", -1) > '-1'::bigint
)

-- RunTime lt 1
(
  greatest("listed"."run_time", -1) < takt.ceiling_units($1::bigint, 6)
  AND greatest("listed"."run_time", -1) > '-1'::bigint
)

-- RunTime le 1
(
  greatest("listed"."run_time", -1) <= takt.floor_units($1::bigint, 6)
  AND greatest("listed"."run_time", -1) > '-1'::bigint
)

-- RunTime gt 1
(
  greatest("listed"."run_time", -1) > takt.floor_units($1::bigint, 6)
  AND greatest("listed"."run_time", -1) > '-1'::bigint
)

-- RunTime ge 1
(
  greatest("listed"."run_time", -1) >= takt.ceiling_units($1::bigint, 6)
  AND greatest("listed"."run_time", -1) > '-1'::bigint
)

-- ProductName eq 'a'
(
  CASE WHEN takt.are_few_products(
    regexp_replace(
      CASE WHEN octet_length($1::text) = length($2::text) THEN casefold($3::text COLLATE "und-x-icu") ELSE normalize(casefold($4::text COLLATE "und-x-icu")) END,
      '([\\%_])',
      '\\\1',
      'g'
    )
  ) THEN "listed"."product_id" = ANY (
    (
      SELECT takt.find_products(
        regexp_replace(
          CASE WHEN octet_length($5::text) = length($6::text) THEN casefold($7::text COLLATE "und-x-icu") ELSE normalize(casefold($8::text COLLATE "und-x-icu")) END,
          '([\\%_])',
          '\\\1',
          'g'
        )
      )
    )::bigint[]
  ) ELSE CASE WHEN octet_length("listed"."product_name") = length("listed"."product_name") THEN casefold("listed"."product_name" COLLATE "und-x-icu") ELSE normalize(casefold("listed"."product_name" COLLATE "und-x-icu")) END = CASE WHEN octet_length($9::text) = length($10::text) THEN casefold($11::text COLLATE "und-x-icu") ELSE normalize(casefold($12::text COLLATE "und-x-icu")) END END
)

-- ProductName ne 'a'
CASE WHEN octet_length("listed"."product_name") = length("listed"."product_name") THEN casefold("listed"."product_name" COLLATE "und-x-icu") ELSE normalize(casefold("listed"."product_name" COLLATE "und-x-icu")) END <> CASE WHEN octet_length($1::text) = length($2::text) THEN casefold($3::text COLLATE "und-x-icu") ELSE normalize(casefold($4::text COLLATE "und-x-icu")) END

-- RunTime eq null
greatest("listed"."run_time", -1) = '-1'::bigint

-- RunTime ne null
greatest("listed"."run_time", -1) > '-1'::bigint

-- RunTime lt null
false

-- RunTime eq 1.5
greatest("listed"."run_time", -1) = takt.same_units($1::numeric, 6, 0)

-- RunTime gt SetupTime
(
  greatest("listed"."run_time", -1) > greatest("listed"."setup_time", -1)
  AND "listed"."run_time" IS NOT NULL
  AND "listed"."setup_time" IS NOT NULL
)

-- CleanupTimeMeanHigh lt 5
(
  greatest(
    takt.mean_bound(
      "listed"."cleanup_time_count", "listed"."cleanup_time_sum", "listed"."cleanup_time_sum_of_squares", 1
    ),
    '-9223372036854775808'::bigint
  ) < takt.ceiling_units($1::bigint, 6)
  AND greatest(
    takt.mean_bound(
      "listed"."cleanup_time_count", "listed"."cleanup_time_sum", "listed"."cleanup_time_sum_of_squares", 1
    ),
    '-9223372036854775808'::bigint
  ) > '-9223372036854775808'::bigint
)

-- CleanupTimeVerdict eq 'a'
takt.verdict_of_mean(
  "listed"."cleanup_time_count",
  "listed"."cleanup_time_sum",
  "listed"."cleanup_time_sum_of_squares",
  "listed"."deviation_cleanup_time",
  "listed"."cleanup_time_hours_over_plan",
  "listed"."cleanup_time"
) = CASE WHEN octet_length($1::text) = length($2::text) THEN casefold($3::text COLLATE "und-x-icu") ELSE normalize(casefold($4::text COLLATE "und-x-icu")) END

-- RunTime in (1, 2.5, null)
(
  greatest("listed"."run_time", -1) = ANY (takt.same_units($1::numeric[], 6, 0))
  OR greatest("listed"."run_time", -1) = '-1'::bigint
)

-- ProductName in ('a', 'b')
CASE WHEN octet_length("listed"."product_name") = length("listed"."product_name") THEN casefold("listed"."product_name" COLLATE "und-x-icu") ELSE normalize(casefold("listed"."product_name" COLLATE "und-x-icu")) END IN (
  SELECT CASE WHEN octet_length(listed_value) = length(listed_value) THEN casefold(listed_value COLLATE "und-x-icu") ELSE normalize(casefold(listed_value COLLATE "und-x-icu")) END
  FROM unnest($1::text[]) AS listed_value
)

-- startswith(ProductName, 'a')
(
  (
    "listed"."product_name" >= ($1::text COLLATE "und-x-icu")
    AND "listed"."product_name" < ($2::text COLLATE "und-x-icu")
  )
  AND coalesce(
    starts_with(
      CASE WHEN octet_length("listed"."product_name") = length("listed"."product_name") THEN casefold("listed"."product_name" COLLATE "und-x-icu") ELSE normalize(casefold("listed"."product_name" COLLATE "und-x-icu")) END,
      CASE WHEN octet_length($3::text) = length($4::text) THEN casefold($5::text COLLATE "und-x-icu") ELSE normalize(casefold($6::text COLLATE "und-x-icu")) END
    ),
    false
  )
)

-- startswith(ProductName, Revision)
starts_with(
  CASE WHEN octet_length("listed"."product_name") = length("listed"."product_name") THEN casefold("listed"."product_name" COLLATE "und-x-icu") ELSE normalize(casefold("listed"."product_name" COLLATE "und-x-icu")) END,
  CASE WHEN octet_length("listed"."revision") = length("listed"."revision") THEN casefold("listed"."revision" COLLATE "und-x-icu") ELSE normalize(casefold("listed"."revision" COLLATE "und-x-icu")) END
)

-- endswith(ProductName, 'a')
(
  CASE WHEN takt.are_few_products(
    (
      '%' || regexp_replace(
        CASE WHEN octet_length($1::text) = length($2::text) THEN casefold($3::text COLLATE "und-x-icu") ELSE normalize(casefold($4::text COLLATE "und-x-icu")) END,
        '([\\%_])',
        '\\\1',
        'g'
      )
    )
  ) THEN "listed"."product_id" = ANY (
    (
      SELECT takt.find_products(
        (
          '%' || regexp_replace(
            CASE WHEN octet_length($5::text) = length($6::text) THEN casefold($7::text COLLATE "und-x-icu") ELSE normalize(casefold($8::text COLLATE "und-x-icu")) END,
            '([\\%_])',
            '\\\1',
            'g'
          )
        )
      )
    )::bigint[]
  ) ELSE (
    right(
      CASE WHEN octet_length("listed"."product_name") = length("listed"."product_name") THEN casefold("listed"."product_name" COLLATE "und-x-icu") ELSE normalize(casefold("listed"."product_name" COLLATE "und-x-icu")) END,
      length(
        CASE WHEN octet_length($9::text) = length($10::text) THEN casefold($11::text COLLATE "und-x-icu") ELSE normalize(casefold($12::text COLLATE "und-x-icu")) END
      )
    ) = CASE WHEN octet_length($13::text) = length($14::text) THEN casefold($15::text COLLATE "und-x-icu") ELSE normalize(casefold($16::text COLLATE "und-x-icu")) END
  ) END
)

-- endswith(ProductName, Revision)
(
  right(
    CASE WHEN octet_length("listed"."product_name") = length("listed"."product_name") THEN casefold("listed"."product_name" COLLATE "und-x-icu") ELSE normalize(casefold("listed"."product_name" COLLATE "und-x-icu")) END,
    length(
      CASE WHEN octet_length("listed"."revision") = length("listed"."revision") THEN casefold("listed"."revision" COLLATE "und-x-icu") ELSE normalize(casefold("listed"."revision" COLLATE "und-x-icu")) END
    )
  ) = CASE WHEN octet_length("listed"."revision") = length("listed"."revision") THEN casefold("listed"."revision" COLLATE "und-x-icu") ELSE normalize(casefold("listed"."revision" COLLATE "und-x-icu")) END
)

-- contains(ProductName, 'a')
(
  CASE WHEN takt.are_few_products(
    (
      '%' || regexp_replace(
        CASE WHEN octet_length($1::text) = length($2::text) THEN casefold($3::text COLLATE "und-x-icu") ELSE normalize(casefold($4::text COLLATE "und-x-icu")) END,
        '([\\%_])',
        '\\\1',
        'g'
      ) || '%'
    )
  ) THEN "listed"."product_id" = ANY (
    (
      SELECT takt.find_products(
        (
          '%' || regexp_replace(
            CASE WHEN octet_length($5::text) = length($6::text) THEN casefold($7::text COLLATE "und-x-icu") ELSE normalize(casefold($8::text COLLATE "und-x-icu")) END,
            '([\\%_])',
            '\\\1',
            'g'
          ) || '%'
        )
      )
    )::bigint[]
  ) ELSE (
    position(
      CASE WHEN octet_length($9::text) = length($10::text) THEN casefold($11::text COLLATE "und-x-icu") ELSE normalize(casefold($12::text COLLATE "und-x-icu")) END IN CASE WHEN octet_length("listed"."product_name") = length("listed"."product_name") THEN casefold("listed"."product_name" COLLATE "und-x-icu") ELSE normalize(casefold("listed"."product_name" COLLATE "und-x-icu")) END
    ) > 0
  ) END
)

-- contains(ProductName, Revision)
(
  position(
    CASE WHEN octet_length("listed"."revision") = length("listed"."revision") THEN casefold("listed"."revision" COLLATE "und-x-icu") ELSE normalize(casefold("listed"."revision" COLLATE "und-x-icu")) END IN CASE WHEN octet_length("listed"."product_name") = length("listed"."product_name") THEN casefold("listed"."product_name" COLLATE "und-x-icu") ELSE normalize(casefold("listed"."product_name" COLLATE "und-x-icu")) END
  ) > 0
)

-- tolower(ProductName) eq 'a'
normalize(
  casefold(lower("listed"."product_name" COLLATE "und-x-icu") COLLATE "und-x-icu")
) = CASE WHEN octet_length($1::text) = length($2::text) THEN casefold($3::text COLLATE "und-x-icu") ELSE normalize(casefold($4::text COLLATE "und-x-icu")) END

-- toupper(ProductName) eq 'a'
normalize(
  casefold(upper("listed"."product_name" COLLATE "und-x-icu") COLLATE "und-x-icu")
) = CASE WHEN octet_length($1::text) = length($2::text) THEN casefold($3::text COLLATE "und-x-icu") ELSE normalize(casefold($4::text COLLATE "und-x-icu")) END

-- trim(ProductName) eq 'a'
normalize(
  casefold(btrim("listed"."product_name", E' \t\n\r\f\v\u00a0') COLLATE "und-x-icu")
) = CASE WHEN octet_length($1::text) = length($2::text) THEN casefold($3::text COLLATE "und-x-icu") ELSE normalize(casefold($4::text COLLATE "und-x-icu")) END

-- concat(ProductName, 'b') eq 'a'
normalize(
  casefold(("listed"."product_name" || $1::text) COLLATE "und-x-icu")
) = CASE WHEN octet_length($2::text) = length($3::text) THEN casefold($4::text COLLATE "und-x-icu") ELSE normalize(casefold($5::text COLLATE "und-x-icu")) END

-- substring(ProductName, 2, 3) eq 'a'
normalize(
  casefold(takt.part_of_text("listed"."product_name", $1::numeric, $2::numeric) COLLATE "und-x-icu")
) = CASE WHEN octet_length($3::text) = length($4::text) THEN casefold($5::text COLLATE "und-x-icu") ELSE normalize(casefold($6::text COLLATE "und-x-icu")) END

-- length(ProductName) eq 1
length("listed"."product_name") = $1::bigint

-- indexof(ProductName, 'b') eq 1
takt.place_in_text("listed"."product_name", $1::text) = $2::bigint

-- round(RunTime) eq 1
round(("listed"."run_time" * 0.000001)) = $1::bigint

-- floor(RunTime) eq 1
floor(("listed"."run_time" * 0.000001)) = $1::bigint

-- ceiling(RunTime) eq 1
ceil(("listed"."run_time" * 0.000001)) = $1::bigint

-- RunTime add SetupTime gt 1.5
(("listed"."run_time" * 0.000001) + ("listed"."setup_time" * 0.000001)) > $1::numeric

-- RunTime sub SetupTime gt 1.5
(("listed"."run_time" * 0.000001) - ("listed"."setup_time" * 0.000001)) > $1::numeric

-- RunTime mul SetupTime gt 1.5
(("listed"."run_time" * 0.000001) * ("listed"."setup_time" * 0.000001)) > $1::numeric

-- RunTime div SetupTime gt 1.5
(
  div(("listed"."run_time" * 0.000001) * 1e20, nullif(("listed"."setup_time" * 0.000001), 0)) * 1e-20
) > $1::numeric

-- RunTime mod SetupTime gt 1.5
mod(("listed"."run_time" * 0.000001), nullif(("listed"."setup_time" * 0.000001), 0)) > $1::numeric

-- -RunTime lt -(1 add 2)
(- ("listed"."run_time" * 0.000001)) < (- ($1::numeric + $2::numeric))

-- RunTime gt 2 mul 3
(
  greatest("listed"."run_time", -1) > takt.floor_units(($1::numeric * $2::numeric), 6)
  AND greatest("listed"."run_time", -1) > '-1'::bigint
)

-- substring(ProductName, 1) eq 'a'
normalize(
  casefold(takt.part_of_text("listed"."product_name", $1::numeric, 2147483647) COLLATE "und-x-icu")
) = CASE WHEN octet_length($2::text) = length($3::text) THEN casefold($4::text COLLATE "und-x-icu") ELSE normalize(casefold($5::text COLLATE "und-x-icu")) END

-- not true or RunTime eq 1
(false OR greatest("listed"."run_time", -1) = takt.same_units($1::bigint, 6, 0))

-- not (RunTime gt 1)
greatest("listed"."run_time", -1) <= greatest(takt.floor_units($1::bigint, 6), '-1'::bigint)

-- not (RunTime gt null)
true

-- RunTime gt 1 and (SetupTime lt 5 or not contains(ProductName, 'a'))
(
  (
    greatest("listed"."run_time", -1) > takt.floor_units($1::bigint, 6)
    AND greatest("listed"."run_time", -1) > '-1'::bigint
  )
  AND (
    (
      greatest("listed"."setup_time", -1) < takt.ceiling_units($2::bigint, 6)
      AND greatest("listed"."setup_time", -1) > '-1'::bigint
    )
    OR (
      (
        CASE WHEN takt.are_few_products(
          (
            '%' || regexp_replace(
              CASE WHEN octet_length($3::text) = length($4::text) THEN casefold($5::text COLLATE "und-x-icu") ELSE normalize(casefold($6::text COLLATE "und-x-icu")) END,
              '([\\%_])',
              '\\\1',
              'g'
            ) || '%'
          )
        ) THEN "listed"."product_id" = ANY (
          (
            SELECT takt.find_products(
              (
                '%' || regexp_replace(
                  CASE WHEN octet_length($7::text) = length($8::text) THEN casefold($9::text COLLATE "und-x-icu") ELSE normalize(casefold($10::text COLLATE "und-x-icu")) END,
                  '([\\%_])',
                  '\\\1',
                  'g'
                ) || '%'
              )
            )
          )::bigint[]
        ) ELSE (
          position(
            CASE WHEN octet_length($11::text) = length($12::text) THEN casefold($13::text COLLATE "und-x-icu") ELSE normalize(casefold($14::text COLLATE "und-x-icu")) END IN CASE WHEN octet_length("listed"."product_name") = length("listed"."product_name") THEN casefold("listed"."product_name" COLLATE "und-x-icu") ELSE normalize(casefold("listed"."product_name" COLLATE "und-x-icu")) END
          ) > 0
        ) END
      ) IS NOT TRUE
    )
  )
)

-- ProductId eq 1
"listed"."product_id" = $1::bigint

-- Revision eq 'a'
CASE WHEN octet_length("listed"."revision") = length("listed"."revision") THEN casefold("listed"."revision" COLLATE "und-x-icu") ELSE normalize(casefold("listed"."revision" COLLATE "und-x-icu")) END = CASE WHEN octet_length($1::text) = length($2::text) THEN casefold($3::text COLLATE "und-x-icu") ELSE normalize(casefold($4::text COLLATE "und-x-icu")) END

-- ProductId in (1, 2)
"listed"."product_id" = ANY ($1::bigint[])

-- ProductId in (1, 2.5)
"listed"."product_id" = ANY (takt.same_units($1::numeric[], 0, -9223372036854775807))

-- not (ProductStatus ne 1)
(
  (
    ("listed"."company_id", "listed"."product_id") IN (
      SELECT "named"."company_id", "named"."product_id"
      FROM "takt"."products" AS named
      WHERE "named"."status" <> $1::bigint
    )
  ) IS NOT TRUE
)

-- ProductStatus in (1, 2)
(
  ("listed"."company_id", "listed"."product_id") IN (
    SELECT "named"."company_id", "named"."product_id"
    FROM "takt"."products" AS named
    WHERE "named"."status" = ANY ($1::bigint[])
  )
)

-- ProductStatus eq null
(
  ("listed"."company_id", "listed"."product_id") IN (
    SELECT "named"."company_id", "named"."product_id"
    FROM "takt"."products" AS named
    WHERE ("named"."status" IS NULL)
  )
)

-- ProductStatus eq ProductId
(
  SELECT "named"."status"
  FROM "takt"."products" AS named
  WHERE "named"."company_id" = $1::integer AND "named"."product_id" = "listed"."product_id"
) = "listed"."product_id"

-- ProductStatus eq ProductStatus add 1
(
  ("listed"."company_id", "listed"."product_id") IN (
    SELECT "named"."company_id", "named"."product_id"
    FROM "takt"."products" AS named
    WHERE "named"."status" = ("named"."status"::numeric + $1::numeric)
  )
)

-- startswith(ProductType, ProductType)
(
  ("listed"."company_id", "listed"."product_id") IN (
    SELECT "named"."company_id", "named"."product_id"
    FROM "takt"."products" AS named
    WHERE starts_with(
      CASE WHEN octet_length("named"."type") = length("named"."type") THEN casefold("named"."type" COLLATE "und-x-icu") ELSE normalize(casefold("named"."type" COLLATE "und-x-icu")) END,
      CASE WHEN octet_length("named"."type") = length("named"."type") THEN casefold("named"."type" COLLATE "und-x-icu") ELSE normalize(casefold("named"."type" COLLATE "und-x-icu")) END
    )
  )
)
