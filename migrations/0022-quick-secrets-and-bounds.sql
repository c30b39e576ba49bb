-- A client's secret has 256 random bits: nobody guesses it, so a quick hash protects it as well as a slow one, and checking
-- it costs nothing that a stranger could use up. The slow one stays for the versions before, which know no other.
ALTER TABLE takt.api_clients ADD secret_sha256 bytea CHECK (octet_length(secret_sha256) = 32);
COMMENT ON COLUMN takt.api_clients.secret_sha256 IS
  'SHA-256 of the SHA-256 of the secret; null: a public client, or one that has not been seen since there is this column';

-- Where each person has signed in, so that the guesses of strangers elsewhere do not lock the person out there.
ALTER TABLE takt.users ADD known_networks bytea[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN takt.users.known_networks IS 'keyed hashes of the addresses, the newest first; see functions/known_networks.sql';

-- What is bounded for a person and client is found by these, see functions/issue_tokens.sql.
CREATE INDEX ON takt.authorization_codes (pid, api_client_id);
CREATE INDEX ON takt.token_families (pid, api_client_id);
CREATE INDEX ON takt.access_tokens (api_client_id, access_token_id) WHERE kind = 'client';
CREATE INDEX ON takt.access_tokens (pid, access_token_id) WHERE kind = 'page';

-- breaks no program: the index on pid and api_client_id takes the place of this one
DROP INDEX takt.token_families_pid_idx;
