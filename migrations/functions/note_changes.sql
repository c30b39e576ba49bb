-- Records a transaction's changes of served data: every function that writes calls it once, at its end, as do migrate
-- and the synchronisation of texts. The stamp of each company shows if a cached answer is still valid (0020), and
-- takt.list_sizes has the number of listed structure versions.
-- changed: companies with changed rows, 0 for rows of all companies; with any repetitions. listed: the company of each
-- newly listed structure version.
-- Only this connection writes its stamps, so nobody waits for them; sizes are locked in the order of companies. A new
-- stamp also replaces its earlier ones and those of closed connections. They are never deleted alone: the remaining
-- stamps could equal an earlier state.
CREATE FUNCTION takt.note_changes(changed integer[], listed integer[] DEFAULT '{}') RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  own_slot integer := pg_backend_pid();
  this_period integer := extract(epoch FROM now()) / 10;
  company integer;
  new_stamp bigint;
  connected integer[];
BEGIN
  FOR company IN SELECT DISTINCT unnest(listed) ORDER BY 1 LOOP
    INSERT INTO takt.list_sizes AS known (company_id, product_structure_versions)
    VALUES (company, cardinality(array_positions(listed, company)))
    ON CONFLICT (company_id) DO UPDATE SET
      product_structure_versions = known.product_structure_versions + excluded.product_structure_versions;
  END LOOP;

  FOR company IN SELECT DISTINCT unnest(changed) LOOP
    -- From the operating system's random numbers: those of random() repeat after setseed().
    new_stamp := uuid_hash_extended(gen_random_uuid(), 0);
    UPDATE takt.company_changes SET stamp = new_stamp
    WHERE company_id = company AND slot = own_slot AND period = this_period;
    CONTINUE WHEN FOUND;
    connected := array(SELECT pid FROM pg_stat_activity WHERE pid IS NOT NULL);
    DELETE FROM takt.company_changes AS known USING (
      SELECT slot, period FROM takt.company_changes
      WHERE company_id = company AND (slot = own_slot OR slot <> ALL (connected))
      FOR UPDATE SKIP LOCKED) AS former
    WHERE known.company_id = company AND (known.slot, known.period) = (former.slot, former.period);
    -- On a cluster a connection of another node may have the same number.
    INSERT INTO takt.company_changes (company_id, slot, period, stamp)
    VALUES (company, own_slot, this_period, new_stamp)
    ON CONFLICT (company_id, slot, period) DO UPDATE SET stamp = excluded.stamp;
  END LOOP;
END $$;

-- Call it after changing rows by hand, in the same transaction or later: it counts the listed structure versions of all
-- companies and gives all of them new stamps.
-- A writer counts in its last step. So this count, a separate statement after locking the row, includes everything
-- counted so far, and later counts are added to it.
CREATE FUNCTION takt.note_changes_by_hand() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  company integer;
BEGIN
  PERFORM takt.note_changes('{0}', '{}');
  FOR company IN SELECT company_id FROM takt.companies ORDER BY company_id LOOP
    INSERT INTO takt.list_sizes (company_id, product_structure_versions) VALUES (company, 0) ON CONFLICT DO NOTHING;
    PERFORM FROM takt.list_sizes WHERE company_id = company FOR UPDATE;
    UPDATE takt.list_sizes SET product_structure_versions = (
      SELECT count(*) FROM takt.product_structure_versions
      WHERE company_id = company AND changed_at IS NOT NULL)
    WHERE company_id = company;
  END LOOP;
END $$;

REVOKE EXECUTE ON FUNCTION takt.note_changes(integer[], integer[]), takt.note_changes_by_hand() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.note_changes(integer[], integer[]) TO takt_worker;
