-- Production times by product, for the API of the previous version. Remove it in the next version; this version
-- computes them in its own statement (product-production-times.ts).
CREATE FUNCTION takt.product_production_times() RETURNS SETOF takt.product_production_time
LANGUAGE sql STABLE AS $$
  SELECT company_id, product_id, product.name AS product_name, product.status, product.type COLLATE "und-x-icu" AS type,
    structure_versions, operations, takt.within_bigint(planned) AS planned,
    takt.within_bigint(planned + over_plan) AS actual, takt.within_bigint(over_plan) AS hours_over_plan,
    takt.within_bigint(div(20000 * over_plan + sign(over_plan) * planned, nullif(2 * planned, 0))) AS over_plan_percent
  FROM (
    SELECT company_id, product_id, structure_versions, operations, over_plan,
      CASE WHEN over_plan IS NOT NULL THEN coalesce(planned_of_few, 0) + coalesce(planned_of_many, 0) END AS planned
    FROM (
      SELECT listed.company_id, listed.product_id, count(*) AS structure_versions,
        sum(listed.number_of_completed_operations)::bigint AS operations,
        sum(listed.hours_over_plan) AS over_plan,
        sum(takt.planned_of_few(listed.number_of_completed_operations, listed.run_time, listed.setup_time_count,
          listed.setup_time, listed.cleanup_time_count, listed.cleanup_time)) AS planned_of_few,
        sum(takt.planned_of_many(listed.number_of_completed_operations, listed.run_time, listed.setup_time_count,
          listed.setup_time, listed.cleanup_time_count, listed.cleanup_time)) AS planned_of_many
      FROM takt.product_structure_versions AS listed
      WHERE listed.changed_at IS NOT NULL
      GROUP BY listed.company_id, listed.product_id
    ) AS summed
  ) AS planned_and_over
  JOIN takt.products AS product USING (company_id, product_id)
$$;

REVOKE EXECUTE ON FUNCTION takt.product_production_times() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.product_production_times() TO takt_api;
