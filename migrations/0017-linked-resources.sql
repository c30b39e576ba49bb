-- What the details that links lead to are found by, and how lists of them are ordered. The tables change with master data
-- alone, so that no completed operation pays for these.
CREATE INDEX products_by_name ON takt.products (company_id, name, product_id);

-- The versions of an application, and the newest of them.
CREATE INDEX application_versions_of_application
  ON takt.application_versions (company_id, application_id, application_version_id DESC);

-- Whom and what application versions name.
CREATE INDEX application_versions_of_creator ON takt.application_versions (company_id, created_by_user_id)
  WHERE created_by_user_id IS NOT NULL;
CREATE INDEX application_versions_of_changer ON takt.application_versions (company_id, changed_by_user_id)
  WHERE changed_by_user_id IS NOT NULL;
CREATE INDEX application_versions_of_company ON takt.application_versions (company_id, restricted_to_company_id)
  WHERE restricted_to_company_id IS NOT NULL;
CREATE INDEX application_versions_of_permission ON takt.application_versions (company_id, permission_id)
  WHERE permission_id IS NOT NULL;
