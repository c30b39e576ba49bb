-- Returns at most five names that are most similar to a search without results, nearest first: of products, or of
-- structure versions if these are nearer. Names that contain the searched text are excluded: they were not found
-- because of another condition. It is a function for the reasons given in find_products.sql, and only searches the
-- company of the session.
--
-- The similarity is word_similarity of pg_trgm: the share of the trigrams of the searched text that occur in the most
-- similar part of a name. Very similar names are searched first, because the index finds them quickly; if there are
-- many, a few of them are enough.
CREATE FUNCTION takt.similar_names(sought text, of_products_alone boolean) RETURNS text[]
LANGUAGE plpgsql STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  company integer := takt.session_company();
  plain text := takt.plain_text(sought);
  trigrams regnamespace := (SELECT extnamespace FROM pg_extension WHERE extname = 'pg_trgm');
  nearness text;
  found text[];
BEGIN
  -- A text of one or two letters is similar to a part of any name.
  IF length(plain) < 3 THEN
    RETURN '{}';
  END IF;
  FOREACH nearness IN ARRAY ARRAY['0.75', '0.6', '0.45', '0.3'] LOOP
    -- Unlike set_config, SET LOCAL also reaches the node that has the company. A STABLE function may not use it.
    EXECUTE format('SET LOCAL pg_trgm.word_similarity_threshold = %s', nearness);
    EXECUTE format($query$
      SELECT array_agg(name ORDER BY nearness DESC, name) FROM (
        SELECT nearest.name, max(nearest.nearness) AS nearness
        FROM (
          SELECT product_structure_version_id FROM takt.structure_version_texts
          WHERE company_id = $1 AND folded OPERATOR(%1$s.%%>) $2 LIMIT 1000
        ) AS near
        JOIN takt.product_structure_versions AS listed
          ON listed.company_id = $1 AND listed.product_structure_version_id = near.product_structure_version_id,
        LATERAL (
          SELECT named.name, %1$s.word_similarity($2, takt.spellings(named.name)) AS nearness
          FROM (VALUES (1, listed.product_name), (2, listed.name)) AS named (place, name)
          WHERE place = 1 OR NOT $3
          ORDER BY nearness DESC, place LIMIT 1
        ) AS nearest
        WHERE nearest.nearness >= $4::real AND position($2 IN takt.spellings(nearest.name)) = 0
        GROUP BY nearest.name ORDER BY nearness DESC, count(*) DESC, name LIMIT 5
      ) AS found
    $query$, trigrams) INTO found USING company, plain, of_products_alone, nearness;
    EXIT WHEN found IS NOT NULL;
  END LOOP;
  RETURN coalesce(found, '{}');
END $$;

REVOKE EXECUTE ON FUNCTION takt.similar_names(text, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.similar_names(text, boolean) TO takt_api;
