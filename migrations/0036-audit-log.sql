-- Every change of rights with its author and its time: people, clients, tokens, companies, and rejected events that were
-- changed by hand. Written by note_audit.sql alone; nothing secret stands in it.
CREATE TABLE takt.audit_log (
  audit_entry_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  noted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor text NOT NULL,
  action text NOT NULL,
  subject text NOT NULL,
  details jsonb NOT NULL
);
COMMENT ON TABLE takt.audit_log IS 'nothing deletes from it';
COMMENT ON COLUMN takt.audit_log.actor IS 'a person with PID, a token of nobody, or who ran the command line';
COMMENT ON COLUMN takt.audit_log.action IS 'e.g. person-changed';
COMMENT ON COLUMN takt.audit_log.subject IS 'what was changed, e.g. person 7 Nora Nilsen';
COMMENT ON COLUMN takt.audit_log.details IS 'by name: the value, or an object of from and to; of a secret only that it was renewed';

-- A plant that was closed: nobody reads its figures and nothing is added to them, until it is enabled again.
ALTER TABLE takt.companies ADD disabled_at timestamptz;
COMMENT ON COLUMN takt.companies.disabled_at IS 'not null: no token reaches it, and its events are rejected';
GRANT SELECT (disabled_at) ON takt.companies TO takt_worker, takt_dashboard;

-- The pages of people list clients and must not see what is left of a secret.
ALTER TABLE takt.api_clients ADD is_public boolean GENERATED ALWAYS AS (secret IS NULL) STORED;

INSERT INTO takt.roles (role, duties, description) VALUES
  ('administrator',
    '{read-production-times,read-error-messages,read-application-versions,read-persons,operate-queues,operate-all-companies,manage-access}',
    'a system operator who also manages people, clients and tokens');

-- The dashboard lists people, clients and tokens; what it changes goes through takt.administer.
GRANT SELECT ON takt.audit_log, takt.user_companies, takt.api_client_companies, takt.access_token_companies, takt.roles
  TO takt_dashboard;
GRANT SELECT (pid, first_name, name, roles, duties, created_at, disabled_at) ON takt.users TO takt_dashboard;
GRANT SELECT (api_client_id, name, is_public, redirect_uris, permissions, roles, duties, created_at, disabled_at)
  ON takt.api_clients TO takt_dashboard;
GRANT SELECT (access_token_id, description, created_at, expires_at, revoked_at, kind, api_client_id, pid, token_family_id,
  duties, may_publish, last_used_at) ON takt.access_tokens TO takt_dashboard;
GRANT SELECT (token_family_id, revoked_at) ON takt.token_families TO takt_dashboard;
