-- Functions for positions in a text, as in filters: characters are code points, counted from 0, and case is ignored.
-- They are functions because each argument is used more than once, and its expression may be long.

-- Returns the characters of a text from a position on, up to a number of characters. A position before the start of the
-- text counts as its start, decimals are truncated, and less than one character gives an empty text. No number causes
-- an error.
CREATE FUNCTION takt.part_of_text(whole text, place numeric, characters numeric) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
BEGIN
  IF characters < 1 OR place >= length(whole) THEN
    RETURN '';
  END IF;
  RETURN substr(whole, greatest(trunc(place), 0)::integer + 1, least(trunc(characters), length(whole))::integer);
END $$;

-- Returns the position of the first character of a part; -1 if the text does not contain the part. The position is not
-- found in the folded text, because folding may turn one character into several.
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
