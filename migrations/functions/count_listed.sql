-- Keeps takt.list_sizes. The caller need do nothing: whoever lists, unlists or removes a product structure version has
-- it counted in the same transaction.
CREATE FUNCTION takt.add_to_list_size(of_company integer, listed bigint) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO takt.list_sizes AS known (company_id, product_structure_versions) VALUES (of_company, listed)
  ON CONFLICT (company_id) DO UPDATE SET
    product_structure_versions = known.product_structure_versions + excluded.product_structure_versions;
$$;

-- Inserts and deletes count once a statement, companies in order. An update counts row by row, because a trigger that
-- sees all rows of a statement cannot be limited to a column, and must not run when figures change.
CREATE FUNCTION takt.count_inserted_structure_versions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM takt.add_to_list_size(company_id, listed) FROM (
    SELECT company_id, count(*) AS listed FROM changed WHERE changed_at IS NOT NULL
    GROUP BY company_id ORDER BY company_id) AS by_company;
  RETURN NULL;
END $$;
CREATE FUNCTION takt.count_deleted_structure_versions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM takt.add_to_list_size(company_id, -listed) FROM (
    SELECT company_id, count(*) AS listed FROM changed WHERE changed_at IS NOT NULL
    GROUP BY company_id ORDER BY company_id) AS by_company;
  RETURN NULL;
END $$;
CREATE FUNCTION takt.count_updated_structure_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM takt.add_to_list_size(NEW.company_id, CASE WHEN NEW.changed_at IS NULL THEN -1 ELSE 1 END);
  RETURN NULL;
END $$;

CREATE TRIGGER count_inserted AFTER INSERT ON takt.product_structure_versions
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION takt.count_inserted_structure_versions();
CREATE TRIGGER count_deleted AFTER DELETE ON takt.product_structure_versions
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION takt.count_deleted_structure_versions();
CREATE TRIGGER count_updated AFTER UPDATE OF changed_at ON takt.product_structure_versions
  FOR EACH ROW WHEN ((OLD.changed_at IS NULL) <> (NEW.changed_at IS NULL))
  EXECUTE FUNCTION takt.count_updated_structure_version();
CREATE FUNCTION takt.forget_list_sizes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE takt.list_sizes SET product_structure_versions = 0;
  RETURN NULL;
END $$;
CREATE TRIGGER forget_sizes AFTER TRUNCATE ON takt.product_structure_versions
  FOR EACH STATEMENT EXECUTE FUNCTION takt.forget_list_sizes();

-- The triggers call it with the rights of whoever lists.
GRANT EXECUTE ON FUNCTION takt.add_to_list_size(integer, bigint) TO takt_worker;
