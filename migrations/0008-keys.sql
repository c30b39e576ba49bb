-- Keys: the names that people have for objects, in place of numbers (functions/number_objects.sql).
-- breaks no program: columns and attributes are only added

-- The number of each object that events name by a key. A number never changes, and a key never goes: an operation that was
-- pruned, and a structure version without operations, are found again by it. Kinds in the order in which they are numbered.
CREATE TABLE takt.object_keys (
  company_id integer NOT NULL,
  kind text NOT NULL CHECK (kind IN ('product', 'version', 'order', 'operation')),
  key text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  PRIMARY KEY (company_id, kind, key)
);

-- The kinds of objects that a company names by keys; it names all others by numbers.
CREATE TABLE takt.key_counters (
  company_id integer NOT NULL,
  kind text NOT NULL CHECK (kind IN ('product', 'version', 'order', 'operation')),
  last_number bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (company_id, kind)
) WITH (fillfactor = 50);
COMMENT ON COLUMN takt.key_counters.last_number IS 'the number of the newest key';

-- A key as filters compare it. Keys of operations are filtered among those of one structure version, so they need no index.
CREATE FUNCTION takt.folded_key(key text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN normalize(casefold(key COLLATE "und-x-icu"));

DO $$
DECLARE
  operators text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'pg_trgm') || '.gin_trgm_ops';
BEGIN
  EXECUTE format('CREATE INDEX object_keys_by_part ON takt.object_keys USING gin ((takt.folded_key(key) COLLATE "und-x-icu") %s)
    WHERE kind IN (''product'', ''version'')', operators);
END $$;

-- A whole key is found faster than by the trigrams that it shares with others.
CREATE INDEX object_keys_by_folded_key ON takt.object_keys (company_id, kind, (takt.folded_key(key) COLLATE "C"))
  WHERE kind IN ('product', 'version');

-- Repairs look for the keys of numbers.
CREATE INDEX object_keys_by_number ON takt.object_keys (company_id, kind, number) WHERE kind IN ('product', 'version');

GRANT EXECUTE ON FUNCTION takt.folded_key(text) TO takt_worker, takt_api;
GRANT SELECT, INSERT ON takt.object_keys TO takt_worker;
GRANT SELECT, INSERT, UPDATE ON takt.key_counters TO takt_worker;

-- Copies of keys beside the numbers, which lists show, filter and sort.
ALTER TABLE takt.products ADD COLUMN product_key text COLLATE "und-x-icu";
ALTER TABLE takt.product_structure_versions
  ADD COLUMN product_structure_version_key text COLLATE "und-x-icu",
  ADD COLUMN product_key text COLLATE "und-x-icu";
ALTER TABLE takt.work_order_operations
  ADD COLUMN work_order_operation_key text COLLATE "und-x-icu",
  ADD COLUMN work_order_key text COLLATE "und-x-icu",
  ADD COLUMN event_source text,
  ADD COLUMN event_id text,
  ADD COLUMN event_time timestamptz;
COMMENT ON COLUMN takt.product_structure_versions.product_key IS 'copy of products.product_key';
COMMENT ON COLUMN takt.work_order_operations.event_source IS
  'with event_id and event_time: the newest event of the operation; null if it was applied before these were recorded';

ALTER TYPE takt.product_structure_version_change ADD ATTRIBUTE product_structure_version_key text;
ALTER TYPE takt.product_structure_version_change ADD ATTRIBUTE product_key text;

GRANT SELECT (product_structure_version_key) ON takt.product_structure_versions TO takt_dashboard;
