-- Functions that convert the hours of a filter to whole microhours, in which times are stored: a time is longer than
-- 1.5 microhours exactly if it is longer than 1, and no time equals 1.5. They have constant arguments, so the planner
-- evaluates them once, and an index is searched for whole numbers, whatever a client has written. No number causes an
-- error: a value beyond all stored times is converted to one that is still beyond them. The API of the previous version
-- uses them; this version uses stored_units.sql. Remove them in the next version.

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

-- Returns -2 for a value that no time has: -2 is neither the sort key of a time nor that of a missing time.
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
