-- Indexes of keys, in a migration of their own, so that nothing waits for the columns of 0008 while tables are read.

-- A company names all its structure versions by keys or none, so these indexes cost companies with numbers nothing.
CREATE INDEX by_product_structure_version_key ON takt.product_structure_versions
  (company_id, product_structure_version_key, product_structure_version_id)
  WHERE changed_at IS NOT NULL AND product_structure_version_key IS NOT NULL;
CREATE INDEX products_by_key ON takt.products (company_id, product_key, product_id) WHERE product_key IS NOT NULL;
