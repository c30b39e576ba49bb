-- Applies a batch of product-structure-version.changed.v1 and product-structure-version.removed.v1 in the caller's
-- transaction. An event without a product is a removal. The newest changedAt wins, separately for the structure version and
-- for its product. Of two events with an equal changedAt, the one that arrived
-- first wins; the other is a duplicate if it has the same content, and otherwise a conflict. A stored changedAt that no event
-- may have any more, because it is years ahead of the clock, loses against every event.
--
-- only_company, companies: as for apply_work_order_operation_events.
-- events: a JSON array of objects. Their keys are those of takt.product_structure_version_change; planned times are in
-- hours. Structure version and product have a number or a key.
--
-- Returns a row for each event that did not change its structure version: its position in the array (from 0), and the
-- reason: unknown-company, duplicate or stale; a stale event may still have changed the product. A conflict is stale with
-- is_conflict, which workers of 1.0.0 do not know. With misnamed, the conflict is about an object of this kind, which the
-- company names the other way. A conflict about the product does not change the structure version. A conflict about the
-- structure version may change the product, but only if it names another product.
--
-- Locks months and counters of keys first, then products, then structure versions, each in the order of their keys, so that
-- batches cannot deadlock with each other or with apply_work_order_operation_events. Each statement after a lock has a newer snapshot than the lock.
-- Rows are found by key and updated by ctid, as in add_to_figures, so that no statement reads a whole table.
CREATE FUNCTION takt.apply_product_structure_version_changes(only_company integer, companies integer[],
  events json)
RETURNS TABLE ("position" integer, outcome text, is_conflict boolean, misnamed text)
LANGUAGE plpgsql SET enable_seqscan = off SET enable_indexscan = off AS $$
#variable_conflict use_column
DECLARE
  changes takt.product_structure_version_change[] :=
    array(SELECT change FROM json_populate_recordset(NULL::takt.product_structure_version_change, events) AS change);
  kinds CONSTANT text[] := '{product,version}';
  keys text[] := array[
    array(SELECT coalesce(product_key, CASE WHEN product_id IS NOT NULL THEN '' END)
      FROM unnest(changes) WITH ORDINALITY ORDER BY ordinality),
    array(SELECT coalesce(product_structure_version_key, CASE WHEN product_structure_version_id IS NOT NULL THEN '' END)
      FROM unnest(changes) WITH ORDINALITY ORDER BY ordinality)];
  named record;
  wrongly_named text[];
  contradicting bigint[];
  written bigint[];
  listed integer[];
  unlisted integer[];
  is_changed boolean;
BEGIN
  IF '' <> ANY (keys) THEN
    PERFORM takt.decide_naming(only_company, companies, kinds, keys);
  ELSE
    PERFORM takt.share_months(companies);
  END IF;
  IF '' <> ANY (keys) OR EXISTS (
    SELECT FROM takt.key_counters WHERE company_id = ANY (companies) AND kind = ANY (kinds)
  ) THEN
    named := takt.number_objects(only_company, companies, kinds, keys);
    wrongly_named := named.misnamed;
    companies := takt.without_misnamed(companies, wrongly_named);
    FOR place IN 1 .. cardinality(changes) LOOP
      changes[place].product_id := coalesce(named.numbers[1][place], changes[place].product_id);
      changes[place].product_structure_version_id :=
        coalesce(named.numbers[2][place], changes[place].product_structure_version_id);
    END LOOP;
  END IF;

  INSERT INTO takt.products AS known (company_id, product_id, product_key, status, name, type, description, changed_at)
  SELECT DISTINCT ON (company_id, product_id)
    company_id, product_id, product_key, product_status, product_name, product_type, product_description, changed_at
  FROM unnest(companies, changes) WITH ORDINALITY AS change (company_id)
  WHERE company_id IS NOT NULL AND product_id IS NOT NULL
  ORDER BY company_id, product_id, changed_at DESC, ordinality
  ON CONFLICT (company_id, product_id) DO UPDATE SET
    status = excluded.status, name = excluded.name, type = excluded.type,
    description = excluded.description, changed_at = excluded.changed_at
  WHERE known.changed_at < excluded.changed_at OR known.changed_at > takt.impossible_from();
  is_changed := FOUND;

  -- The rows of all these products are locked now.
  contradicting := array(
    SELECT ordinality
    FROM unnest(companies, changes) WITH ORDINALITY AS change (company_id)
    CROSS JOIN LATERAL (
      SELECT product.* FROM takt.products product
      WHERE product.company_id = coalesce(only_company, change.company_id) AND product.product_id = change.product_id
        AND product.changed_at = change.changed_at
      OFFSET 0
    ) AS known
    WHERE change.company_id IS NOT NULL
      AND (known.status, known.name, known.type, known.description)
        IS DISTINCT FROM (product_status, product_name, product_type, product_description));

  -- Locks the rows of the batch, and the rows that contain a copy of a product name which may have changed.
  PERFORM takt.lock_figures(only_company, array(
    SELECT (company_id, product_structure_version_id, NULL, NULL, NULL, NULL, NULL, NULL)::takt.figures_change
    FROM (
      SELECT company_id, product_structure_version_id
      FROM unnest(companies, changes) WITH ORDINALITY AS change (company_id)
      WHERE company_id IS NOT NULL AND ordinality NOT IN (SELECT unnest(contradicting))
      UNION
      SELECT company_id, listed.product_structure_version_id
      FROM (SELECT DISTINCT company_id, product_id FROM unnest(companies, changes) AS change (company_id)) AS product
      CROSS JOIN LATERAL (
        SELECT product_structure_version_id FROM takt.product_structure_versions version
        WHERE version.company_id = coalesce(only_company, product.company_id) AND version.product_id = product.product_id
          AND version.changed_at IS NOT NULL
        OFFSET 0
      ) AS listed
    ) AS key
    ORDER BY company_id, product_structure_version_id));

  WITH newest AS (
    SELECT DISTINCT ON (company_id, product_structure_version_id) *
    FROM unnest(companies, changes) WITH ORDINALITY AS change (company_id)
    WHERE company_id IS NOT NULL AND ordinality NOT IN (SELECT unnest(contradicting))
    ORDER BY company_id, product_structure_version_id, changed_at DESC, ordinality
  ), updated AS (
    UPDATE takt.product_structure_versions AS listed SET
      changed_at = CASE WHEN newest.product_id IS NOT NULL THEN newest.changed_at END,
      removed_at = CASE WHEN newest.product_id IS NULL THEN newest.changed_at END,
      product_name = CASE WHEN newest.product_id IS NOT NULL THEN listed.product_name END, status = newest.status, name = newest.name, version = newest.version,
      revision = newest.revision, product_id = newest.product_id, product_key = newest.product_key, run_time = newest.run_time * 1000000,
      setup_time = newest.setup_time * 1000000, cleanup_time = newest.cleanup_time * 1000000
    FROM newest CROSS JOIN LATERAL (
      SELECT version.ctid AS place FROM takt.product_structure_versions version
      WHERE version.company_id = coalesce(only_company, newest.company_id)
        AND version.product_structure_version_id = newest.product_structure_version_id
        AND (coalesce(version.changed_at, version.removed_at) < newest.changed_at IS NOT FALSE
          OR coalesce(version.changed_at, version.removed_at) > takt.impossible_from())
      OFFSET 0
    ) AS known
    WHERE listed.ctid = known.place AND (listed.company_id = only_company OR only_company IS NULL)
    RETURNING newest.ordinality, newest.company_id,
      old.changed_at IS NULL AND new.changed_at IS NOT NULL AS is_listed,
      old.changed_at IS NOT NULL AND new.changed_at IS NULL AS is_unlisted
  )
  SELECT coalesce(array_agg(ordinality), '{}'), coalesce(array_agg(company_id) FILTER (WHERE is_listed), '{}'),
    coalesce(array_agg(company_id) FILTER (WHERE is_unlisted), '{}')
  INTO written, listed, unlisted
  FROM updated;
  is_changed := is_changed OR written <> '{}';

  UPDATE takt.product_structure_versions AS listed SET product_name = known.product_name
  FROM (SELECT DISTINCT company_id, product_id FROM unnest(companies, changes) AS change (company_id)) AS key
  CROSS JOIN LATERAL (
    SELECT version.ctid AS place, product.name AS product_name
    FROM takt.products product, takt.product_structure_versions version
    WHERE product.company_id = coalesce(only_company, key.company_id) AND product.product_id = key.product_id
      AND version.company_id = coalesce(only_company, key.company_id) AND version.product_id = key.product_id
      AND version.changed_at IS NOT NULL
      AND version.product_name IS DISTINCT FROM product.name
    OFFSET 0
  ) AS known
  WHERE listed.ctid = known.place AND (listed.company_id = only_company OR only_company IS NULL);
  is_changed := is_changed OR FOUND;

  -- All rows that were written above belong to these products, and so do all rows with a copy of a new name.
  INSERT INTO takt.structure_version_texts (company_id, product_structure_version_id, folded)
  SELECT key.company_id, searched.id, searched.folded
  FROM (SELECT DISTINCT company_id, product_id FROM unnest(companies, changes) AS change (company_id)) AS key
  CROSS JOIN LATERAL (
    SELECT version.product_structure_version_id AS id,
      takt.searched_text(version.product_name, version.name, version.product_id, version.product_structure_version_id,
        version.product_key, version.product_structure_version_key) AS folded
    FROM takt.product_structure_versions version
    WHERE version.company_id = coalesce(only_company, key.company_id) AND version.product_id = key.product_id
      AND version.changed_at IS NOT NULL
    OFFSET 0
  ) AS searched
  WHERE (SELECT known.folded FROM takt.structure_version_texts known
    WHERE known.company_id = coalesce(only_company, key.company_id) AND known.product_structure_version_id = searched.id)
    IS DISTINCT FROM searched.folded
  ON CONFLICT (company_id, product_structure_version_id) DO UPDATE SET folded = excluded.folded;

  is_changed := is_changed OR FOUND;

  IF unlisted <> '{}' THEN
    DELETE FROM takt.structure_version_texts AS known
    USING unnest(companies, changes) WITH ORDINALITY AS change (company_id)
    WHERE known.company_id = change.company_id AND (known.company_id = only_company OR only_company IS NULL)
      AND known.product_structure_version_id = change.product_structure_version_id
      AND change.product_id IS NULL AND ordinality = ANY (written);
  END IF;

  IF is_changed THEN
    PERFORM takt.note_changes(array_remove(companies, NULL), listed, unlisted);
  END IF;

  RETURN QUERY
  SELECT (ordinality - 1)::integer,
    CASE
      WHEN change.misnamed_kind IS NOT NULL THEN 'stale'
      WHEN change.company_id IS NULL THEN 'unknown-company'
      WHEN compared.is_same THEN 'duplicate'
      ELSE 'stale'
    END,
    change.misnamed_kind IS NOT NULL
      OR change.company_id IS NOT NULL AND (ordinality IN (SELECT unnest(contradicting)) OR compared.is_same IS FALSE),
    change.misnamed_kind
  FROM ROWS FROM (unnest(companies), unnest(wrongly_named), unnest(changes)) WITH ORDINALITY
    AS change (company_id, misnamed_kind)
  -- True if the structure version has the same content; null unless both changed at the same instant.
  LEFT JOIN LATERAL (
    SELECT (known.status, known.name, known.version, known.revision, known.product_id,
        known.run_time, known.setup_time, known.cleanup_time)
      IS NOT DISTINCT FROM (change.status, change.name, change.version, change.revision, change.product_id,
        change.run_time * 1000000, change.setup_time * 1000000, change.cleanup_time * 1000000) AS is_same
    FROM takt.product_structure_versions known
    WHERE known.company_id = coalesce(only_company, change.company_id)
      AND known.product_structure_version_id = change.product_structure_version_id
      AND coalesce(known.changed_at, known.removed_at) = change.changed_at AND ordinality NOT IN (SELECT unnest(contradicting))
      AND change.misnamed_kind IS NULL
    OFFSET 0
  ) AS compared ON true
  WHERE ordinality NOT IN (SELECT unnest(written))
  ORDER BY ordinality;
END $$;

-- The same for events of any number of companies, on a single server. databases: the company code of each event.
CREATE FUNCTION takt.apply_product_structure_version_changes(databases text[], events json)
RETURNS TABLE ("position" integer, outcome text, is_conflict boolean, misnamed text)
LANGUAGE sql AS $$
  SELECT * FROM takt.apply_product_structure_version_changes(NULL, takt.find_companies(databases), events)
$$;

REVOKE EXECUTE ON FUNCTION takt.apply_product_structure_version_changes(integer, integer[], json),
  takt.apply_product_structure_version_changes(text[], json) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.apply_product_structure_version_changes(integer, integer[], json),
  takt.apply_product_structure_version_changes(text[], json) TO takt_worker;
