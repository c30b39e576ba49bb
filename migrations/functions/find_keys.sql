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

-- Returns the numbers of at most as many keys that match a pattern of LIKE. The pattern is folded and in composed characters.
-- Without wildcards it must equal the folded key. The kind is compared as its column is, so that the planner knows the indexes.
CREATE FUNCTION takt.match_keys(named_kind text, pattern text, most bigint) RETURNS SETOF bigint
LANGUAGE plpgsql STABLE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  company integer := takt.session_company();
  whole text := regexp_replace(pattern, '\\(.)', '\1', 'g');
BEGIN
  IF regexp_replace(pattern, '\\.', '', 'g') ~ '[%_]' THEN
    RETURN QUERY SELECT number FROM takt.object_keys
      WHERE company_id = company AND kind = named_kind COLLATE "default"
        AND takt.folded_key(key) COLLATE "und-x-icu" LIKE pattern
      LIMIT most;
  ELSE
    RETURN QUERY SELECT number FROM takt.object_keys
      WHERE company_id = company AND kind = named_kind COLLATE "default"
        AND takt.folded_key(key) COLLATE "C" = whole
      LIMIT most;
  END IF;
END $$;

-- True if so few keys match a pattern that their objects are found fastest by their numbers. IMMUTABLE as are_few_products.
CREATE FUNCTION takt.are_few_keys(named_kind text, pattern text) RETURNS boolean
LANGUAGE sql IMMUTABLE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$ SELECT count(*) <= 1000 FROM takt.match_keys(named_kind, pattern, 1001) $$;

CREATE FUNCTION takt.find_keys(named_kind text, pattern text) RETURNS bigint[]
LANGUAGE sql STABLE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$ SELECT coalesce(array_agg(number), '{}') FROM takt.match_keys(named_kind, pattern, 9223372036854775807) AS number $$;

REVOKE EXECUTE ON FUNCTION takt.match_keys(text, text, bigint), takt.has_keys(text), takt.are_few_keys(text, text), takt.find_keys(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.has_keys(text), takt.are_few_keys(text, text), takt.find_keys(text, text) TO takt_api;
