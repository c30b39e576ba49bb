-- The ledger: the newest known state of every work order operation. What counts is decided here, by identity
-- and revision, never by the queue. No foreign keys: this is the hot table, its rows come in only through
-- apply_work_order_operation_events, which joins companies, and structure versions may be unknown.
CREATE TABLE takt.work_order_operations (
  company_id integer NOT NULL,
  work_order_operation_id bigint NOT NULL,
  revision bigint NOT NULL,
  product_structure_version_id bigint,
  work_order_id bigint,
  changed_at timestamptz NOT NULL,
  run_time numeric(13,6),
  setup_time numeric(13,6),
  cleanup_time numeric(13,6),
  PRIMARY KEY (company_id, work_order_operation_id),
  CHECK ((product_structure_version_id IS NULL) = (run_time IS NULL))
);
COMMENT ON COLUMN takt.work_order_operations.product_structure_version_id IS
  'null: reopened, does not count';
COMMENT ON COLUMN takt.work_order_operations.changed_at IS
  'completedAt or reopenedAt of the event';

-- Finds the next shortest or longest when the extreme has left, and feeds audit and rebuild.
CREATE INDEX work_order_operations_of_structure_version
  ON takt.work_order_operations (company_id, product_structure_version_id)
  INCLUDE (run_time, setup_time, cleanup_time)
  WHERE product_structure_version_id IS NOT NULL;

GRANT SELECT, INSERT, UPDATE ON takt.work_order_operations TO takt_worker;

-- What a batch changes in one of the three times of a structure version: hours that came into the ledger less those
-- that left it, and the extremes of both. Lives only while a batch is applied.
CREATE TYPE takt.time_change AS (
  count bigint,
  sum numeric,
  sum_of_squares numeric,
  shortest_that_came numeric,
  longest_that_came numeric,
  shortest_that_left numeric,
  longest_that_left numeric
);

-- What a batch changes in the figures of one structure version.
CREATE TYPE takt.figures_change AS (
  company_id integer,
  product_structure_version_id bigint,
  run takt.time_change,
  setup takt.time_change,
  cleanup takt.time_change
);
