-- Suggested plans tell how sure they are (functions/confidence.sql).
--
-- breaks no program: the function is made again as soon as this is committed; programs of before read its columns by name.
DROP FUNCTION IF EXISTS takt.plan_suggestions(bigint, numeric);
ALTER TYPE takt.plan_suggestion
  ADD ATTRIBUTE mean_low bigint,
  ADD ATTRIBUTE mean_high bigint,
  ADD ATTRIBUTE verdict text COLLATE "und-x-icu";
