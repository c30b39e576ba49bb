-- True if takt cluster init has distributed the tables with a company over the nodes of a Citus cluster.
CREATE FUNCTION takt.is_cluster() RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  -- This must be a separate statement, because the table in the next one exists only with the extension.
  IF to_regclass('pg_catalog.pg_dist_partition') IS NULL THEN
    RETURN false;
  END IF;
  RETURN EXISTS (SELECT FROM pg_catalog.pg_dist_partition
    WHERE logicalrelid = 'takt.work_order_operations'::regclass AND partmethod = 'h');
END $$;

REVOKE EXECUTE ON FUNCTION takt.is_cluster() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.is_cluster() TO takt_worker, takt_api, takt_dashboard;
