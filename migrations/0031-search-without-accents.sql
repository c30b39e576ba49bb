-- A search looks for words without their accents. So texts beyond ASCII have further lines: without marks, and spelled out.
-- functions/searched_text.sql says how; here it is repeated, for an empty database does not have that function yet.

CREATE FUNCTION pg_temp.plain(folded text) RETURNS text LANGUAGE sql AS $$
  SELECT replace(replace(replace(translate(
    normalize(regexp_replace(normalize(folded, NFD), '[\u0300-\u036f]', '', 'g'), NFC),
    'øłđðıħŧŋ', 'olddihtn'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
$$;

CREATE FUNCTION pg_temp.spellings(folded text) RETURNS text LANGUAGE sql AS $$
  SELECT concat_ws(E'\n', folded, nullif(plain, folded), nullif(spelled_out, plain))
  FROM (SELECT pg_temp.plain(folded) AS plain, pg_temp.plain(replace(replace(replace(replace(replace(
    normalize(folded, NFC), 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'ø', 'oe'), 'å', 'aa')) AS spelled_out) AS written
$$;

UPDATE takt.structure_version_texts AS known SET folded = concat_ws(E'\n',
  pg_temp.spellings(casefold(listed.product_name COLLATE "und-x-icu")), pg_temp.spellings(casefold(listed.name COLLATE "und-x-icu")),
  listed.product_id, listed.product_structure_version_id)
FROM takt.product_structure_versions AS listed
WHERE listed.company_id = known.company_id AND listed.product_structure_version_id = known.product_structure_version_id
  AND octet_length(known.folded) <> length(known.folded);

-- breaks no program: both are of this migration alone.
DROP FUNCTION pg_temp.spellings(text), pg_temp.plain(text);
