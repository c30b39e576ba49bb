-- Six orders lose their index: the difference and the percentage over plan of each kind of time, which only a click on a
-- heading asks for. Each index takes some 2 µs and 100 bytes of log of every completion, whichever times it brings (README).
-- Such a page looks at all rows: 100 ms of 100,000. The statistics stay, by which a filter is planned.
--
-- Changes are noted by functions from here on, and no longer by triggers (functions/note_changes.sql).

-- breaks no program: programs of before find these pages the longer way too
DROP INDEX takt.by_run_time_difference, takt.by_setup_time_difference, takt.by_cleanup_time_difference,
  takt.by_run_time_over_plan_percent, takt.by_setup_time_over_plan_percent, takt.by_cleanup_time_over_plan_percent;

COMMENT ON TABLE takt.company_changes IS 'kept by takt.note_changes, which whoever writes calls';
