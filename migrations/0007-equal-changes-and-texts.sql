-- Two changes of master data with an equal changedAt: functions/apply_product_structure_version_changes.sql and
-- functions/apply_application_version_changes.sql report which are duplicates and which contradict each other.

-- Filters find no difference between composed and decomposed characters. folded_name keeps those of the name, because the
-- expression of a generated column cannot change on a cluster. Few names have decomposed ones, so this index is small.
CREATE INDEX products_not_composed ON takt.products (company_id, product_id) WHERE folded_name IS NOT NFC NORMALIZED;
