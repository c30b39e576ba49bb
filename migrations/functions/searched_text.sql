-- Functions for searches that ignore case and accents.

-- Removes case and diacritical marks from letters: 'Zahnräder' becomes 'zahnrader', 'Støpe' becomes 'stope'. It is
-- applied to each word of a search.
CREATE FUNCTION takt.plain_text(whole text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT CASE
    WHEN octet_length(whole) = length(whole) THEN casefold(whole COLLATE "und-x-icu")
    ELSE replace(replace(replace(translate(
      normalize(regexp_replace(normalize(casefold(whole COLLATE "und-x-icu"), NFD), '[\u0300-\u036f]', '', 'g'), NFC),
      'øłđðıħŧŋ', 'olddihtn'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
  END
$$;

-- Returns all spellings of a text, one per line: with its marks, without them, and written out ('ae' for 'ä', 'oe' for
-- 'ø', 'aa' for 'å').
CREATE FUNCTION takt.spellings(whole text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT CASE
    WHEN octet_length(whole) = length(whole) THEN casefold(whole COLLATE "und-x-icu")
    ELSE concat_ws(E'\n',
      casefold(whole COLLATE "und-x-icu"),
      nullif(takt.plain_text(whole), casefold(whole COLLATE "und-x-icu")),
      nullif(takt.plain_text(replace(replace(replace(replace(replace(normalize(casefold(whole COLLATE "und-x-icu"), NFC),
        'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'ø', 'oe'), 'å', 'aa')), takt.plain_text(whole)))
  END
$$;

-- Returns the searched text of a structure version: all spellings of the names of the product and the structure
-- version, and their keys, or their identifiers without keys, one per line. Writing, auditing and rebuilding all use this
-- definition. STABLE, like the conversion of a number to text, so that it can be inlined.
CREATE FUNCTION takt.searched_text(product_name text, name text, product_id bigint, product_structure_version_id bigint,
  product_key text, product_structure_version_key text)
RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT takt.spellings(product_name) || E'\n' || takt.spellings(name) || E'\n' || coalesce(takt.spellings(product_key), product_id::text)
    || E'\n' || coalesce(takt.spellings(product_structure_version_key), product_structure_version_id::text)
$$;

-- For takt audit of 1.0.0, which knows no keys. Remove it in the next version.
CREATE FUNCTION takt.searched_text(product_name text, name text, product_id bigint, product_structure_version_id bigint)
RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT takt.searched_text(product_name, name, product_id, product_structure_version_id, NULL, NULL)
$$;

REVOKE EXECUTE ON FUNCTION takt.searched_text(text, text, bigint, bigint), takt.plain_text(text), takt.spellings(text), takt.searched_text(text, text, bigint, bigint, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.plain_text(text), takt.spellings(text) TO takt_api, takt_worker;
GRANT EXECUTE ON FUNCTION takt.searched_text(text, text, bigint, bigint, text, text) TO takt_worker;
