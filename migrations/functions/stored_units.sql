-- Functions that convert the decimals of a filter to the whole units in which a field is stored: microhours (6
-- decimals) or hundredths of a percent (2 decimals). A value above 1.5 units is the same as one above 1, and no stored
-- value equals 1.5. They have constant arguments, so the planner evaluates them once, and an index is searched for
-- whole numbers, whatever a client has written. No number causes an error: a value beyond all stored ones is converted
-- to one that is still beyond them.

CREATE FUNCTION takt.floor_units(value numeric, decimals integer) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
BEGIN
  RETURN floor(least(greatest(value * 10::numeric ^ decimals, -9223372036854775807), 9223372036854775807));
END $$;

CREATE FUNCTION takt.ceiling_units(value numeric, decimals integer) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
BEGIN
  RETURN ceil(least(greatest(value * 10::numeric ^ decimals, -9223372036854775807), 9223372036854775807));
END $$;

-- smallest: the smallest value that can be stored. Returns the greatest bigint for a value that is never stored: it is
-- neither the sort key of a value nor that of a missing one.
CREATE FUNCTION takt.same_units(value numeric, decimals integer, smallest bigint) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  units numeric := value * 10::numeric ^ decimals;
BEGIN
  IF units <> trunc(units) OR units < smallest OR units > 9223372036854775807 THEN
    RETURN 9223372036854775807;
  END IF;
  RETURN units;
END $$;

CREATE FUNCTION takt.same_units(given numeric[], decimals integer, smallest bigint) RETURNS bigint[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
BEGIN
  RETURN array(SELECT takt.same_units(value, decimals, smallest) FROM unnest(given) AS value);
END $$;

REVOKE EXECUTE ON FUNCTION takt.floor_units(numeric, integer), takt.ceiling_units(numeric, integer),
  takt.same_units(numeric, integer, bigint), takt.same_units(numeric[], integer, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.floor_units(numeric, integer), takt.ceiling_units(numeric, integer),
  takt.same_units(numeric, integer, bigint), takt.same_units(numeric[], integer, bigint) TO takt_api;
