-- Six orders lose their index: the difference and the percentage over plan of each kind of time, which only a click on a
-- heading asks for. Each index takes some 2 µs and 100 bytes of log of every completion, whichever times it brings (README).
-- Such a page looks at all rows: 100 ms of 100,000. The statistics stay, by which a filter is planned.
--
-- Changes are noted by functions from here on, and no longer by triggers (functions/note_changes.sql).
--
-- breaks no program: the functions are made again as soon as this is committed, and in between workers of the version
-- before try again. Programs of before find the pages without an index the longer way too.
--
-- A batch that goes on with the text of before, once the triggers are gone, would neither be noted nor counted. So none may
-- begin until the new functions are there. One that is under way ends before this; one that waits here at its first table
-- then misses lock_figures, or, with application versions, ends before the triggers can go.
LOCK TABLE takt.products, takt.application_versions, takt.work_order_operations IN ACCESS EXCLUSIVE MODE;
DROP FUNCTION IF EXISTS takt.apply_product_structure_version_changes(text[], json),
  takt.apply_application_version_changes(text[], json), takt.apply_work_order_operation_events(text[], json),
  takt.rebuild_production_times(integer, bigint[]), takt.lock_figures(takt.figures_change[]);

DROP INDEX takt.by_run_time_difference, takt.by_setup_time_difference, takt.by_cleanup_time_difference,
  takt.by_run_time_over_plan_percent, takt.by_setup_time_over_plan_percent, takt.by_cleanup_time_over_plan_percent;

COMMENT ON TABLE takt.company_changes IS 'kept by takt.note_changes, which whoever writes calls';
