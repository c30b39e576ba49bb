-- The ledger of work order operations, and what remains of operations that were pruned from it.

-- The newest known state of every work order operation. Whether an event counts is decided here, by the id and the
-- revision of its operation, and never by the queue. No foreign keys: the table is written most, its rows come only from
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
  'null if the operation was reopened, and does not count';
COMMENT ON COLUMN takt.work_order_operations.changed_at IS 'completedAt or reopenedAt of the event';

-- Finds the next shortest or longest time after an extreme has left, among the operations of the structure version or of
-- its month. Audit and rebuild read it too.
CREATE INDEX work_order_operations_of_structure_version
  ON takt.work_order_operations (company_id, product_structure_version_id, changed_at)
  INCLUDE (run_time, setup_time, cleanup_time)
  WHERE product_structure_version_id IS NOT NULL;

GRANT SELECT, INSERT, UPDATE ON takt.work_order_operations TO takt_worker;
-- The API lists the operations behind the figures of a structure version.
GRANT SELECT ON takt.work_order_operations TO takt_api;

-- The change that a batch makes to one of the three times of a structure version: hours added to the ledger minus hours
-- removed from it, and the extremes of both. It exists only while a batch is applied.
CREATE TYPE takt.time_change AS (
  count bigint,
  sum numeric,
  sum_of_squares numeric,
  shortest_that_came numeric,
  longest_that_came numeric,
  shortest_that_left numeric,
  longest_that_left numeric
);

-- The change that a batch makes to the figures of a month of a structure version; if month is null, to the figures of all
-- months together.
CREATE TYPE takt.figures_change AS (
  company_id integer,
  product_structure_version_id bigint,
  run takt.time_change,
  setup takt.time_change,
  cleanup takt.time_change,
  month date,
  last_that_came timestamptz,
  last_that_left timestamptz
);

-- Figures of pruned operations, in hours, by structure version and month. The figures that are served are exactly the sum
-- of these and the ledger.
CREATE TABLE takt.pruned_figures (
  company_id integer NOT NULL,
  product_structure_version_id bigint NOT NULL,
  month date NOT NULL,
  run_time_count bigint NOT NULL,
  run_time_sum numeric NOT NULL,
  run_time_sum_of_squares numeric NOT NULL,
  shortest_run_time numeric(13,6) NOT NULL,
  longest_run_time numeric(13,6) NOT NULL,
  setup_time_count bigint NOT NULL,
  setup_time_sum numeric NOT NULL,
  setup_time_sum_of_squares numeric NOT NULL,
  shortest_setup_time numeric(13,6),
  longest_setup_time numeric(13,6),
  cleanup_time_count bigint NOT NULL,
  cleanup_time_sum numeric NOT NULL,
  cleanup_time_sum_of_squares numeric NOT NULL,
  shortest_cleanup_time numeric(13,6),
  longest_cleanup_time numeric(13,6),
  last_completed_at timestamptz,
  PRIMARY KEY (company_id, product_structure_version_id, month),
  CHECK (extract(day FROM month) = 1),
  CHECK (run_time_count > 0 AND run_time_count * run_time_sum_of_squares >= run_time_sum * run_time_sum),
  CHECK (setup_time_count >= 0 AND setup_time_count * setup_time_sum_of_squares >= setup_time_sum * setup_time_sum),
  CHECK (cleanup_time_count >= 0
    AND cleanup_time_count * cleanup_time_sum_of_squares >= cleanup_time_sum * cleanup_time_sum)
);
COMMENT ON COLUMN takt.pruned_figures.month IS
  'first day of the month, in the time zone that months had when the operations were pruned';
COMMENT ON COLUMN takt.pruned_figures.last_completed_at IS
  'newest completion; null if all operations were pruned before completions were recorded';

-- The revision of each pruned operation: 1,024 consecutive ids per row, null for ids that were not pruned. Most revisions
-- are small and alike, so PostgreSQL compresses them to a few bytes per operation.
CREATE TABLE takt.pruned_operations (
  company_id integer NOT NULL,
  block bigint NOT NULL,
  revisions bigint[] NOT NULL,
  PRIMARY KEY (company_id, block),
  CHECK (array_ndims(revisions) = 1 AND array_lower(revisions, 1) = 1 AND cardinality(revisions) = 1024)
);
COMMENT ON COLUMN takt.pruned_operations.block IS
  'work_order_operation_id / 1024; revisions[1 + remainder] is the revision of the operation';

-- The companies that have ever pruned. For all others, applying events does not look for pruned operations.
CREATE TABLE takt.prunings (
  company_id integer PRIMARY KEY REFERENCES takt.companies,
  pruned_before date NOT NULL
);
COMMENT ON COLUMN takt.prunings.pruned_before IS
  'day of the newest pruning; operations that were completed on this day or later (UTC) were not pruned';

GRANT SELECT ON takt.pruned_figures, takt.pruned_operations, takt.prunings TO takt_worker;
