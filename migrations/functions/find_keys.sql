-- Functions for filters and orders by keys. They only look at the company of the session, for the reasons given in
-- find_products.sql. kind: a kind of takt.object_keys.

-- True if the company names the kind by keys. Then each of its objects has a key, and the index of keys has them all. It
-- is declared IMMUTABLE, although it is not, so that the planner knows the answer and can use the index. A statement with it must
-- not be prepared.
CREATE FUNCTION takt.has_keys(named_kind text) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  company integer := takt.session_company();
BEGIN
  RETURN EXISTS (SELECT FROM takt.key_counters WHERE company_id = company AND kind = named_kind);
END $$;

-- True if so few keys match a pattern of LIKE that their objects are found fastest by their numbers. The pattern is folded
-- and in composed characters.
CREATE FUNCTION takt.are_few_keys(named_kind text, pattern text) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  company integer := takt.session_company();
BEGIN
  RETURN (
    SELECT count(*) <= 1000 FROM (
      SELECT FROM takt.object_keys
      WHERE company_id = company AND kind = named_kind AND takt.folded_key(key) COLLATE "und-x-icu" LIKE pattern
      LIMIT 1001
    ) AS found
  );
END $$;

CREATE FUNCTION takt.find_keys(named_kind text, pattern text) RETURNS bigint[]
LANGUAGE plpgsql STABLE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  company integer := takt.session_company();
BEGIN
  RETURN (
    SELECT coalesce(array_agg(number), '{}') FROM takt.object_keys
    WHERE company_id = company AND kind = named_kind AND takt.folded_key(key) COLLATE "und-x-icu" LIKE pattern
  );
END $$;

REVOKE EXECUTE ON FUNCTION takt.has_keys(text), takt.are_few_keys(text, text), takt.find_keys(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.has_keys(text), takt.are_few_keys(text, text), takt.find_keys(text, text) TO takt_api;
