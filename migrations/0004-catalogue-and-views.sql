-- Application versions, error messages, domain values and saved views, which the API serves besides production times.

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
COMMENT ON COLUMN takt.application_versions.changed_at IS 'instant of the newest applied application-version.changed.v1';
COMMENT ON COLUMN takt.application_versions.field_order IS
  'CustomFieldOrder.FieldOrder: JSON as its writer sent it; Takt does not parse it';

-- The details of an application list its versions and find the newest one.
CREATE INDEX application_versions_of_application
  ON takt.application_versions (company_id, application_id, application_version_id DESC);
-- The details of the people, companies and permissions that application versions name. The table changes only with master
-- data, so no completed operation pays for these indexes.
CREATE INDEX application_versions_of_creator ON takt.application_versions (company_id, created_by_user_id)
  WHERE created_by_user_id IS NOT NULL;
CREATE INDEX application_versions_of_changer ON takt.application_versions (company_id, changed_by_user_id)
  WHERE changed_by_user_id IS NOT NULL;
CREATE INDEX application_versions_of_company ON takt.application_versions (company_id, restricted_to_company_id)
  WHERE restricted_to_company_id IS NOT NULL;
CREATE INDEX application_versions_of_permission ON takt.application_versions (company_id, permission_id)
  WHERE permission_id IS NOT NULL;

GRANT SELECT, INSERT, UPDATE ON takt.application_versions TO takt_worker;
GRANT SELECT ON takt.application_versions TO takt_api;

-- Every error that the service can answer with. The source is the code (packages/catalogue); each run of migrate updates
-- the rows, so the list contains exactly the errors of the program.
CREATE TABLE takt.error_messages (
  error_message_id integer PRIMARY KEY CHECK (error_message_id >= 100000),
  status text COLLATE "und-x-icu" NOT NULL,
  namespace text COLLATE "und-x-icu" NOT NULL,
  http_status_code integer NOT NULL CHECK (http_status_code IN (400, 403, 404, 500)),
  message text COLLATE "und-x-icu" NOT NULL,
  available_translations text NOT NULL,
  created_by bigint NOT NULL,
  technical_description text NOT NULL,
  translations jsonb NOT NULL
);
COMMENT ON COLUMN takt.error_messages.message IS 'English, with {0}, {1}, ... for the parameters';
COMMENT ON COLUMN takt.error_messages.translations IS 'message by three-letter language';
COMMENT ON COLUMN takt.error_messages.created_by IS 'person identifier (PID)';

GRANT SELECT ON takt.error_messages TO takt_api;

-- The meaning of the values of status, type and scope fields, with translations by three-letter language.
CREATE TABLE takt.domain_values (
  object text NOT NULL,
  field text NOT NULL,
  key text NOT NULL,
  description text NOT NULL,
  translations jsonb NOT NULL DEFAULT '{}',
  priority integer NOT NULL,
  PRIMARY KEY (object, field, key)
);
COMMENT ON COLUMN takt.domain_values.priority IS 'position of the value in a list, from 1';

GRANT SELECT ON takt.domain_values TO takt_api;

-- Lists that people have filtered and sorted, under names of their own: the path and the query of an address of the API,
-- without the parameters of a reader (company, language, format) and of a page (key). On a cluster they are on the node of
-- their company. So they do not reference takt.users, whose rows are never deleted, and their ids come from a sequence,
-- because Citus distributes no table with an identity column.
CREATE TABLE takt.saved_views (
  company_id integer NOT NULL REFERENCES takt.companies,
  saved_view_id bigint NOT NULL,
  pid integer NOT NULL,
  name text COLLATE "und-x-icu" NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
  path text NOT NULL,
  query text NOT NULL,
  is_shared boolean NOT NULL,
  saved_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, saved_view_id),
  UNIQUE (company_id, pid, name)
);
COMMENT ON COLUMN takt.saved_views.is_shared IS
  'if true, everybody of the company sees the view; only the person who saved it can change it';
CREATE SEQUENCE takt.saved_views_saved_view_id_seq OWNED BY takt.saved_views.saved_view_id;
ALTER TABLE takt.saved_views ALTER saved_view_id SET DEFAULT nextval('takt.saved_views_saved_view_id_seq');

GRANT SELECT ON takt.saved_views TO takt_api;

-- Row-level security of all tables with a company that the API or the worker may read. The API sees the rows of its
-- session's company. The condition has no subquery, because a Citus cluster accepts none; session_company() is STABLE, so
-- the planner calls it once per scan. The worker applies events of all companies and sees all rows; its plans contain no
-- condition that is always true. The owner is exempt, because it migrates, audits and rebuilds for all companies, and the
-- SECURITY DEFINER functions of the API run as the owner. No app starts with the log-in of the owner.
DO $$
DECLARE
  secured text;
  shown text;
BEGIN
  FOR secured, shown IN VALUES
    ('products', 'company_id = takt.session_company()'),
    ('product_structure_versions', 'company_id = takt.session_company()'),
    ('list_sizes', 'company_id = takt.session_company()'),
    ('monthly_figures', 'company_id = takt.session_company()'),
    ('month_zones', 'company_id = takt.session_company()'),
    ('work_order_operations', 'company_id = takt.session_company()'),
    ('application_versions', 'company_id = takt.session_company()'),
    ('company_changes', 'company_id = 0 OR company_id = takt.session_company()')
  LOOP
    EXECUTE format('ALTER TABLE takt.%I ENABLE ROW LEVEL SECURITY', secured);
    EXECUTE format('CREATE POLICY of_session_company ON takt.%I FOR SELECT TO takt_api USING (%s)', secured, shown);
    EXECUTE format('CREATE POLICY of_all_companies ON takt.%I TO takt_worker USING (true) WITH CHECK (true)', secured);
  END LOOP;
END $$;
ALTER TABLE takt.saved_views ENABLE ROW LEVEL SECURITY;
CREATE POLICY of_session_company ON takt.saved_views FOR SELECT TO takt_api USING (company_id = takt.session_company());
