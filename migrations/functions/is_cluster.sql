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

-- Weight of a shard for takt cluster rebalance: its size, and 0 without a company. Citus's own weights count empty shards, so
-- the few companies of a site might all move to a new node.
CREATE FUNCTION takt.shard_cost(shard bigint) RETURNS real
LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM takt.companies
    JOIN pg_dist_shard ON worker_hash(company_id) BETWEEN shardminvalue::integer AND shardmaxvalue::integer
    WHERE shardid = shard) THEN
    RETURN citus_shard_cost_by_disk_size(shard);
  END IF;
  RETURN 0;
END $$;

REVOKE EXECUTE ON FUNCTION takt.shard_cost(bigint) FROM PUBLIC;
