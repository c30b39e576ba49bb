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
          greatest(
            takt.mean_bound(
              "listed"."cleanup_time_count",
              "listed"."cleanup_time_sum",
              "listed"."cleanup_time_sum_of_squares",
              1
            ),
            '-9223372036854775808'::bigint
          ) < takt.ceiling_units($5::bigint, 6)
          AND greatest(
            takt.mean_bound(
              "listed"."cleanup_time_count",
              "listed"."cleanup_time_sum",
              "listed"."cleanup_time_sum_of_squares",
              1
            ),
            '-9223372036854775808'::bigint
          ) > '-9223372036854775808'::bigint
        )
      )
    ORDER BY "sort_0" ASC, "sort_1" ASC
    LIMIT 82
  ) AS most
  LIMIT $6::bigint + 2
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = $7::integer
  AND "product"."product_id" = "listed"."product_id";

-- $orderby=RunTime,ProductName desc,CleanupTimeMeanHigh   page=after   walk false 100
SELECT coalesce(
    json_agg(
      json_build_array("listed"."product_structure_version_id", "sort_0", "sort_1", "sort_2"::text, "sort_3")
      ORDER BY "sort_0" ASC, "sort_1" DESC, "sort_2" ASC, "sort_3" ASC
    ) FILTER (WHERE NOT is_end),
    '[]'::json
  ) AS rows,
  (
    json_agg(json_build_array("sort_0", "sort_1", "sort_2"::text, "sort_3")) FILTER (WHERE is_end)
  ) -> 0 AS ended,
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
        greatest(
          takt.mean_bound(
            "listed"."cleanup_time_count",
            "listed"."cleanup_time_sum",
            "listed"."cleanup_time_sum_of_squares",
            1
          ),
          '-9223372036854775808'::bigint
        ) AS "sort_2",
        "listed"."product_structure_version_id" AS "sort_3",
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
          greatest(
            takt.mean_bound(
              "listed"."cleanup_time_count",
              "listed"."cleanup_time_sum",
              "listed"."cleanup_time_sum_of_squares",
              1
            ),
            '-9223372036854775808'::bigint
          ) < takt.ceiling_units($4::bigint, 6)
          AND greatest(
            takt.mean_bound(
              "listed"."cleanup_time_count",
              "listed"."cleanup_time_sum",
              "listed"."cleanup_time_sum_of_squares",
              1
            ),
            '-9223372036854775808'::bigint
          ) > '-9223372036854775808'::bigint
        )
        AND (
          "sort_0" >= $5::bigint
          AND (
            ("sort_0" > $6::bigint)
            OR ("sort_0" = $7::bigint AND "sort_1" < $8::text)
            OR ("sort_0" = $9::bigint AND "sort_1" = $10::text AND "sort_2" > $11::bigint)
            OR (
              "sort_0" = $12::bigint
              AND "sort_1" = $13::text
              AND "sort_2" = $14::bigint
              AND "sort_3" > $15::bigint
            )
          )
        )
      )
    ORDER BY "sort_0" ASC, is_end DESC, "sort_1" DESC, "sort_2" ASC, "sort_3" ASC
    LIMIT 82
  ) AS most
  LIMIT $16::bigint + 2
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = $17::integer
  AND "product"."product_id" = "listed"."product_id";

-- $orderby=RunTime,ProductName desc,CleanupTimeMeanHigh   page=after   walk true 100
SELECT coalesce(
    json_agg(
      json_build_array("listed"."product_structure_version_id", "sort_0", "sort_1", "sort_2"::text, "sort_3")
      ORDER BY "sort_0" ASC, "sort_1" DESC, "sort_2" ASC, "sort_3" ASC
    ) FILTER (WHERE NOT is_end),
    '[]'::json
  ) AS rows,
  (
    json_agg(json_build_array("sort_0", "sort_1", "sort_2"::text, "sort_3")) FILTER (WHERE is_end)
  ) -> 0 AS ended,
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
        greatest(
          takt.mean_bound(
            "listed"."cleanup_time_count",
            "listed"."cleanup_time_sum",
            "listed"."cleanup_time_sum_of_squares",
            1
          ),
          '-9223372036854775808'::bigint
        ) AS "sort_2",
        "listed"."product_structure_version_id" AS "sort_3",
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
          greatest(
            takt.mean_bound(
              "listed"."cleanup_time_count",
              "listed"."cleanup_time_sum",
              "listed"."cleanup_time_sum_of_squares",
              1
            ),
            '-9223372036854775808'::bigint
          ) < takt.ceiling_units($4::bigint, 6)
          AND greatest(
            takt.mean_bound(
              "listed"."cleanup_time_count",
              "listed"."cleanup_time_sum",
              "listed"."cleanup_time_sum_of_squares",
              1
            ),
            '-9223372036854775808'::bigint
          ) > '-9223372036854775808'::bigint
        )
      )
    ORDER BY "sort_0" ASC, is_end DESC, "sort_1" DESC, "sort_2" ASC, "sort_3" ASC
    LIMIT 82
  ) AS most
  LIMIT $5::bigint + 2
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = $6::integer
  AND "product"."product_id" = "listed"."product_id";

-- $orderby=RunTime,ProductName desc,CleanupTimeMeanHigh   page=after   sifted true
SELECT coalesce(
    json_agg(
      json_build_array("listed"."product_structure_version_id", "sort_0", "sort_1", "sort_2"::text, "sort_3")
      ORDER BY "sort_0" ASC, "sort_1" DESC, "sort_2" ASC, "sort_3" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size,
  current_setting('takt.company_key', true) AS "companyKey"
FROM (
  SELECT listed.*, "sort_0", "sort_1", "sort_2", "sort_3"
  FROM (
      SELECT *
      FROM (
        SELECT *
        FROM (
          SELECT "listed"."product_structure_version_id" AS found_key,
            greatest("listed"."run_time", -1) AS "sort_0",
            "listed"."product_name" AS "sort_1",
            greatest(
              takt.mean_bound(
                "listed"."cleanup_time_count",
                "listed"."cleanup_time_sum",
                "listed"."cleanup_time_sum_of_squares",
                1
              ),
              '-9223372036854775808'::bigint
            ) AS "sort_2",
            "listed"."product_structure_version_id" AS "sort_3"
          FROM "takt"."product_structure_versions" AS listed
          WHERE "listed"."company_id" = $1::integer
            AND "listed"."changed_at" is not null
            AND (
              (
                greatest("listed"."run_time", -1) > takt.floor_units($2::bigint, 6)
                AND greatest("listed"."run_time", -1) > '-1'::bigint
              )
              AND (
                greatest(
                  takt.mean_bound(
                    "listed"."cleanup_time_count",
                    "listed"."cleanup_time_sum",
                    "listed"."cleanup_time_sum_of_squares",
                    1
                  ),
                  '-9223372036854775808'::bigint
                ) < takt.ceiling_units($3::bigint, 6)
                AND greatest(
                  takt.mean_bound(
                    "listed"."cleanup_time_count",
                    "listed"."cleanup_time_sum",
                    "listed"."cleanup_time_sum_of_squares",
                    1
                  ),
                  '-9223372036854775808'::bigint
                ) > '-9223372036854775808'::bigint
              )
            )
            AND greatest("listed"."run_time", -1) >= $4::bigint
            AND (
              (greatest("listed"."run_time", -1) > $5::bigint)
              OR (greatest("listed"."run_time", -1) = $6::bigint AND "listed"."product_name" < $7::text)
              OR (
                greatest("listed"."run_time", -1) = $8::bigint
                AND "listed"."product_name" = $9::text
                AND greatest(
                  takt.mean_bound(
                    "listed"."cleanup_time_count",
                    "listed"."cleanup_time_sum",
                    "listed"."cleanup_time_sum_of_squares",
                    1
                  ),
                  '-9223372036854775808'::bigint
                ) > $10::bigint
              )
              OR (
                greatest("listed"."run_time", -1) = $11::bigint
                AND "listed"."product_name" = $12::text
                AND greatest(
                  takt.mean_bound(
                    "listed"."cleanup_time_count",
                    "listed"."cleanup_time_sum",
                    "listed"."cleanup_time_sum_of_squares",
                    1
                  ),
                  '-9223372036854775808'::bigint
                ) = $13::bigint
                AND "listed"."product_structure_version_id" > $14::bigint
              )
            )
            AND greatest("listed"."run_time", -1) = $15::bigint
          OFFSET 0
        ) AS sifted
        ORDER BY "sort_0" ASC, "sort_1" DESC, "sort_2" ASC, "sort_3" ASC
        LIMIT 81
      ) AS most
      LIMIT $16::bigint + 1
    ) AS found,
    "takt"."product_structure_versions" AS listed
  WHERE "listed"."company_id" = $17::integer
    AND "listed"."changed_at" is not null
    AND "listed"."product_structure_version_id" = found_key
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = $18::integer
  AND "product"."product_id" = "listed"."product_id";

-- $orderby=RunTime,ProductName desc,CleanupTimeMeanHigh   page=after   sifted false
SELECT coalesce(
    json_agg(
      json_build_array("listed"."product_structure_version_id", "sort_0", "sort_1", "sort_2"::text, "sort_3")
      ORDER BY "sort_0" ASC, "sort_1" DESC, "sort_2" ASC, "sort_3" ASC
    ),
    '[]'::json
  ) AS rows,
  NULL AS size,
  current_setting('takt.company_key', true) AS "companyKey"
FROM (
  SELECT listed.*, "sort_0", "sort_1", "sort_2", "sort_3"
  FROM (
      SELECT *
      FROM (
        SELECT *
        FROM (
          SELECT "listed"."product_structure_version_id" AS found_key,
            greatest("listed"."run_time", -1) AS "sort_0",
            "listed"."product_name" AS "sort_1",
            greatest(
              takt.mean_bound(
                "listed"."cleanup_time_count",
                "listed"."cleanup_time_sum",
                "listed"."cleanup_time_sum_of_squares",
                1
              ),
              '-9223372036854775808'::bigint
            ) AS "sort_2",
            "listed"."product_structure_version_id" AS "sort_3"
          FROM "takt"."product_structure_versions" AS listed
          WHERE "listed"."company_id" = $1::integer
            AND "listed"."changed_at" is not null
            AND (
              (
                greatest("listed"."run_time", -1) > takt.floor_units($2::bigint, 6)
                AND greatest("listed"."run_time", -1) > '-1'::bigint
              )
              AND (
                greatest(
                  takt.mean_bound(
                    "listed"."cleanup_time_count",
                    "listed"."cleanup_time_sum",
                    "listed"."cleanup_time_sum_of_squares",
                    1
                  ),
                  '-9223372036854775808'::bigint
                ) < takt.ceiling_units($3::bigint, 6)
                AND greatest(
                  takt.mean_bound(
                    "listed"."cleanup_time_count",
                    "listed"."cleanup_time_sum",
                    "listed"."cleanup_time_sum_of_squares",
                    1
                  ),
                  '-9223372036854775808'::bigint
                ) > '-9223372036854775808'::bigint
              )
            )
            AND greatest("listed"."run_time", -1) >= $4::bigint
            AND (
              (greatest("listed"."run_time", -1) > $5::bigint)
              OR (greatest("listed"."run_time", -1) = $6::bigint AND "listed"."product_name" < $7::text)
              OR (
                greatest("listed"."run_time", -1) = $8::bigint
                AND "listed"."product_name" = $9::text
                AND greatest(
                  takt.mean_bound(
                    "listed"."cleanup_time_count",
                    "listed"."cleanup_time_sum",
                    "listed"."cleanup_time_sum_of_squares",
                    1
                  ),
                  '-9223372036854775808'::bigint
                ) > $10::bigint
              )
              OR (
                greatest("listed"."run_time", -1) = $11::bigint
                AND "listed"."product_name" = $12::text
                AND greatest(
                  takt.mean_bound(
                    "listed"."cleanup_time_count",
                    "listed"."cleanup_time_sum",
                    "listed"."cleanup_time_sum_of_squares",
                    1
                  ),
                  '-9223372036854775808'::bigint
                ) = $13::bigint
                AND "listed"."product_structure_version_id" > $14::bigint
              )
            )
          OFFSET 0
        ) AS sifted
        ORDER BY "sort_0" ASC, "sort_1" DESC, "sort_2" ASC, "sort_3" ASC
        LIMIT 81
      ) AS most
      LIMIT $15::bigint + 1
    ) AS found,
    "takt"."product_structure_versions" AS listed
  WHERE "listed"."company_id" = $16::integer
    AND "listed"."changed_at" is not null
    AND "listed"."product_structure_version_id" = found_key
) AS listed
LEFT JOIN "takt"."products" AS product ON "product"."company_id" = $17::integer
  AND "product"."product_id" = "listed"."product_id";
