-- Where a worker stood at the report before, so that a rate is known from one look: takt status need not wait for a second.
ALTER TABLE takt.worker_reports
  ADD applied_before bigint,
  ADD seen_before timestamptz;
COMMENT ON COLUMN takt.worker_reports.applied_before IS 'applied at the report before; null at the first';
