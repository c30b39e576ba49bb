-- Roles of the apps. They cannot log in: a connection logs in as the role of DATABASE_URL and takes one of
-- these (`-c role=takt_worker`), so no second password has to be handed around, and a site that wants separate
-- log-ins grants one of these roles to them. Roles belong to the server, not to the database, hence the guard.
DO $$
DECLARE
  app_role text;
BEGIN
  FOREACH app_role IN ARRAY ARRAY['takt_worker', 'takt_api', 'takt_dashboard'] LOOP
    BEGIN
      EXECUTE format('CREATE ROLE %I NOLOGIN', app_role);
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL;
    END;
    IF NOT pg_has_role(current_user, app_role, 'SET') THEN
      EXECUTE format('GRANT %I TO %I', app_role, current_user);
    END IF;
  END LOOP;
END $$;

GRANT USAGE ON SCHEMA takt TO takt_worker, takt_api, takt_dashboard;

CREATE TABLE takt.companies (
  company_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  code text NOT NULL UNIQUE CHECK (code ~ '^[A-Z0-9][A-Z0-9-]{0,19}$'),
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON COLUMN takt.companies.code IS 'what events and $db call the company, e.g. TEM-NO';

GRANT SELECT ON takt.companies TO takt_worker, takt_api;
-- The start-up guard of every app reads what was applied.
GRANT SELECT ON takt.schema_migrations, takt.schema_functions TO takt_worker, takt_api, takt_dashboard;
