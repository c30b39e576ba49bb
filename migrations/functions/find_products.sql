-- Functions that search products by name. They are functions because LIKE is not leakproof: in a statement of the API
-- it would only be applied after row-level security, so that the index of names could not be used. The functions run as
-- the owner, but only search the company of the session; without a company key they find nothing.
--
-- pattern: a pattern of LIKE, which is compared with the name ignoring case, in composed characters. Without wildcards it
-- must equal the name. The few names that have decomposed characters have an index of their own.
--
-- Each call is planned for its pattern, because a generic plan assumes that every pattern matches few names.

-- True if so few products match that it is fastest to read their structure versions. Otherwise the list is read in its
-- order, because matches are then found soon. The result only decides how rows are found, never which rows. It is
-- declared IMMUTABLE, although it is not: so the planner calls it and can choose between the two ways.
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
      WHERE company_id = company AND (folded_name LIKE pattern AND folded_name IS NFC NORMALIZED
        OR folded_name IS NOT NFC NORMALIZED AND normalize(folded_name) LIKE pattern)
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
    WHERE company_id = company AND (folded_name LIKE pattern AND folded_name IS NFC NORMALIZED
      OR folded_name IS NOT NFC NORMALIZED AND normalize(folded_name) LIKE pattern)
  );
END $$;

REVOKE EXECUTE ON FUNCTION takt.are_few_products(text), takt.find_products(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.are_few_products(text), takt.find_products(text) TO takt_api;
