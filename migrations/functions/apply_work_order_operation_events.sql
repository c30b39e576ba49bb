-- Applies a batch of completions and reopenings to the ledger and the figures, in the caller's transaction.
--
-- only_company: the company of all events; null if there are several. On a Citus cluster the whole function runs on the
-- node of that company, which requires that each statement compares the company of its rows with a constant. So
-- statements look rows up by coalesce(only_company, company of the change): this is a constant on a cluster, and the
-- company of each change on a single server. Rows that are updated by their ctid are compared with only_company alone,
-- because otherwise the planner of a single server would look them up by company.
-- companies: the company of each event, in order; null if the company is not registered.
-- events: a JSON array of objects. Their keys are the columns of takt.work_order_operations without company_id. Times
-- are in hours; product_structure_version_id and the times are null for a reopening.
-- keys: the keys of structure versions, work orders and operations, as in number_objects.sql; null if no event has one.
--
-- Returns a row for each event without effect: its position in the array (from 0), and the reason: duplicate, stale,
-- conflict or unknown-company. A conflict with pruned_before is about a pruned operation; the operations from before
-- that day were pruned. A conflict with misnamed is about an object of this kind: the company names them the other way.
--
-- Guarantees: the result is correct at READ COMMITTED with any number of concurrent callers. A batch may contain an
-- operation any number of times. Locks are always taken in the same order (months of the companies, counters of keys,
-- operations, structure versions, each by key), so batches do not deadlock with each other.
--
-- All functions that this one calls are volatile plpgsql, so that each of their statements has its own snapshot.
-- Looking up a removed extreme depends on this: its snapshot must be newer than the locks.
--
-- Pruned operations are not written again. The batch holds a shared lock on the months of its companies until it ends,
-- so that meanwhile nothing is pruned and no time zone changes. For a company that has never pruned, this costs one
-- look-up per batch.
--
-- Plans are made once per connection, because planning took longer than everything else in a batch of one event. The
-- form of the statements and the settings of the functions therefore force look-ups by the whole key: a plan that was
-- made for a small or empty table would later compare all rows with all.
CREATE FUNCTION takt.apply_work_order_operation_events(only_company integer, companies integer[], events json, keys text[])
RETURNS TABLE ("position" integer, outcome text, pruned_before date, misnamed text)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  kinds CONSTANT text[] := '{version,order,operation}';
  writable integer[] := companies;
  named record;
  numbers bigint[];
  wrongly_named text[];
  zone text;
  pruned bigint[];
  written record;
  totals takt.figures_change[];
BEGIN
  IF keys IS NULL THEN
    PERFORM takt.share_months(companies);
  ELSE
    PERFORM takt.decide_naming(only_company, companies, kinds, keys);
  END IF;
  zone := takt.only_time_zone(companies);
  IF keys IS NOT NULL OR EXISTS (
    SELECT FROM takt.key_counters WHERE company_id = ANY (companies) AND kind = ANY (kinds)
  ) THEN
    named := takt.number_objects(only_company, companies, kinds, coalesce(keys, takt.all_by_number(events)));
    numbers := named.numbers;
    wrongly_named := named.misnamed;
    writable := takt.without_misnamed(companies, wrongly_named);
  END IF;
  IF EXISTS (SELECT FROM takt.prunings WHERE company_id = ANY (companies)) THEN
    pruned := takt.find_pruned(only_company, writable, events, numbers[3:3]);
    writable := takt.without_pruned(writable, pruned);
  END IF;
  written := takt.write_to_ledger(writable, events, numbers, keys, zone);
  totals := CASE cardinality(written.changes) WHEN 1 THEN written.changes ELSE takt.add_up_months(written.changes) END;
  PERFORM takt.lock_figures(only_company, totals);
  PERFORM takt.add_to_monthly_figures(only_company, written.changes, zone);
  PERFORM takt.add_to_figures(only_company, totals);
  PERFORM takt.note_changes(array(SELECT company_id FROM unnest(totals)));
  IF cardinality(written.written_operations) IS DISTINCT FROM cardinality(companies) THEN
    RETURN QUERY SELECT * FROM takt.explain_ineffective_events(only_company, companies, events, numbers, wrongly_named,
      written.written_companies, written.written_operations, pruned);
  END IF;
END $$;

-- Returns keys for number_objects, for events that name everything by numbers.
CREATE FUNCTION takt.all_by_number(events json) RETURNS text[]
LANGUAGE sql IMMUTABLE AS $$
  SELECT array[
    array_agg(CASE WHEN product_structure_version_id IS NOT NULL THEN '' END ORDER BY ordinality),
    array_agg(CASE WHEN work_order_id IS NOT NULL THEN '' END ORDER BY ordinality),
    array_agg(''::text ORDER BY ordinality)]
  FROM ROWS FROM (json_to_recordset(events) AS (product_structure_version_id bigint, work_order_id bigint)) WITH ORDINALITY
$$;

-- For workers of 1.0.0, which know no keys, during an upgrade.
CREATE FUNCTION takt.apply_work_order_operation_events(only_company integer, companies integer[], events json)
RETURNS TABLE ("position" integer, outcome text, pruned_before date)
LANGUAGE sql AS $$
  SELECT "position", outcome, pruned_before
  FROM takt.apply_work_order_operation_events(only_company, companies, events, NULL)
$$;

CREATE FUNCTION takt.apply_work_order_operation_events(databases text[], events json)
RETURNS TABLE ("position" integer, outcome text, pruned_before date)
LANGUAGE sql AS $$
  SELECT * FROM takt.apply_work_order_operation_events(NULL, takt.find_companies(databases), events)
$$;

REVOKE EXECUTE ON FUNCTION takt.apply_work_order_operation_events(integer, integer[], json, text[]), takt.all_by_number(json),
  takt.apply_work_order_operation_events(integer, integer[], json),
  takt.apply_work_order_operation_events(text[], json) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.apply_work_order_operation_events(integer, integer[], json, text[]), takt.all_by_number(json),
  takt.apply_work_order_operation_events(integer, integer[], json),
  takt.apply_work_order_operation_events(text[], json) TO takt_worker;
