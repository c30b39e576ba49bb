-- What is left of operations that `takt prune` has taken out of the ledger: what they contribute to the figures, added up,
-- and which revision of them counted last.

-- Figures of operations that left the ledger, by structure version and month (UTC, of completedAt), the unit in which
-- figures are served: figures = these + ledger, in every digit. Hours, as the ledger.
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
  PRIMARY KEY (company_id, product_structure_version_id, month),
  CHECK (extract(day FROM month) = 1),
  CHECK (run_time_count > 0 AND run_time_count * run_time_sum_of_squares >= run_time_sum * run_time_sum),
  CHECK (setup_time_count >= 0 AND setup_time_count * setup_time_sum_of_squares >= setup_time_sum * setup_time_sum),
  CHECK (cleanup_time_count >= 0
    AND cleanup_time_count * cleanup_time_sum_of_squares >= cleanup_time_sum * cleanup_time_sum)
);

-- The revision of each pruned operation, 1,024 consecutive ids a row, null for those that were not pruned: mostly small
-- numbers, alike and next to each other, which PostgreSQL compresses to few bytes an operation.
CREATE TABLE takt.pruned_operations (
  company_id integer NOT NULL,
  block bigint NOT NULL,
  revisions bigint[] NOT NULL,
  PRIMARY KEY (company_id, block),
  CHECK (array_ndims(revisions) = 1 AND array_lower(revisions, 1) = 1 AND cardinality(revisions) = 1024)
);
COMMENT ON COLUMN takt.pruned_operations.block IS 'work_order_operation_id / 1024; revisions[1 + rest] belongs to it';

-- Companies that ever pruned. Without a row, applying events looks no further; with one, a step that was counted in
-- between says that operations may have left the ledger meanwhile.
CREATE TABLE takt.prunings (
  company_id integer PRIMARY KEY REFERENCES takt.companies,
  pruned_before date NOT NULL,
  steps bigint NOT NULL
);
COMMENT ON COLUMN takt.prunings.pruned_before IS 'the newest; from the begin of this day on, UTC, nothing was pruned';

GRANT SELECT ON takt.pruned_figures, takt.pruned_operations, takt.prunings TO takt_worker;
