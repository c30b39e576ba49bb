-- Access tokens: 256 random bits that only their holder knows. Here stands the SHA-256 alone, so whoever reads the
-- table or a backup of it can use none of them; a slow hash would protect no better, nobody guesses 256 bits.
CREATE TABLE takt.access_tokens (
  access_token_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  token_sha256 bytea NOT NULL UNIQUE CHECK (octet_length(token_sha256) = 32),
  description text,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
  revoked_at timestamptz
);
COMMENT ON COLUMN takt.access_tokens.token_sha256 IS 'SHA-256 of the whole token as it is sent, with its prefix';
COMMENT ON COLUMN takt.access_tokens.description IS 'what the token is for, in the words of whoever made it';
COMMENT ON COLUMN takt.access_tokens.expires_at IS 'the first instant at which the token is no longer valid';

CREATE TABLE takt.access_token_companies (
  access_token_id bigint NOT NULL REFERENCES takt.access_tokens ON DELETE CASCADE,
  ordinal integer NOT NULL CHECK (ordinal >= 1),
  company_id integer NOT NULL REFERENCES takt.companies,
  PRIMARY KEY (access_token_id, ordinal),
  UNIQUE (access_token_id, company_id)
);
COMMENT ON COLUMN takt.access_token_companies.ordinal IS 'from 1; the first company is the default of the token';
