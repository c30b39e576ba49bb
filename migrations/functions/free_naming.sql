-- Frees a company's choice of keys or numbers, and forgets all of its objects, if nothing counts any more but what imports
-- made and undid: no operation counts or was pruned, no structure version is listed, and all that is left of them comes from
-- imports. Returns true if it was freed.
CREATE FUNCTION takt.free_naming(company integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  -- As takt.decide_naming, so that no event is applied meanwhile.
  PERFORM pg_advisory_xact_lock(hashtext('takt months'), company % 64);
  IF NOT EXISTS (SELECT FROM takt.key_counters WHERE company_id = company)
    OR EXISTS (SELECT FROM takt.work_order_operations
      WHERE company_id = company AND product_structure_version_id IS NOT NULL)
    OR EXISTS (SELECT FROM takt.work_order_operations
      WHERE company_id = company AND event_source ~ '^/takt/import/[0-9]+(/undo)?$' IS NOT TRUE)
    OR EXISTS (SELECT FROM takt.pruned_figures WHERE company_id = company)
    OR EXISTS (SELECT FROM takt.product_structure_versions
      WHERE company_id = company AND (changed_at IS NOT NULL OR number_of_completed_operations > 0))
    OR EXISTS (SELECT removed_at FROM takt.product_structure_versions
      WHERE company_id = company AND removed_at IS NOT NULL
      EXCEPT SELECT unnest(undo_times) FROM takt.imports WHERE company_id = company)
  THEN
    RETURN false;
  END IF;
  DELETE FROM takt.work_order_operations WHERE company_id = company;
  DELETE FROM takt.monthly_figures WHERE company_id = company;
  DELETE FROM takt.structure_version_texts WHERE company_id = company;
  DELETE FROM takt.product_structure_versions WHERE company_id = company;
  DELETE FROM takt.products WHERE company_id = company;
  DELETE FROM takt.object_keys WHERE company_id = company;
  DELETE FROM takt.key_counters WHERE company_id = company;
  PERFORM takt.note_changes(array[company]);
  RETURN true;
END $$;

REVOKE EXECUTE ON FUNCTION takt.free_naming(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.free_naming(integer) TO takt_dashboard;
