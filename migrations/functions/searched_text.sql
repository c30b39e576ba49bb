-- What a search looks into of a structure version: the names of product and structure version without regard to case, and
-- their identifiers, a line each. The one place that says so: as it is written, audited and rebuilt.
--
-- STABLE, as turning a number into text is, so that it becomes part of the statement that calls it.
CREATE FUNCTION takt.searched_text(product_name text, name text, product_id bigint, product_structure_version_id bigint)
RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT casefold(product_name) || E'\n' || casefold(name) || E'\n' || product_id || E'\n' || product_structure_version_id
$$;

REVOKE EXECUTE ON FUNCTION takt.searched_text(text, text, bigint, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.searched_text(text, text, bigint, bigint) TO takt_worker;
