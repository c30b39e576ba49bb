-- Positions in a text, as in filters: characters are code points, counted from 0, and case is ignored. These are
-- functions because each argument, however long its expression, is used more than once.

-- The characters of a text from a position on, up to a number. A position before the text is its beginning, decimals
-- are truncated, less than one character is none. No number causes an error.
CREATE FUNCTION takt.part_of_text(whole text, place numeric, characters numeric) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
BEGIN
  IF characters < 1 OR place >= length(whole) THEN
    RETURN '';
  END IF;
  RETURN substr(whole, greatest(trunc(place), 0)::integer + 1, least(trunc(characters), length(whole))::integer);
END $$;

-- The position of the first character of a part; -1 if the text does not contain it. Folding may turn one character
-- into several, so the position in the folded text may differ.
CREATE FUNCTION takt.place_in_text(whole text, part text) RETURNS integer
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  folded text := casefold(whole COLLATE "und-x-icu");
  folded_place integer := position(casefold(part COLLATE "und-x-icu") IN folded);
  place integer := folded_place;
BEGIN
  IF length(folded) <> length(whole) AND place > 0 THEN
    place := 1;
    WHILE length(casefold(left(whole, place) COLLATE "und-x-icu")) < folded_place LOOP
      place := place + 1;
    END LOOP;
  END IF;
  RETURN place - 1;
END $$;

REVOKE EXECUTE ON FUNCTION takt.part_of_text(text, numeric, numeric), takt.place_in_text(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.part_of_text(text, numeric, numeric), takt.place_in_text(text, text) TO takt_api;
