-- Structure versions that the ERP removed (functions/apply_product_structure_version_changes.sql).
-- breaks no program: a column is added

ALTER TABLE takt.product_structure_versions ADD COLUMN removed_at timestamptz;
COMMENT ON COLUMN takt.product_structure_versions.removed_at IS
  'changedAt of the newest event, if it removed the structure version; older changes do not list it again';

GRANT DELETE ON takt.structure_version_texts TO takt_worker;
