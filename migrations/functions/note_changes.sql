-- Records that a transaction has changed served data. Every function that writes such data calls it once, at its end;
-- so do migrate and the synchronisation of texts. It writes a new stamp for each company, which shows whether a cached
-- answer is still valid (see takt.company_changes), and updates the number of listed structure versions in takt.list_sizes.
--
-- changed: the companies with changed rows, in any number of repetitions; 0 for rows that concern all companies.
-- listed: the company of each newly listed structure version; unlisted: of each that is listed no more.
--
-- Each connection writes its own stamps, so that nobody waits for them; sizes are locked in the order of companies. A
-- new stamp replaces the connection's earlier ones and those of closed connections. Stamps are never deleted without
-- writing a new one: the remaining ones could equal an earlier state.
CREATE FUNCTION takt.note_changes(changed integer[], listed integer[] DEFAULT '{}', unlisted integer[] DEFAULT '{}')
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  own_slot integer := pg_backend_pid();
  this_period integer := extract(epoch FROM now()) / 10;
  company integer;
  new_stamp bigint;
  connected integer[];
BEGIN
  FOR company IN SELECT DISTINCT unnest(listed || unlisted) ORDER BY 1 LOOP
    INSERT INTO takt.list_sizes AS known (company_id, product_structure_versions)
    VALUES (company, cardinality(array_positions(listed, company)) - cardinality(array_positions(unlisted, company)))
    ON CONFLICT (company_id) DO UPDATE SET
      product_structure_versions = known.product_structure_versions + excluded.product_structure_versions;
  END LOOP;

  FOR company IN SELECT DISTINCT unnest(changed) LOOP
    -- gen_random_uuid() uses the random numbers of the operating system; those of random() repeat after setseed().
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
    -- On a cluster a connection to another node may have the same number.
    INSERT INTO takt.company_changes (company_id, slot, period, stamp)
    VALUES (company, own_slot, this_period, new_stamp)
    ON CONFLICT (company_id, slot, period) DO UPDATE SET stamp = excluded.stamp;
  END LOOP;
END $$;

-- Call it after changing rows by hand, in the same transaction or later. It counts the listed structure versions of all
-- companies, and gives all companies new stamps. Other writers update the count in their last step. This function locks
-- the row and then counts in a separate statement, so its count includes everything that was counted before, and later
-- changes are added to it.
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

REVOKE EXECUTE ON FUNCTION takt.note_changes(integer[], integer[], integer[]), takt.note_changes_by_hand() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.note_changes(integer[], integer[], integer[]) TO takt_worker;
