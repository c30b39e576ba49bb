-- Who may ask: API clients, people, and what they were given. Rights are lists of names in the row of who has them:
-- they are read and changed together, and the names belong to the program (packages/access/src/rights.ts), which leaves
-- out those that it does not know. Companies are rows of their own, because they refer.

-- What is left of a secret after scrypt (memory-hard, as passwords need it) and SHA-256 of its result. Who checks a
-- secret sends the result of scrypt, so what stands here cannot be sent in its place.
CREATE TYPE takt.slow_hash AS (
  salt bytea,
  cost integer,
  block_size integer,
  parallelization integer,
  sha256 bytea
);

-- One row. Salts of those who do not exist are made from it, so that they stay the same and nobody can tell them from
-- real ones. Two UUIDs hold 244 random bits of the server's strong source.
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
    'reads everything but who made it: for programs');

CREATE TABLE takt.api_clients (
  api_client_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL CHECK (name <> ''),
  secret takt.slow_hash
    CHECK (secret IS NULL OR octet_length((secret).salt) = 16 AND octet_length((secret).sha256) = 32),
  redirect_uris text[] NOT NULL DEFAULT '{}',
  permissions text[] NOT NULL DEFAULT '{}',
  roles text[] NOT NULL DEFAULT '{}',
  duties text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  disabled_at timestamptz
);
COMMENT ON COLUMN takt.api_clients.secret IS 'null: a public client, a program that can keep no secret';
COMMENT ON COLUMN takt.api_clients.duties IS 'what it is trusted with where it acts for itself, besides what its roles hold';

CREATE TABLE takt.api_client_companies (
  api_client_id integer NOT NULL REFERENCES takt.api_clients ON DELETE CASCADE,
  ordinal integer NOT NULL CHECK (ordinal >= 1),
  company_id integer NOT NULL REFERENCES takt.companies,
  PRIMARY KEY (api_client_id, ordinal),
  UNIQUE (api_client_id, company_id)
);
COMMENT ON TABLE takt.api_client_companies IS
  'the companies a client is for; one without any is for those of whoever signs in, and cannot act for itself';

CREATE TABLE takt.users (
  pid integer PRIMARY KEY CHECK (pid >= 1),
  first_name text,
  name text NOT NULL CHECK (name <> ''),
  password takt.slow_hash NOT NULL
    CHECK (octet_length((password).salt) = 16 AND octet_length((password).sha256) = 32),
  roles text[] NOT NULL DEFAULT '{}',
  duties text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  disabled_at timestamptz
);
COMMENT ON COLUMN takt.users.duties IS 'besides what the roles hold';

CREATE TABLE takt.user_companies (
  pid integer NOT NULL REFERENCES takt.users ON DELETE CASCADE,
  ordinal integer NOT NULL CHECK (ordinal >= 1),
  company_id integer NOT NULL REFERENCES takt.companies,
  PRIMARY KEY (pid, ordinal),
  UNIQUE (pid, company_id)
);
COMMENT ON COLUMN takt.user_companies.ordinal IS 'from 1; the first company is the default';

-- All that one sign-in of a person with a client gave: revoked, none of it works any more.
CREATE TABLE takt.token_families (
  token_family_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  api_client_id integer NOT NULL REFERENCES takt.api_clients,
  pid integer NOT NULL REFERENCES takt.users,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz
);
COMMENT ON COLUMN takt.token_families.expires_at IS 'when its newest refresh token expires';
CREATE INDEX ON takt.token_families (expires_at);
CREATE INDEX ON takt.token_families (pid);

-- A used one stays until it expires, so that whoever uses it again is noticed.
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
COMMENT ON COLUMN takt.authorization_codes.token_family_id IS 'what it gave, once it was used';
CREATE INDEX ON takt.authorization_codes (expires_at);
CREATE INDEX ON takt.authorization_codes (token_family_id);

ALTER TABLE takt.access_tokens
  ADD kind text NOT NULL DEFAULT 'command-line' CHECK (kind IN ('command-line', 'client', 'person', 'page')),
  ADD api_client_id integer REFERENCES takt.api_clients,
  ADD pid integer REFERENCES takt.users,
  ADD token_family_id bigint REFERENCES takt.token_families ON DELETE CASCADE,
  ADD duties text[],
  ADD may_publish boolean NOT NULL DEFAULT false,
  ADD last_used_at timestamptz,
  ADD CHECK (kind <> 'client' OR api_client_id IS NOT NULL AND pid IS NULL),
  ADD CHECK (kind <> 'person' OR api_client_id IS NOT NULL AND pid IS NOT NULL AND token_family_id IS NOT NULL),
  ADD CHECK (kind <> 'page' OR api_client_id IS NULL AND pid IS NOT NULL);
COMMENT ON COLUMN takt.access_tokens.kind IS
  'command-line: made there; client: a client acts for itself; person: with a client; page: the session of a browser';
COMMENT ON COLUMN takt.access_tokens.duties IS 'null: all that client or person have; else no more than these';
COMMENT ON COLUMN takt.access_tokens.may_publish IS 'of a token without a client; a client is permitted to, or not';
CREATE INDEX ON takt.access_tokens (expires_at);
CREATE INDEX ON takt.access_tokens (token_family_id);
CREATE INDEX ON takt.access_tokens (pid);
