-- Places in a text, as filters count them: characters are code points, the first one is 0, upper and lower case are the
-- same. Functions because each argument, however long its expression, is needed more than once.

-- The characters of a text from a place on, so many at most. A place before the text is its beginning, decimals are cut
-- off, less than one character is none. Whatever the numbers are, no error.
CREATE FUNCTION takt.part_of_text(whole text, place numeric, characters numeric) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
BEGIN
  IF characters < 1 OR place >= length(whole) THEN
    RETURN '';
  END IF;
  RETURN substr(whole, greatest(trunc(place), 0)::integer + 1, least(trunc(characters), length(whole))::integer);
END $$;

-- The place of the character in which a part begins; -1 where the text does not contain it. Folding can make several
-- characters of one, so the place in the folded text is not always that in the text itself.
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
