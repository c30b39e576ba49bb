-- Converts the hours of a filter to the whole microhours of stored times: a time is longer than 1.5 microhours exactly
-- if it is longer than 1, and none equals it. These are functions of constant arguments, which the planner evaluates
-- once, so that an index is searched for whole numbers, whatever a client has written. No number causes an error:
-- values beyond all times stay beyond them.
-- Used by the API of the previous version; this one uses stored_units.sql. Remove it in the next version.

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

-- -2 for a value that no time has: it is no sort key of any time, nor of a missing one.
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
