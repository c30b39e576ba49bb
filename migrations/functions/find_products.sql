-- The search of products by name: functions, because LIKE is not leakproof. In a statement of the API it would be tried
-- only on rows that row-level security has let through, and so without the index of the names. Here the owner asks, of
-- the session's company alone; without the key of a company there is no product.
--
-- pattern: of LIKE, compared with the name without regard to case; without wildcards it equals a name. Planned anew for
-- each pattern: the plan for any pattern takes all of them to be rare.

-- Whether so few products match that their structure versions are best found by them. Else a list is read in its order,
-- for it meets matches soon. This decides how rows are found, never which, so it is called IMMUTABLE although it is not:
-- then the planner asks it, and knows which of the two ways to plan.
CREATE FUNCTION takt.are_few_products(pattern text) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  company integer := takt.session_company();
BEGIN
  RETURN (
    SELECT count(*) <= 1000 FROM (
      SELECT FROM takt.products
      WHERE company_id = company AND folded_name LIKE pattern
      LIMIT 1001
    ) AS found
  );
END $$;

CREATE FUNCTION takt.find_products(pattern text) RETURNS bigint[]
LANGUAGE plpgsql STABLE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  company integer := takt.session_company();
BEGIN
  RETURN (
    SELECT coalesce(array_agg(product_id), '{}') FROM takt.products
    WHERE company_id = company AND folded_name LIKE pattern
  );
END $$;

REVOKE EXECUTE ON FUNCTION takt.are_few_products(text), takt.find_products(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.are_few_products(text), takt.find_products(text) TO takt_api;
