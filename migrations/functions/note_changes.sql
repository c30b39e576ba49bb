-- Keeps takt.company_changes. The caller need do nothing: triggers on every table that answers are made of stamp what a
-- transaction changes, in that transaction, whoever writes. Company 0 is all of them.
--
-- Only this connection writes its rows, so nobody waits here. With a new row go those before it and those of connections
-- that are gone, never alone: without them what is left could add up to where the data stood before.
CREATE FUNCTION takt.note_change(of_company integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  this_period integer := extract(epoch FROM now()) / 10;
BEGIN
  -- Of the operating system's random numbers: those of random() come again after setseed().
  UPDATE takt.company_changes SET stamp = uuid_hash_extended(gen_random_uuid(), 0)
  WHERE company_id = of_company AND slot = pg_backend_pid() AND period = this_period;
  IF FOUND THEN
    RETURN;
  END IF;
  DELETE FROM takt.company_changes AS known USING (
    SELECT company_id, slot, period FROM takt.company_changes
    WHERE company_id = of_company
      AND (slot = pg_backend_pid() OR slot NOT IN (SELECT pid FROM pg_stat_activity WHERE pid IS NOT NULL))
    FOR UPDATE SKIP LOCKED) AS former
  WHERE (known.company_id, known.slot, known.period) = (former.company_id, former.slot, former.period);
  INSERT INTO takt.company_changes (company_id, slot, period, stamp)
  VALUES (of_company, pg_backend_pid(), this_period, uuid_hash_extended(gen_random_uuid(), 0));
END $$;

-- Of a statement, the rows of which are in `changed`.
CREATE FUNCTION takt.note_changed_companies() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM takt.note_change(company_id) FROM (SELECT DISTINCT company_id FROM changed) AS by_company;
  RETURN NULL;
END $$;

-- Of a statement that may have changed rows of any company.
CREATE FUNCTION takt.note_change_of_all() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM takt.note_change(0);
  RETURN NULL;
END $$;

-- ENABLE ALWAYS: they also run where session_replication_role switches triggers off.
DO $$
DECLARE
  served text;
BEGIN
  FOREACH served IN ARRAY ARRAY['products', 'product_structure_versions', 'structure_version_texts', 'list_sizes',
    'monthly_figures', 'application_versions']
  LOOP
    EXECUTE format('CREATE TRIGGER note_inserted AFTER INSERT ON takt.%I REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION takt.note_changed_companies()', served);
    EXECUTE format('CREATE TRIGGER note_updated AFTER UPDATE ON takt.%I REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION takt.note_changed_companies()', served);
    EXECUTE format('CREATE TRIGGER note_deleted AFTER DELETE ON takt.%I REFERENCING OLD TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION takt.note_changed_companies()', served);
    -- A row that changes its company leaves another, which is not among the new ones.
    EXECUTE format('CREATE TRIGGER note_moved_or_truncated AFTER UPDATE OF company_id OR TRUNCATE ON takt.%I
      FOR EACH STATEMENT EXECUTE FUNCTION takt.note_change_of_all()', served);
    EXECUTE format('ALTER TABLE takt.%I ENABLE ALWAYS TRIGGER note_inserted, ENABLE ALWAYS TRIGGER note_updated,
      ENABLE ALWAYS TRIGGER note_deleted, ENABLE ALWAYS TRIGGER note_moved_or_truncated', served);
  END LOOP;
  -- The last two change when migrations or functions did, by which answers are made.
  FOREACH served IN ARRAY ARRAY['error_messages', 'domain_values', 'schema_migrations', 'schema_functions'] LOOP
    EXECUTE format('CREATE TRIGGER note_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON takt.%I
      FOR EACH STATEMENT EXECUTE FUNCTION takt.note_change_of_all()', served);
    EXECUTE format('ALTER TABLE takt.%I ENABLE ALWAYS TRIGGER note_changed', served);
  END LOOP;
END $$;

-- The triggers call it with the rights of whoever writes.
GRANT EXECUTE ON FUNCTION takt.note_change(integer) TO takt_worker;
