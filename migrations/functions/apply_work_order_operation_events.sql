-- Takes a batch of completions and reopenings into ledger and figures, in the caller's transaction.
--
-- only_company: the company of all events, or null where they are of several. A Citus cluster runs the whole function on the
--   node of that company, which it can where each statement compares the company of its rows with a constant. So statements
--   look rows up by coalesce(only_company, company of the change): a constant on a cluster, that of each change on a single
--   server. Rows that are updated by their place are compared with only_company alone, or a planner of a single server would
--   look them up by their company.
-- companies: the company of each event, in the order of the events; null where it is not registered.
-- events: JSON array of objects whose keys are columns of takt.work_order_operations, company_id left out; times in
--   hours, product_structure_version_id and the times null for a reopening.
-- Returns a row only for what had no effect: its position in the array (from 0) and why, one of
--   duplicate, stale, conflict, unknown-company. A conflict with pruned_before would change an operation that was pruned
--   with those of before that day.
--
-- The caller may rely on: correct at READ COMMITTED with any number of concurrent callers; a batch may hold an
-- operation any number of times; locks are taken in one order (months of the companies, operations, structure versions, each by
-- key), so batches do not deadlock with each other.
--
-- Every part is plpgsql and volatile, so that each of its statements has a snapshot of its own. The look-up of an
-- extreme that left depends on it: its snapshot must be newer than the locks.
--
-- Pruned operations are not written again. The batch shares the months of its companies: until its end, nothing is pruned and
-- no time zone changes. A company that never pruned pays one look-up for each batch.
--
-- Plans are made once for each connection: for a batch of one event, planning took longer than all else. They are
-- therefore pinned, by the shape of the statements and by settings of the parts, to look-ups by the whole key. What
-- the planner would choose for a table that is small or empty at that moment would compare all with all later.
CREATE FUNCTION takt.apply_work_order_operation_events(only_company integer, companies integer[], events json)
RETURNS TABLE ("position" integer, outcome text, pruned_before date)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  writable integer[] := companies;
  zone text;
  pruned bigint[];
  written record;
  totals takt.figures_change[];
BEGIN
  PERFORM takt.share_months(companies);
  zone := takt.only_time_zone(companies);
  IF EXISTS (SELECT FROM takt.prunings WHERE company_id = ANY (companies)) THEN
    pruned := takt.find_pruned(only_company, companies, events);
    writable := takt.without_pruned(companies, pruned);
  END IF;
  written := takt.write_to_ledger(writable, events, zone);
  totals := CASE cardinality(written.changes) WHEN 1 THEN written.changes ELSE takt.add_up_months(written.changes) END;
  PERFORM takt.lock_figures(only_company, totals);
  PERFORM takt.add_to_monthly_figures(only_company, written.changes, zone);
  PERFORM takt.add_to_figures(only_company, totals);
  PERFORM takt.note_changes(array(SELECT company_id FROM unnest(totals)));
  IF cardinality(written.written_operations) IS DISTINCT FROM cardinality(companies) THEN
    RETURN QUERY SELECT * FROM takt.explain_ineffective_events(only_company, companies, events, written.written_companies,
      written.written_operations, pruned);
  END IF;
END $$;

-- The same on a single server, for events of any companies. databases: the code of the company of each event.
CREATE FUNCTION takt.apply_work_order_operation_events(databases text[], events json)
RETURNS TABLE ("position" integer, outcome text, pruned_before date)
LANGUAGE sql AS $$
  SELECT * FROM takt.apply_work_order_operation_events(NULL, takt.find_companies(databases), events)
$$;

REVOKE EXECUTE ON FUNCTION takt.apply_work_order_operation_events(integer, integer[], json),
  takt.apply_work_order_operation_events(text[], json) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.apply_work_order_operation_events(integer, integer[], json),
  takt.apply_work_order_operation_events(text[], json) TO takt_worker;
