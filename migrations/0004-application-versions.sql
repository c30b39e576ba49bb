CREATE TABLE takt.application_versions (
  company_id integer NOT NULL REFERENCES takt.companies,
  application_version_id bigint NOT NULL,
  application_id bigint NOT NULL,
  changed_at timestamptz NOT NULL,
  status integer,
  type text NOT NULL,
  name text NOT NULL,
  descriptive_name text,
  description text,
  namespace text,
  master_url text,
  lookup_key text,
  lookup_priority integer,
  content_type text,
  change_description text,
  created_at timestamptz,
  created_by_user_id bigint,
  created_by_first_name text,
  created_by_name text,
  restricted_to_company_id bigint,
  restricted_to_database text,
  permission_id bigint,
  permission_name text,
  scope text,
  is_changed boolean,
  changed_by_user_id bigint,
  changed_by_first_name text,
  changed_by_name text,
  is_pending_deployment boolean,
  field_order text,
  PRIMARY KEY (company_id, application_version_id)
);
COMMENT ON COLUMN takt.application_versions.changed_at IS
  'newest application-version.changed.v1 taken in';
COMMENT ON COLUMN takt.application_versions.field_order IS
  'CustomFieldOrder.FieldOrder: JSON as its writer sent it, never parsed here';

GRANT SELECT, INSERT, UPDATE ON takt.application_versions TO takt_worker;
GRANT SELECT ON takt.application_versions TO takt_api;
