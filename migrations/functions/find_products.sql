-- The products of the session's company whose name, without regard to case, is LIKE a pattern; without wildcards, equals
-- it. None where the session has set no key of a company.
--
-- A function because LIKE is not leakproof: in a statement of the API it would be tried only on rows that row-level
-- security has let through, and so without the index of the names. Here the owner asks, of one company alone.
-- Planned anew for each pattern: the plan for any pattern takes all of them to be rare.
CREATE FUNCTION takt.find_products(pattern text) RETURNS SETOF bigint
LANGUAGE sql STABLE STRICT SECURITY DEFINER ROWS 100
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_custom_plan
AS $$
  SELECT product_id FROM takt.products
  WHERE company_id = (SELECT takt.session_company()) AND folded_name LIKE pattern
$$;

GRANT EXECUTE ON FUNCTION takt.find_products(text) TO takt_api;
