-- The search of products by name. These are functions because LIKE is not leakproof: in a statement of the API it would
-- be applied only after row-level security, and so without the index of names. Here the owner queries, only for the
-- session's company; without a company key there are no products.
-- pattern: of LIKE, compared with the name ignoring case; without wildcards it equals a name. Planned for each pattern,
-- because a generic plan assumes that all are rare.

-- True if so few products match that their structure versions are best found by them. Otherwise a list is read in its
-- order, since it finds matches soon. This determines how rows are found, never which, so it is declared IMMUTABLE
-- although it is not: then the planner calls it, and can choose.
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
