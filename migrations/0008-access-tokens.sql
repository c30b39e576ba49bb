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

-- What a token grants: one row where it is valid, none where it is unknown, expired, revoked or without a company.
-- A revocation counts from its commit on.
--
-- token_sha256: SHA-256 of the token. The look-up is by hash, so how long it takes tells nothing about a token.
-- companies: JSON array of objects {company_id, code, name}, never empty, the default company first.
--
-- The caller needs no right on the tables: this function is all that the API can ask of them, one token at a time,
-- and only where it knows the token already. It takes the time of the statement and not of the transaction, because
-- in a long transaction a token would outlive its expiry.
CREATE FUNCTION takt.find_access_token(token_sha256 bytea)
RETURNS TABLE (access_token_id bigint, expires_at timestamptz, companies json)
LANGUAGE sql STABLE STRICT SECURITY DEFINER ROWS 1
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT token.access_token_id, token.expires_at,
    json_agg(json_build_object('company_id', company.company_id, 'code', company.code, 'name', company.name)
      ORDER BY granted.ordinal)
  FROM takt.access_tokens token
  JOIN takt.access_token_companies granted ON granted.access_token_id = token.access_token_id
  JOIN takt.companies company ON company.company_id = granted.company_id
  WHERE token.token_sha256 = find_access_token.token_sha256
    AND token.expires_at > statement_timestamp()
    AND token.revoked_at IS NULL
  GROUP BY token.access_token_id
$$;

REVOKE EXECUTE ON FUNCTION takt.find_access_token(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.find_access_token(bytea) TO takt_api;
