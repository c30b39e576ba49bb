-- Hours that a filter compares a time with, as the whole microhours that times are stored in: a time is longer than 1.5
-- microhours exactly where it is longer than 1, and as long as none. In functions of constant arguments, which the
-- planner calls once, so that an index is asked for whole numbers whatever a client has written. Whatever the number is,
-- no error: what is beyond all times stays beyond them.
--
-- Asked by the API of the version before; this one asks stored_units.sql. Goes with the next.

CREATE FUNCTION takt.floor_microhours(hours numeric) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
BEGIN
  RETURN floor(least(greatest(hours, -1000000000000), 1000000000000) * 1000000);
END $$;

CREATE FUNCTION takt.ceiling_microhours(hours numeric) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
BEGIN
  RETURN ceil(least(greatest(hours, -1000000000000), 1000000000000) * 1000000);
END $$;

-- -2 for what no time is: it is the sort key of none, and of no missing one either.
CREATE FUNCTION takt.same_microhours(hours numeric) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
BEGIN
  IF hours < 0 OR hours > 1000000000000 OR hours <> round(hours, 6) THEN
    RETURN -2;
  END IF;
  RETURN hours * 1000000;
END $$;

CREATE FUNCTION takt.same_microhours(hours numeric[]) RETURNS bigint[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
BEGIN
  RETURN array(SELECT takt.same_microhours(value) FROM unnest(hours) AS value);
END $$;

REVOKE EXECUTE ON FUNCTION takt.floor_microhours(numeric), takt.ceiling_microhours(numeric),
  takt.same_microhours(numeric), takt.same_microhours(numeric[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.floor_microhours(numeric), takt.ceiling_microhours(numeric),
  takt.same_microhours(numeric), takt.same_microhours(numeric[]) TO takt_api;
