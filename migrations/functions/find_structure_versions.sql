-- Functions that search structure versions by words. They are functions for the reasons given in find_products.sql, and
-- only search the company of the session.
--
-- patterns: patterns of LIKE, each compared with all texts of a structure version (takt.structure_version_texts)
-- ignoring case; all must match. An index does not support ALL of an array, so the first four patterns are written as
-- separate conditions.
--
-- Each call is planned for its patterns, which may match few or many rows.

-- True if so few structure versions match that a list is found fastest by reading these. Otherwise the list is read in
-- its order, because matches are then found soon. Declared IMMUTABLE, although it is not, so that the planner calls it
-- (see are_few_products).
CREATE FUNCTION takt.are_few_structure_versions(patterns text[]) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  company integer := takt.session_company();
BEGIN
  RETURN (
    SELECT count(*) <= 1000 FROM (
      SELECT FROM takt.structure_version_texts
      WHERE company_id = company AND folded LIKE ALL (patterns)
        AND folded LIKE patterns[1] AND folded LIKE coalesce(patterns[2], '%')
        AND folded LIKE coalesce(patterns[3], '%') AND folded LIKE coalesce(patterns[4], '%')
      LIMIT 1001
    ) AS found
  );
END $$;

CREATE FUNCTION takt.find_structure_versions(patterns text[]) RETURNS bigint[]
LANGUAGE plpgsql STABLE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  company integer := takt.session_company();
BEGIN
  RETURN (
    SELECT coalesce(array_agg(product_structure_version_id), '{}') FROM takt.structure_version_texts
    WHERE company_id = company AND folded LIKE ALL (patterns)
      AND folded LIKE patterns[1] AND folded LIKE coalesce(patterns[2], '%')
      AND folded LIKE coalesce(patterns[3], '%') AND folded LIKE coalesce(patterns[4], '%')
  );
END $$;

-- Counts rows of texts, because exactly the listed structure versions have texts.
CREATE FUNCTION takt.count_structure_versions(patterns text[]) RETURNS bigint
LANGUAGE plpgsql STABLE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  company integer := takt.session_company();
BEGIN
  RETURN (
    SELECT count(*) FROM takt.structure_version_texts
    WHERE company_id = company AND folded LIKE ALL (patterns)
      AND folded LIKE patterns[1] AND folded LIKE coalesce(patterns[2], '%')
      AND folded LIKE coalesce(patterns[3], '%') AND folded LIKE coalesce(patterns[4], '%')
  );
END $$;

REVOKE EXECUTE ON FUNCTION takt.are_few_structure_versions(text[]), takt.find_structure_versions(text[]),
  takt.count_structure_versions(text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.are_few_structure_versions(text[]), takt.find_structure_versions(text[]),
  takt.count_structure_versions(text[]) TO takt_api;
