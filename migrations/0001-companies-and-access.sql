-- Companies, the roles of the apps, and who may read or change what: people, API clients and their tokens.

-- Roles of the apps. A role cannot log in. Each app has a log-in of its own, which is granted one of these roles and
-- nothing else (packages/database/src/logins.ts). Roles belong to the server and not to the database, so they may exist
-- already.
DO $$
DECLARE
  app_role text;
BEGIN
  FOREACH app_role IN ARRAY ARRAY['takt_worker', 'takt_api', 'takt_dashboard', 'takt_intake'] LOOP
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

GRANT USAGE ON SCHEMA takt TO takt_worker, takt_api, takt_dashboard, takt_intake;
-- Every app checks at its start which files were applied.
GRANT SELECT ON takt.schema_migrations, takt.schema_functions TO takt_worker, takt_api, takt_dashboard, takt_intake;

CREATE TABLE takt.companies (
  company_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  code text NOT NULL UNIQUE CHECK (code ~ '^[A-Z0-9][A-Z0-9-]{0,19}$'),
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  is_demo boolean NOT NULL DEFAULT false,
  access_key uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  time_zone text NOT NULL DEFAULT 'UTC',
  disabled_at timestamptz
);
COMMENT ON COLUMN takt.companies.code IS 'name of the company in events and in $db, e.g. TEM-NO';
COMMENT ON COLUMN takt.companies.is_demo IS
  'true if takt start created the company for its demo; it creates tokens without a request only for these';
COMMENT ON COLUMN takt.companies.access_key IS
  'secret that a session sets as takt.company_key to see the rows of the company';
COMMENT ON COLUMN takt.companies.time_zone IS 'IANA name; figures by month follow it after they were rebuilt';
COMMENT ON COLUMN takt.companies.disabled_at IS 'if not null, no token reaches the company, and its events are rejected';

-- The API learns of companies only through find_access_token, so it has no rights on the table.
GRANT SELECT (company_id, code, disabled_at) ON takt.companies TO takt_worker, takt_dashboard;

-- Returns the company whose key the session has set, or null for no key or an unknown key. A key has 122 random bits and
-- comes with an access token of the company, so an injected statement can set another key but cannot know one.
-- SECURITY DEFINER, because the caller must not read keys. It is defined here and not in functions/, because policies
-- depend on it. The body is text, because a node of a Citus cluster cannot call an SQL function with a parsed body. Its
-- names are qualified: unlike SET search_path, that costs nothing in a function that every scan calls.
CREATE FUNCTION takt.session_company() RETURNS integer
LANGUAGE sql STABLE PARALLEL SAFE SECURITY DEFINER AS $$
  SELECT company_id FROM takt.companies
  WHERE access_key OPERATOR(pg_catalog.=)
    nullif(pg_catalog.current_setting('takt.company_key', true), '')::pg_catalog.uuid
$$;
REVOKE EXECUTE ON FUNCTION takt.session_company() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.session_company() TO takt_api;

-- Rights are lists of names in the row of their owner, because they are read and changed together. The program defines the
-- names (packages/catalogue/src/rights.ts) and ignores names that it does not know. Companies are rows, because they are
-- referenced.

-- The stored form of a secret: scrypt, which needs much memory, and SHA-256 of its result. The apps send the result of
-- scrypt, so nobody can sign in by sending the stored hash.
CREATE TYPE takt.slow_hash AS (
  salt bytea,
  cost integer,
  block_size integer,
  parallelization integer,
  sha256 bytea
);

-- One row. The salts of people who do not exist are computed from this secret. So they never change, and nobody can
-- distinguish them from the salts of real people. Two UUIDs have 244 random bits of the server's strong generator.
CREATE TABLE takt.salt_secret (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  secret bytea NOT NULL CHECK (octet_length(secret) = 32)
);
INSERT INTO takt.salt_secret (secret) VALUES (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

CREATE TABLE takt.roles (
  role text PRIMARY KEY CHECK (role ~ '^[a-z][a-z-]{0,39}$'),
  duties text[] NOT NULL,
  description text NOT NULL
);
INSERT INTO takt.roles (role, duties, description) VALUES
  ('planner',
    '{read-production-times,read-planned-times,read-error-messages,read-application-versions,read-persons}',
    'reads everything'),
  ('operator',
    '{read-production-times,read-error-messages,read-application-versions,read-persons,operate-queues}',
    'reads everything but planned times, and operates the queues'),
  ('integrator',
    '{read-production-times,read-planned-times,read-error-messages,read-application-versions}',
    'reads everything but who made it: for programs'),
  ('system-operator',
    '{read-production-times,read-error-messages,read-application-versions,read-persons,operate-queues,operate-all-companies}',
    'an operator who sees the events of all companies, also of those that are registered later or not at all'),
  ('administrator',
    '{read-production-times,read-error-messages,read-application-versions,read-persons,operate-queues,operate-all-companies,manage-access}',
    'a system operator who also manages people, clients and tokens');

CREATE TABLE takt.api_clients (
  api_client_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL CHECK (name <> ''),
  secret takt.slow_hash
    CHECK (secret IS NULL OR octet_length((secret).salt) = 16 AND octet_length((secret).sha256) = 32),
  secret_sha256 bytea CHECK (octet_length(secret_sha256) = 32),
  is_public boolean GENERATED ALWAYS AS (secret IS NULL) STORED,
  redirect_uris text[] NOT NULL DEFAULT '{}',
  permissions text[] NOT NULL DEFAULT '{}',
  roles text[] NOT NULL DEFAULT '{}',
  duties text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  disabled_at timestamptz
);
COMMENT ON COLUMN takt.api_clients.secret IS
  'null for a public client, which cannot keep a secret; otherwise needed only if secret_sha256 is null';
COMMENT ON COLUMN takt.api_clients.secret_sha256 IS
  'SHA-256 of the SHA-256 of the secret, which has 256 random bits, so a quick hash protects it; null for a public client, and for a client that an early version stored until it authenticates';
COMMENT ON COLUMN takt.api_clients.duties IS 'duties, besides those of the roles, for requests that the client makes for itself';
COMMENT ON COLUMN takt.api_clients.is_public IS 'shows the dashboard, which may not read secrets, that the client has none';

CREATE TABLE takt.api_client_companies (
  api_client_id integer NOT NULL REFERENCES takt.api_clients ON DELETE CASCADE,
  ordinal integer NOT NULL CHECK (ordinal >= 1),
  company_id integer NOT NULL REFERENCES takt.companies,
  PRIMARY KEY (api_client_id, ordinal),
  UNIQUE (api_client_id, company_id)
);
COMMENT ON TABLE takt.api_client_companies IS
  'companies of a client; a client without companies has those of the person who signs in, and cannot act for itself';

CREATE TABLE takt.users (
  pid integer PRIMARY KEY CHECK (pid >= 1),
  first_name text,
  name text NOT NULL CHECK (name <> ''),
  password takt.slow_hash NOT NULL
    CHECK (octet_length((password).salt) = 16 AND octet_length((password).sha256) = 32),
  roles text[] NOT NULL DEFAULT '{}',
  duties text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  disabled_at timestamptz,
  known_networks bytea[] NOT NULL DEFAULT '{}'
);
COMMENT ON COLUMN takt.users.duties IS 'duties besides those of the roles';
COMMENT ON COLUMN takt.users.known_networks IS
  'keyed hashes of the networks from which the person signed in, newest first, so that guesses from elsewhere do not lock the person out; see functions/known_networks.sql';

CREATE TABLE takt.user_companies (
  pid integer NOT NULL REFERENCES takt.users ON DELETE CASCADE,
  ordinal integer NOT NULL CHECK (ordinal >= 1),
  company_id integer NOT NULL REFERENCES takt.companies,
  PRIMARY KEY (pid, ordinal),
  UNIQUE (pid, company_id)
);
COMMENT ON COLUMN takt.user_companies.ordinal IS 'from 1; the first company is the default';

-- Groups all tokens of one sign-in of a person with a client. If the family is revoked, none of these tokens is valid.
CREATE TABLE takt.token_families (
  token_family_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  api_client_id integer NOT NULL REFERENCES takt.api_clients,
  pid integer NOT NULL REFERENCES takt.users,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz
);
COMMENT ON COLUMN takt.token_families.expires_at IS 'expiry of the newest refresh token of the family';
CREATE INDEX ON takt.token_families (expires_at);

-- A used refresh token stays until it expires, so that a second use is noticed.
CREATE TABLE takt.refresh_tokens (
  refresh_token_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  token_sha256 bytea NOT NULL UNIQUE CHECK (octet_length(token_sha256) = 32),
  token_family_id bigint NOT NULL REFERENCES takt.token_families ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX ON takt.refresh_tokens (expires_at);
CREATE INDEX ON takt.refresh_tokens (token_family_id);

CREATE TABLE takt.authorization_codes (
  authorization_code_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  code_sha256 bytea NOT NULL UNIQUE CHECK (octet_length(code_sha256) = 32),
  api_client_id integer NOT NULL REFERENCES takt.api_clients,
  pid integer NOT NULL REFERENCES takt.users,
  redirect_uri text NOT NULL,
  code_challenge text NOT NULL CHECK (code_challenge ~ '^[A-Za-z0-9_-]{43}$'),
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  token_family_id bigint REFERENCES takt.token_families ON DELETE SET NULL
);
COMMENT ON COLUMN takt.authorization_codes.code_challenge IS 'base64url of the SHA-256 of the verifier (PKCE S256)';
COMMENT ON COLUMN takt.authorization_codes.token_family_id IS 'family of the tokens that were issued for the code; null before its use';
CREATE INDEX ON takt.authorization_codes (expires_at);
CREATE INDEX ON takt.authorization_codes (token_family_id);

-- A token consists of 256 random bits, which only its holder knows. The table has only the SHA-256 of the token, so a reader
-- of the table or of a backup cannot use it. Nobody can guess 256 bits, so a slow hash would protect no better.
CREATE TABLE takt.access_tokens (
  access_token_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  token_sha256 bytea NOT NULL UNIQUE CHECK (octet_length(token_sha256) = 32),
  description text,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
  revoked_at timestamptz,
  kind text NOT NULL DEFAULT 'command-line' CHECK (kind IN ('command-line', 'client', 'person', 'page')),
  api_client_id integer REFERENCES takt.api_clients,
  pid integer REFERENCES takt.users,
  token_family_id bigint REFERENCES takt.token_families ON DELETE CASCADE,
  duties text[],
  may_publish boolean NOT NULL DEFAULT false,
  last_used_at timestamptz,
  CHECK (kind <> 'client' OR api_client_id IS NOT NULL AND pid IS NULL),
  CHECK (kind <> 'person' OR api_client_id IS NOT NULL AND pid IS NOT NULL AND token_family_id IS NOT NULL),
  CHECK (kind <> 'page' OR api_client_id IS NULL AND pid IS NOT NULL)
);
COMMENT ON COLUMN takt.access_tokens.token_sha256 IS 'SHA-256 of the whole token as it is sent, with its prefix';
COMMENT ON COLUMN takt.access_tokens.description IS 'purpose of the token, in the words of its creator';
COMMENT ON COLUMN takt.access_tokens.expires_at IS 'first instant at which the token is no longer valid';
COMMENT ON COLUMN takt.access_tokens.kind IS
  'command-line: created there; client: a client acts for itself; person: a client acts for a person; page: session of a browser';
COMMENT ON COLUMN takt.access_tokens.duties IS 'limit of the duties; null for all duties of the client or person';
COMMENT ON COLUMN takt.access_tokens.may_publish IS 'right of a token without a client; a client has it by its permissions';
CREATE INDEX ON takt.access_tokens (expires_at);
CREATE INDEX ON takt.access_tokens (token_family_id);
CREATE INDEX ON takt.access_tokens (pid);

CREATE TABLE takt.access_token_companies (
  access_token_id bigint NOT NULL REFERENCES takt.access_tokens ON DELETE CASCADE,
  ordinal integer NOT NULL CHECK (ordinal >= 1),
  company_id integer NOT NULL REFERENCES takt.companies,
  PRIMARY KEY (access_token_id, ordinal),
  UNIQUE (access_token_id, company_id)
);
COMMENT ON COLUMN takt.access_token_companies.ordinal IS 'from 1; the first company is the default of the token';

-- functions/issue_tokens.sql limits the number of rows for a person and a client, and finds the rows by these indexes.
CREATE INDEX ON takt.authorization_codes (pid, api_client_id);
CREATE INDEX ON takt.token_families (pid, api_client_id);
CREATE INDEX ON takt.access_tokens (api_client_id, access_token_id) WHERE kind = 'client';
CREATE INDEX ON takt.access_tokens (pid, access_token_id) WHERE kind = 'page';

-- Every change of rights with its author and its time: people, clients, tokens, companies, and rejected events that were
-- changed by hand. Only functions/note_audit.sql writes entries. They contain no secrets.
CREATE TABLE takt.audit_log (
  audit_entry_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  noted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor text NOT NULL,
  action text NOT NULL,
  subject text NOT NULL,
  details jsonb NOT NULL
);
COMMENT ON TABLE takt.audit_log IS 'entries are never deleted';
COMMENT ON COLUMN takt.audit_log.actor IS 'a person with PID, a token without a person, or the user of the command line';
COMMENT ON COLUMN takt.audit_log.action IS 'e.g. person-changed';
COMMENT ON COLUMN takt.audit_log.subject IS 'changed object, e.g. person 7 Nora Nilsen';
COMMENT ON COLUMN takt.audit_log.details IS
  'by field: the value, or an object with from and to; for a secret only that it was renewed';

-- The dashboard lists people, clients and tokens without secrets. It changes them only through takt.administer.
GRANT SELECT ON takt.audit_log, takt.user_companies, takt.api_client_companies, takt.access_token_companies, takt.roles
  TO takt_dashboard;
GRANT SELECT (pid, first_name, name, roles, duties, created_at, disabled_at) ON takt.users TO takt_dashboard;
GRANT SELECT (api_client_id, name, is_public, redirect_uris, permissions, roles, duties, created_at, disabled_at)
  ON takt.api_clients TO takt_dashboard;
GRANT SELECT (access_token_id, description, created_at, expires_at, revoked_at, kind, api_client_id, pid, token_family_id,
  duties, may_publish, last_used_at) ON takt.access_tokens TO takt_dashboard;
GRANT SELECT (token_family_id, revoked_at) ON takt.token_families TO takt_dashboard;
