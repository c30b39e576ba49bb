-- Product names are searched by any part and without regard to case. Folded once when written and indexed by their
-- trigrams, a part of three characters or more is found without reading every name. pg_trgm comes with PostgreSQL and
-- is trusted: the owner of a database may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;

ALTER TABLE takt.products ADD COLUMN folded_name text COLLATE "und-x-icu" GENERATED ALWAYS AS (casefold(name)) STORED;
COMMENT ON COLUMN takt.products.folded_name IS 'what filters compare with: the name without regard to case';

DO $$
BEGIN
  EXECUTE format('CREATE INDEX products_by_folded_name ON takt.products USING gin (folded_name %s.gin_trgm_ops)',
    (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'pg_trgm'));
END $$;
