-- The dashboard imports files (apps/dashboard/src/import).
-- breaks no program: a column is added, and rights on some columns become rights on all of them

ALTER TABLE takt.imports ADD COLUMN mapping text;
COMMENT ON COLUMN takt.imports.mapping IS
  'the mapping as YAML, which the dashboard proposes for the next file with the same headings; null if not kept';

GRANT SELECT, INSERT ON takt.imports, takt.import_changes TO takt_dashboard;
GRANT UPDATE (published_at, undone_at, undo_times, undone_by, number_of_new, number_of_changed, number_of_unchanged,
  number_of_faulty) ON takt.imports TO takt_dashboard;
GRANT USAGE ON SEQUENCE takt.imports_import_id_seq TO takt_dashboard;

-- An import compares a file with what is stored. Pages show it only to people with the duties for it.
GRANT SELECT (time_zone) ON takt.companies TO takt_dashboard;
REVOKE SELECT ON takt.product_structure_versions FROM takt_dashboard;
GRANT SELECT ON takt.work_order_operations, takt.pruned_operations, takt.products, takt.product_structure_versions,
  takt.object_keys, takt.key_counters TO takt_dashboard;
CREATE POLICY of_all_companies_on_dashboard ON takt.work_order_operations FOR SELECT TO takt_dashboard USING (true);
CREATE POLICY of_all_companies_on_dashboard ON takt.products FOR SELECT TO takt_dashboard USING (true);
DROP POLICY unlisted_of_all_companies ON takt.product_structure_versions;
CREATE POLICY of_all_companies_on_dashboard ON takt.product_structure_versions FOR SELECT TO takt_dashboard USING (true);
