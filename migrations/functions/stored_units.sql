-- Decimals that a filter compares a field with, as the whole units that the field is stored in: microhours (6 decimals) or
-- hundredths of a percent (2). More than 1.5 units is exactly what is more than 1, and nothing is as much as 1.5. In
-- functions of constant arguments, which the planner calls once, so that an index is asked for whole numbers whatever a
-- client has written. Whatever the number is, no error: what is beyond all that is stored stays beyond it.

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

-- smallest: the least that is stored. The greatest bigint for what no stored value is: it is the sort key of none, and of
-- no missing one either.
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
