-- The search of structure versions by words. These are functions for the reasons in find_products.sql, only for the
-- session's company.
-- patterns: of LIKE, each compared with all texts of a structure version (takt.structure_version_texts) ignoring case;
-- all must match. An index does not support ALL of an array, so the first four are given one by one. Planned for each
-- array, whose patterns may be rare or not.

-- True if so few structure versions match that a list is best found by them. Otherwise it is read in its order, since
-- it finds matches soon. Declared IMMUTABLE although it is not, so that the planner calls it (see are_few_products).
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

-- Exactly the listed structure versions have texts.
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
