-- Returns an instant after which no event can have changed anything: some ten years ahead of the clock. What an older version
-- stored beyond it must not win for ever. It is called immutable although it reads the clock, because Citus refuses any other
-- function, and any variable, in ON CONFLICT; a plan that was made a year ago serves as well.
CREATE FUNCTION takt.impossible_from() RETURNS timestamptz
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN now() + interval '3650 days';
END $$;

REVOKE EXECUTE ON FUNCTION takt.impossible_from() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.impossible_from() TO takt_worker;
