-- The key by which dashboards seal the ids of jobs on their pages (see sealed-ids.ts).
CREATE FUNCTION takt.page_secret()
RETURNS bytea
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT sha256(key.secret || convert_to('ids on pages', 'UTF8')) FROM takt.salt_secret key
$$;

REVOKE EXECUTE ON FUNCTION takt.page_secret() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.page_secret() TO takt_dashboard;
