-- True if takt cluster init has spread the tables with a company over the nodes of a Citus cluster.
CREATE FUNCTION takt.is_cluster() RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  -- In a statement of its own: the table of the next one exists where the extension does.
  IF to_regclass('pg_catalog.pg_dist_partition') IS NULL THEN
    RETURN false;
  END IF;
  RETURN EXISTS (SELECT FROM pg_catalog.pg_dist_partition
    WHERE logicalrelid = 'takt.work_order_operations'::regclass AND partmethod = 'h');
END $$;

REVOKE EXECUTE ON FUNCTION takt.is_cluster() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.is_cluster() TO takt_worker, takt_api, takt_dashboard;
