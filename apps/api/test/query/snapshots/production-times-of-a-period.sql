-- from=2025-04   to=2025-06   $select=ProductStructureVersionId   $orderby=HoursOverPlan desc   $inlinecount=allpages   $expand=Summary   page=first
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
