-- One product-structure-version.changed.v1, flattened, with the company it belongs to.
CREATE TYPE takt.product_structure_version_change AS (
  ordinal bigint,
  company_id integer,
  changed_at timestamptz,
  product_structure_version_id bigint,
  status integer,
  name text,
  version integer,
  revision text,
  product_id bigint,
  product_status integer,
  product_name text,
  product_type text,
  product_description text,
  run_time numeric(13,6),
  setup_time numeric(13,6),
  cleanup_time numeric(13,6)
);

-- Takes a batch of product-structure-version.changed.v1 in, in the caller's transaction. The newest changedAt
-- wins, for the structure version and for its product separately; of two at the same instant the first to
-- arrive stays.
--
-- events: JSON array of objects {database, changedAt, structureVersion, status, name, version, revision,
--   productId, productStatus, productName, productType, productDescription, runTime, setupTime, cleanupTime}.
-- Returns a row for what did not change its structure version: its position in the array (from 0) and why, stale (its
-- product may be the newest known all the same) or unknown-company.
--
-- Locks products, then structure versions, each in key order, so that batches deadlock neither with each other
-- nor with apply_work_order_operation_events. Each statement has a snapshot newer than the locks before it.
CREATE FUNCTION takt.apply_product_structure_version_changes(events json)
RETURNS TABLE ("position" integer, outcome text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  changes takt.product_structure_version_change[];
  written bigint[];
BEGIN
  SELECT array_agg((e.ordinal, company.company_id, e.changed_at, e.structure_version, e.status, e.name, e.version,
    e.revision, e.product_id, e.product_status, e.product_name, e.product_type, e.product_description,
    e.run_time, e.setup_time, e.cleanup_time)::takt.product_structure_version_change ORDER BY e.ordinal)
  INTO changes
  FROM ROWS FROM (json_to_recordset(events) AS (
    database text, "changedAt" timestamptz, "structureVersion" bigint, status integer, name text, version integer,
    revision text, "productId" bigint, "productStatus" integer, "productName" text, "productType" text,
    "productDescription" text, "runTime" numeric(13,6), "setupTime" numeric(13,6), "cleanupTime" numeric(13,6)
  )) WITH ORDINALITY AS e (database, changed_at, structure_version, status, name, version, revision, product_id,
    product_status, product_name, product_type, product_description, run_time, setup_time, cleanup_time, ordinal)
  LEFT JOIN takt.companies company ON company.code = e.database;

  INSERT INTO takt.products AS known (company_id, product_id, status, name, type, description, changed_at)
  SELECT DISTINCT ON (company_id, product_id)
    company_id, product_id, product_status, product_name, product_type, product_description, changed_at
  FROM unnest(changes) WHERE company_id IS NOT NULL
  ORDER BY company_id, product_id, changed_at DESC, ordinal
  ON CONFLICT (company_id, product_id) DO UPDATE SET
    status = excluded.status, name = excluded.name, type = excluded.type,
    description = excluded.description, changed_at = excluded.changed_at
  WHERE known.changed_at < excluded.changed_at;

  INSERT INTO takt.product_structure_versions (company_id, product_structure_version_id)
  SELECT DISTINCT company_id, product_structure_version_id
  FROM unnest(changes) WHERE company_id IS NOT NULL
  ORDER BY company_id, product_structure_version_id
  ON CONFLICT DO NOTHING;

  -- Besides the batch's own rows, those that carry a copy of a product name that may have changed.
  PERFORM FROM takt.product_structure_versions listed
  WHERE EXISTS (
    SELECT FROM unnest(changes) AS change
    WHERE change.company_id = listed.company_id
      AND change.product_structure_version_id = listed.product_structure_version_id)
  OR (listed.company_id, listed.product_id) IN (SELECT company_id, product_id FROM unnest(changes))
  ORDER BY company_id, product_structure_version_id
  FOR NO KEY UPDATE;

  WITH newest AS (
    SELECT DISTINCT ON (company_id, product_structure_version_id) *
    FROM unnest(changes) WHERE company_id IS NOT NULL
    ORDER BY company_id, product_structure_version_id, changed_at DESC, ordinal
  ), updated AS (
    UPDATE takt.product_structure_versions AS listed SET
      changed_at = newest.changed_at, status = newest.status, name = newest.name, version = newest.version,
      revision = newest.revision, product_id = newest.product_id, run_time = newest.run_time,
      setup_time = newest.setup_time, cleanup_time = newest.cleanup_time
    FROM newest
    WHERE listed.company_id = newest.company_id
      AND listed.product_structure_version_id = newest.product_structure_version_id
      AND (listed.changed_at IS NULL OR listed.changed_at < newest.changed_at)
    RETURNING newest.ordinal
  )
  SELECT array_agg(ordinal) INTO written FROM updated;

  UPDATE takt.product_structure_versions AS listed SET product_name = product.name
  FROM takt.products product
  WHERE (product.company_id, product.product_id) IN (SELECT company_id, product_id FROM unnest(changes))
    AND listed.company_id = product.company_id AND listed.product_id = product.product_id
    AND listed.changed_at IS NOT NULL
    AND listed.product_name IS DISTINCT FROM product.name;

  RETURN QUERY
  SELECT (ordinal - 1)::integer, CASE WHEN company_id IS NULL THEN 'unknown-company' ELSE 'stale' END
  FROM unnest(changes)
  WHERE NOT EXISTS (SELECT FROM unnest(written) AS done WHERE done = ordinal)
  ORDER BY ordinal;
END $$;

REVOKE EXECUTE ON FUNCTION takt.apply_product_structure_version_changes(json) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.apply_product_structure_version_changes(json) TO takt_worker;
