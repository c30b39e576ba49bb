-- Figures by structure version and calendar month of completion (UTC), as those of product_structure_versions, which they
-- add up to: sums in hours, extremes in microhours. An operation belongs to the month of its newest completion.
--
-- Average and deviation are computed where they are read: a month is listed with few others, never sorted by them among
-- thousands. No check of the sums either: an event must not be refused because a month was damaged, which the audit finds
-- and rebuild mends.
--
-- Each completion updates the row of its month, and no index but the key: where the page has room, the update stays within
-- it (HOT) and leaves nothing behind in the index. A batch may change most rows of a page at once, hence so much room; 98 %
-- of the updates found it.
CREATE TABLE takt.monthly_figures (
  company_id integer NOT NULL,
  product_structure_version_id bigint NOT NULL,
  month date NOT NULL,
  number_of_completed_operations bigint NOT NULL DEFAULT 0,
  run_time_sum numeric NOT NULL DEFAULT 0,
  run_time_sum_of_squares numeric NOT NULL DEFAULT 0,
  shortest_run_time bigint,
  longest_run_time bigint,
  setup_time_count bigint NOT NULL DEFAULT 0,
  setup_time_sum numeric NOT NULL DEFAULT 0,
  setup_time_sum_of_squares numeric NOT NULL DEFAULT 0,
  shortest_setup_time bigint,
  longest_setup_time bigint,
  cleanup_time_count bigint NOT NULL DEFAULT 0,
  cleanup_time_sum numeric NOT NULL DEFAULT 0,
  cleanup_time_sum_of_squares numeric NOT NULL DEFAULT 0,
  shortest_cleanup_time bigint,
  longest_cleanup_time bigint,
  last_completed_at timestamptz,
  PRIMARY KEY (company_id, product_structure_version_id, month),
  CHECK (extract(day FROM month) = 1)
) WITH (
  fillfactor = 60,
  autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0
);
COMMENT ON COLUMN takt.monthly_figures.month IS 'its first day';
COMMENT ON COLUMN takt.monthly_figures.number_of_completed_operations IS '0: all of them left, the month is not served';

GRANT SELECT, INSERT, UPDATE ON takt.monthly_figures TO takt_worker;
GRANT SELECT ON takt.monthly_figures TO takt_api;
ALTER TABLE takt.monthly_figures ENABLE ROW LEVEL SECURITY;
CREATE POLICY of_session_company ON takt.monthly_figures FOR SELECT TO takt_api
  USING (company_id = (SELECT takt.session_company()));
CREATE POLICY of_all_companies ON takt.monthly_figures TO takt_worker USING (true) WITH CHECK (true);

GRANT EXECUTE ON FUNCTION takt.average_microhours(bigint, numeric),
  takt.population_deviation_microhours(bigint, numeric, numeric) TO takt_api;

-- breaks no program: what is dropped is made again by functions/ as soon as this is committed, and in between
-- workers of the version before try again.
--
-- From here on workers of the version before wait, and pruning with them: a batch that is under way ends first, one that
-- comes later must not write with functions that know no months.
LOCK TABLE takt.prunings IN SHARE ROW EXCLUSIVE MODE;
LOCK TABLE takt.work_order_operations, takt.pruned_figures IN ACCESS EXCLUSIVE MODE;

DROP FUNCTION IF EXISTS takt.apply_work_order_operation_events(text[], json);
DROP FUNCTION IF EXISTS takt.write_to_ledger(integer[], json);
DROP FUNCTION IF EXISTS takt.lock_figures(takt.figures_change[]);
DROP FUNCTION IF EXISTS takt.add_to_figures(takt.figures_change[]);
DROP FUNCTION IF EXISTS takt.rebuild_production_times(integer, bigint[]);
DROP FUNCTION IF EXISTS takt.prune_operations(integer, date, bigint);

-- What a batch changes in the figures of one month of a structure version; month null: in those of all.
ALTER TYPE takt.figures_change ADD ATTRIBUTE month date;
ALTER TYPE takt.figures_change ADD ATTRIBUTE last_that_came timestamptz;
ALTER TYPE takt.figures_change ADD ATTRIBUTE last_that_left timestamptz;

ALTER TABLE takt.pruned_figures ADD COLUMN last_completed_at timestamptz;
COMMENT ON COLUMN takt.pruned_figures.last_completed_at IS 'null: all were pruned before this was kept';
COMMENT ON COLUMN takt.monthly_figures.last_completed_at IS
  'of what is in the ledger, and of what was pruned since that is kept';

-- The same index as before, in the order of completion within a structure version: what a month lost is looked up among its
-- own operations.
DROP INDEX takt.work_order_operations_of_structure_version;
CREATE INDEX work_order_operations_of_structure_version
  ON takt.work_order_operations (company_id, product_structure_version_id, changed_at)
  INCLUDE (run_time, setup_time, cleanup_time)
  WHERE product_structure_version_id IS NOT NULL;

INSERT INTO takt.monthly_figures (company_id, product_structure_version_id, month,
  number_of_completed_operations, run_time_sum, run_time_sum_of_squares, shortest_run_time, longest_run_time,
  setup_time_count, setup_time_sum, setup_time_sum_of_squares, shortest_setup_time, longest_setup_time,
  cleanup_time_count, cleanup_time_sum, cleanup_time_sum_of_squares, shortest_cleanup_time, longest_cleanup_time,
  last_completed_at)
SELECT company_id, id, month,
  sum(run_count), coalesce(sum(run_sum), 0), coalesce(sum(run_squares), 0),
  min(run_min), max(run_max),
  sum(setup_count), coalesce(sum(setup_sum), 0), coalesce(sum(setup_squares), 0),
  min(setup_min), max(setup_max),
  sum(cleanup_count), coalesce(sum(cleanup_sum), 0), coalesce(sum(cleanup_squares), 0),
  min(cleanup_min), max(cleanup_max),
  max(last)
FROM (
  SELECT company_id, product_structure_version_id AS id, date_trunc('month', changed_at AT TIME ZONE 'UTC')::date AS month,
    count(run_time) AS run_count, sum(run_time) AS run_sum, sum(run_time * run_time) AS run_squares,
    min(run_time) * 1000000 AS run_min, max(run_time) * 1000000 AS run_max,
    count(setup_time) AS setup_count, sum(setup_time) AS setup_sum, sum(setup_time * setup_time) AS setup_squares,
    min(setup_time) * 1000000 AS setup_min, max(setup_time) * 1000000 AS setup_max,
    count(cleanup_time) AS cleanup_count, sum(cleanup_time) AS cleanup_sum,
    sum(cleanup_time * cleanup_time) AS cleanup_squares,
    min(cleanup_time) * 1000000 AS cleanup_min, max(cleanup_time) * 1000000 AS cleanup_max,
    max(changed_at) AS last
  FROM takt.work_order_operations
  WHERE product_structure_version_id IS NOT NULL
  GROUP BY company_id, id, month
  UNION ALL
  SELECT company_id, product_structure_version_id, month,
    run_time_count, run_time_sum, run_time_sum_of_squares, shortest_run_time * 1000000, longest_run_time * 1000000,
    setup_time_count, setup_time_sum, setup_time_sum_of_squares, shortest_setup_time * 1000000,
    longest_setup_time * 1000000,
    cleanup_time_count, cleanup_time_sum, cleanup_time_sum_of_squares, shortest_cleanup_time * 1000000,
    longest_cleanup_time * 1000000,
    NULL
  FROM takt.pruned_figures
) AS kept
GROUP BY company_id, id, month
ORDER BY month, company_id, id;
