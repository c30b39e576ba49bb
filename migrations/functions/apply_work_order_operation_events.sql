-- Applies a batch of completions and reopenings to ledger and figures, in the caller's transaction.
-- only_company: the company of all events, or null if there are several. A Citus cluster runs the whole function on
-- that company's node, which requires that each statement compares the company of its rows with a constant. So
-- statements look rows up by coalesce(only_company, company of the change): a constant on a cluster, that of each
-- change on a single server. Rows updated by ctid are compared with only_company alone; otherwise the planner of a
-- single server would look them up by company. companies: the company of each event, in order; null if it is not
-- registered. events: JSON array of objects whose keys are columns of takt.work_order_operations, without company_id;
-- times in hours, product_structure_version_id and the times null for a reopening. Returns a row for each event without
-- effect: its position in the array (from 0) and the reason, one of duplicate, stale, conflict, unknown-company. A
-- conflict with pruned_before would change an operation that was pruned with those before that day.
-- Guarantees: correct at READ COMMITTED with any number of concurrent callers; a batch may contain an operation any
-- number of times; locks are taken in one order (months of the companies, operations, structure versions, each by key),
-- so batches do not deadlock with each other.
-- All parts are volatile plpgsql, so that each statement has its own snapshot. The look-up of a lost extreme depends on
-- it: its snapshot must be newer than the locks.
-- Pruned operations are not written again. The batch holds a shared lock on the months of its companies: until its end,
-- nothing is pruned and no time zone changes. A company that never pruned pays one look-up per batch.
-- Plans are made once per connection, because planning a batch of one event took longer than all else. So they are
-- pinned to look-ups by the whole key, by the form of the statements and by settings of the functions: plans made for a
-- small or empty table would later compare all with all.
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

-- The same on a single server, for events of any companies. databases: the company code of each event.
CREATE FUNCTION takt.apply_work_order_operation_events(databases text[], events json)
RETURNS TABLE ("position" integer, outcome text, pruned_before date)
LANGUAGE sql AS $$
  SELECT * FROM takt.apply_work_order_operation_events(NULL, takt.find_companies(databases), events)
$$;

REVOKE EXECUTE ON FUNCTION takt.apply_work_order_operation_events(integer, integer[], json),
  takt.apply_work_order_operation_events(text[], json) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.apply_work_order_operation_events(integer, integer[], json),
  takt.apply_work_order_operation_events(text[], json) TO takt_worker;
