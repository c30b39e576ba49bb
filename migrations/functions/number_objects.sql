-- Numbers for the objects that events name by keys. A company names a kind of object by keys or by numbers, never both: its
-- first event decides that is not rejected. Keys are numbered in the transaction that applies their events, in the order of the keys.
--
-- In all functions: only_company and companies as for apply_work_order_operation_events. kinds: up to three kinds of
-- object, in the order of takt.object_keys. keys: an array for each of these kinds, with the key of each event's object;
-- '' if the event names the object by its number, and null if it names none.
--
-- A table of keys was preferred to keys as identities: figures, months, ledger, paging and pruned operations stay as they
-- are, and events without keys pay nothing. Counters were preferred to a sequence: numbers of pruned operations must be
-- close together, and on a cluster a company moves with its counters. A transaction with new keys of a kind makes others
-- with new keys of the same company wait until it ends, as the rows of figures do anyway.

-- Lets the first events of a company decide if it names these kinds by keys, and locks the months of the companies, as
-- share_months does. It must be the first lock of a transaction. If something is to decide, it locks the months exclusively, so
-- that no event with a number is being applied.
CREATE FUNCTION takt.decide_naming(only_company integer, companies integer[], kinds text[], keys text[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  -- Usually all kinds are decided for keys.
  IF (SELECT count(*) FROM takt.key_counters WHERE company_id = ANY (companies) AND kind = ANY (kinds))
      = cardinality(kinds) * (SELECT count(DISTINCT company) FROM unnest(companies) AS company)
    OR NOT takt.walk_naming(only_company, companies, kinds, keys, false)
  THEN
    PERFORM takt.share_months(companies);
    RETURN;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('takt months'), months.place)
  FROM (SELECT DISTINCT company % 64 AS place FROM unnest(companies) AS company ORDER BY place) AS months
  WHERE months.place IS NOT NULL;
  PERFORM takt.walk_naming(only_company, companies, kinds, keys, true);
END $$;

-- Walks through the events in order, and lets each event decide the naming of its kinds that are undecided, unless it names
-- another kind the wrong way. Without decides, it only returns true as soon as an event would decide. Kinds that are decided
-- stay so; hence this needs no lock.
CREATE FUNCTION takt.walk_naming(only_company integer, companies integer[], kinds text[], keys text[], decides boolean)
RETURNS boolean
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  event record;
  kind_of text;
  named text;
  slot text;
  fits boolean;
  is_open boolean;
  decided jsonb := '{}';
BEGIN
  FOR event IN
    SELECT company, array[first, second, third] AS keys
    FROM ROWS FROM (unnest(companies), unnest(keys[1:1]), unnest(keys[2:2]), unnest(keys[3:3])) WITH ORDINALITY
      AS given (company, first, second, third, ordinality)
    WHERE company IS NOT NULL ORDER BY ordinality
  LOOP
    fits := true;
    is_open := false;
    -- The naming of work orders is looked up last: without any number of an order, all of the ledger is read for it.
    FOR kind_of, named IN
      SELECT kind, key FROM unnest(kinds, event.keys) AS object (kind, key) WHERE key IS NOT NULL ORDER BY kind = 'order'
    LOOP
      slot := event.company || '/' || kind_of;
      IF NOT decided ? slot THEN
        decided := decided || jsonb_build_object(slot, takt.is_named_by_key(coalesce(only_company, event.company), kind_of));
      END IF;
      fits := (decided ->> slot)::boolean IS DISTINCT FROM (named = '');
      EXIT WHEN NOT fits;
      is_open := is_open OR decided ->> slot IS NULL;
    END LOOP;
    CONTINUE WHEN NOT (fits AND is_open);
    IF NOT decides THEN
      RETURN true;
    END IF;
    FOR kind_of, named IN
      SELECT kind, key FROM unnest(kinds, event.keys) AS object (kind, key) WHERE key IS NOT NULL
    LOOP
      slot := event.company || '/' || kind_of;
      CONTINUE WHEN decided ->> slot IS NOT NULL;
      decided := decided || jsonb_build_object(slot, named <> '');
      IF named <> '' THEN
        INSERT INTO takt.key_counters (company_id, kind) SELECT coalesce(only_company, event.company), kind_of;
      END IF;
    END LOOP;
  END LOOP;
  RETURN false;
END $$;

-- True if a company names a kind by keys, false if it has objects with numbers, null if nothing has decided yet. This is one
-- statement, because the objects of a transaction that commits between two would seem to have numbers.
CREATE FUNCTION takt.is_named_by_key(company integer, named_kind text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  RETURN CASE
    WHEN EXISTS (SELECT FROM takt.key_counters WHERE company_id = company AND kind = named_kind) THEN true
    WHEN CASE named_kind
      WHEN 'product' THEN EXISTS (SELECT FROM takt.products WHERE company_id = company)
      WHEN 'version' THEN EXISTS (SELECT FROM takt.product_structure_versions WHERE company_id = company)
      WHEN 'order' THEN EXISTS (
        SELECT FROM takt.work_order_operations WHERE company_id = company AND work_order_id IS NOT NULL)
      ELSE EXISTS (SELECT FROM takt.work_order_operations WHERE company_id = company)
        OR EXISTS (SELECT FROM takt.pruned_operations WHERE company_id = company)
    END THEN false
  END;
END $$;

-- Returns the numbers of all keys, in the form of keys, and gives new ones to keys that are not known yet. misnamed: for
-- each event a kind that the company names the other way; such an event must not be applied, and gets no numbers. A kind that
-- is undecided counts as wrong too if it is named by a key, so those kinds come first that others do not exist without.
CREATE FUNCTION takt.number_objects(only_company integer, companies integer[], kinds text[], keys text[],
  OUT numbers bigint[], OUT misnamed text[])
LANGUAGE plpgsql AS $$
DECLARE
  named_by_key integer[] := '{}';
  writable integer[];
BEGIN
  misnamed := (
    WITH by_key AS (
      SELECT array_agg(company_id) FILTER (WHERE kind = kinds[1]) AS first,
        array_agg(company_id) FILTER (WHERE kind = kinds[2]) AS second,
        array_agg(company_id) FILTER (WHERE kind = kinds[3]) AS third
      FROM takt.key_counters WHERE company_id = ANY (companies)
    )
    SELECT array_agg(CASE WHEN company IS NOT NULL AND (first OR second OR third) THEN (
      SELECT kind FROM unnest(kinds, array[first, second, third]) AS object (kind, is_wrong)
      WHERE is_wrong ORDER BY array_position('{version,operation,product,order}', kind) LIMIT 1
    ) END ORDER BY ordinality)
    FROM (
      SELECT company, ordinality,
        (event.first = '') = coalesce(company = ANY (by_key.first), false) AS first,
        (event.second = '') = coalesce(company = ANY (by_key.second), false) AS second,
        (event.third = '') = coalesce(company = ANY (by_key.third), false) AS third
      FROM ROWS FROM (unnest(companies), unnest(keys[1:1]), unnest(keys[2:2]), unnest(keys[3:3])) WITH ORDINALITY
        AS event (company, first, second, third, ordinality)
      CROSS JOIN by_key
    ) AS wrong
  );
  writable := takt.without_misnamed(companies, misnamed);
  numbers := '{}';
  FOR place IN 1 .. cardinality(kinds) LOOP
    numbers := numbers || array[takt.number_keys(only_company, writable, kinds[place], keys[place:place])];
  END LOOP;
END $$;

-- Returns companies, but with null for each event that names an object the other way than its company.
CREATE FUNCTION takt.without_misnamed(companies integer[], misnamed text[]) RETURNS integer[]
LANGUAGE sql IMMUTABLE
RETURN (
  SELECT array_agg(CASE WHEN kind IS NULL THEN company END ORDER BY ordinality)
  FROM unnest(companies, misnamed) WITH ORDINALITY AS event (company, kind)
);

-- Returns the numbers of the keys of one kind, in order; null for a key that is null or ''. Numbers new keys. Callers do not
-- deadlock: counters are locked in the order of kinds and companies, before anything else but the months.
CREATE FUNCTION takt.number_keys(only_company integer, companies integer[], named_kind text, keys text[]) RETURNS bigint[]
LANGUAGE plpgsql SET enable_seqscan = off SET enable_nestloop = off AS $$
DECLARE
  seen bigint[] := takt.last_numbers(only_company, companies, named_kind);
  numbers bigint[] := takt.find_numbers(only_company, companies, named_kind, keys);
  owner integer;
  last bigint;
  added text[];
  new_companies integer[] := '{}';
  new_keys text[] := '{}';
  new_numbers bigint[] := '{}';
BEGIN
  IF NOT EXISTS (
    SELECT FROM ROWS FROM (unnest(companies), unnest(keys), unnest(numbers)) AS event (company, key, number)
    WHERE company IS NOT NULL AND key <> '' AND number IS NULL
  ) THEN
    RETURN numbers;
  END IF;
  PERFORM FROM takt.key_counters
  WHERE company_id = ANY (companies) AND (company_id = only_company OR only_company IS NULL) AND kind = named_kind
  ORDER BY company_id FOR NO KEY UPDATE;
  -- Other transactions may have numbered keys until then.
  IF takt.last_numbers(only_company, companies, named_kind) <> seen THEN
    numbers := takt.find_numbers(only_company, companies, named_kind, keys);
  END IF;
  FOR owner IN
    SELECT DISTINCT company
    FROM ROWS FROM (unnest(companies), unnest(keys), unnest(numbers)) AS event (company, key, number)
    WHERE company IS NOT NULL AND key <> '' AND number IS NULL
  LOOP
    last := (SELECT last_number FROM takt.key_counters
      WHERE company_id = coalesce(only_company, owner) AND kind = named_kind);
    added := array(
      SELECT DISTINCT event.key COLLATE "C"
      FROM ROWS FROM (unnest(companies), unnest(keys), unnest(numbers)) AS event (company, key, number)
      WHERE event.company = owner AND event.key <> '' AND event.number IS NULL
      ORDER BY event.key COLLATE "C");
    INSERT INTO takt.object_keys (company_id, kind, key, number)
    SELECT coalesce(only_company, owner), named_kind, new.key, last + new.ordinality
    FROM unnest(added) WITH ORDINALITY AS new (key);
    UPDATE takt.key_counters SET last_number = last + cardinality(added)
    WHERE company_id = coalesce(only_company, owner) AND kind = named_kind;
    -- The row of a structure version has its key from the start.
    IF named_kind = 'version' THEN
      INSERT INTO takt.product_structure_versions (company_id, product_structure_version_id, product_structure_version_key)
      SELECT coalesce(only_company, owner), last + new.ordinality, new.key
      FROM unnest(added) WITH ORDINALITY AS new (key);
    END IF;
    new_companies := new_companies || array_fill(owner, array[cardinality(added)]);
    new_keys := new_keys || added;
    new_numbers := new_numbers || array(SELECT generate_series(last + 1, last + cardinality(added)));
  END LOOP;
  RETURN (
    SELECT array_agg(coalesce(event.number, new.number) ORDER BY event.ordinality)
    FROM ROWS FROM (unnest(companies), unnest(keys), unnest(numbers)) WITH ORDINALITY AS event (company, key, number)
    LEFT JOIN ROWS FROM (unnest(new_companies), unnest(new_keys), unnest(new_numbers)) AS new (company, key, number)
      ON new.company = event.company AND new.key = event.key
  );
END $$;

-- Returns the newest numbers of a kind, in the order of companies.
CREATE FUNCTION takt.last_numbers(only_company integer, companies integer[], named_kind text) RETURNS bigint[]
LANGUAGE plpgsql AS $$
BEGIN
  RETURN array(
    SELECT last_number FROM takt.key_counters
    WHERE company_id = ANY (companies) AND (company_id = only_company OR only_company IS NULL) AND kind = named_kind
    ORDER BY company_id);
END $$;

-- Returns the known numbers of keys of one kind, in order. One scan of the index finds all keys of an array, in half of the
-- time of a look-up for each. The settings of number_keys, which calls it, make the planner use the index and hash the found
-- rows. On a cluster the company must be one constant.
CREATE FUNCTION takt.find_numbers(only_company integer, companies integer[], named_kind text, keys text[]) RETURNS bigint[]
LANGUAGE plpgsql AS $$
DECLARE
  found record;
BEGIN
  IF only_company IS NULL THEN
    SELECT array_agg(company_id) AS companies, array_agg(key) AS keys, array_agg(number) AS numbers INTO found
    FROM takt.object_keys WHERE company_id = ANY (companies) AND kind = named_kind AND key = ANY (keys);
  ELSE
    SELECT array_agg(company_id) AS companies, array_agg(key) AS keys, array_agg(number) AS numbers INTO found
    FROM takt.object_keys WHERE company_id = only_company AND kind = named_kind AND key = ANY (keys);
  END IF;
  RETURN (
    SELECT array_agg(known.number ORDER BY event.ordinality)
    FROM ROWS FROM (unnest(companies), unnest(keys)) WITH ORDINALITY AS event (company, key, ordinality)
    LEFT JOIN ROWS FROM (unnest(found.companies), unnest(found.keys), unnest(found.numbers)) AS known (company, key, number)
      ON known.company = event.company AND known.key = event.key
  );
END $$;

REVOKE EXECUTE ON FUNCTION takt.decide_naming(integer, integer[], text[], text[]),
  takt.walk_naming(integer, integer[], text[], text[], boolean), takt.is_named_by_key(integer, text),
  takt.number_objects(integer, integer[], text[], text[]), takt.without_misnamed(integer[], text[]),
  takt.number_keys(integer, integer[], text, text[]), takt.last_numbers(integer, integer[], text),
  takt.find_numbers(integer, integer[], text, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.decide_naming(integer, integer[], text[], text[]),
  takt.walk_naming(integer, integer[], text[], text[], boolean), takt.is_named_by_key(integer, text),
  takt.number_objects(integer, integer[], text[], text[]), takt.without_misnamed(integer[], text[]),
  takt.number_keys(integer, integer[], text, text[]), takt.last_numbers(integer, integer[], text),
  takt.find_numbers(integer, integer[], text, text[]) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.is_named_by_key(integer, text) TO takt_dashboard;
