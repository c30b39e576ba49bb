-- The time zone of a company's monthly figures, and changes of this time zone.

-- The time zone of a structure version's months.
CREATE FUNCTION takt.time_zone_of(company integer, version bigint) RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce(
    (SELECT takt.time_zone_in(version, time_zone, time_zone_before, rebuilt_to)
      FROM takt.month_zones WHERE company_id = company),
    'UTC');
END $$;

-- The same, computed from the columns of the company's row, or from nulls if there is no row. For functions that need
-- it for many operations of one company.
CREATE FUNCTION takt.time_zone_in(version bigint, time_zone text, time_zone_before text, rebuilt_to bigint) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN version > rebuilt_to THEN time_zone_before ELSE coalesce(time_zone, 'UTC') END
$$;

-- Returns the time zone of all months of these companies; null if there are several time zones.
CREATE FUNCTION takt.only_time_zone(companies integer[]) RETURNS text
LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
BEGIN
  RETURN (
    SELECT CASE
      WHEN count(*) = 0 THEN 'UTC'
      WHEN min(time_zone) = max(time_zone) AND count(rebuilt_to) = 0
        AND count(*) = (SELECT count(DISTINCT company) FROM unnest(companies) AS company) THEN min(time_zone)
    END
    FROM takt.month_zones WHERE company_id = ANY (companies)
  );
END $$;

-- The first day of the month of an instant.
CREATE FUNCTION takt.month_of(instant timestamptz, zone text) RETURNS date
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT date_trunc('month', instant AT TIME ZONE zone)::date
$$;

-- A transaction that writes monthly figures or master data, or inserts into the ledger, holds a shared lock on the months of
-- its companies until it ends. A transaction that changes a time zone, or removes operations from the ledger, locks the
-- months of one company exclusively: it waits for running batches, and later batches wait for it. Read the time zone
-- after this call, in a separate statement. To exclude deadlocks, this must be the first lock of a transaction. The
-- companies share 64 locks, so that a batch of many companies does not fill the server's lock table.
CREATE FUNCTION takt.share_months(companies integer[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtext('takt months'), place)
  FROM (SELECT DISTINCT company % 64 AS place FROM unnest(companies) AS company ORDER BY place) AS places
  WHERE place IS NOT NULL;
END $$;

CREATE FUNCTION takt.lock_months(company integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('takt months'), company % 64);
END $$;

-- Starts a change of the time zone of a company's months, unless a change is already running, or the months are already
-- in this zone.
CREATE FUNCTION takt.begin_time_zone(company integer, zone text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM takt.lock_months(company);
  IF takt.time_zone_of(company, 0) = zone THEN
    RETURN;
  END IF;
  INSERT INTO takt.month_zones AS known VALUES (company, zone, 'UTC', 0)
  ON CONFLICT (company_id) DO UPDATE SET
    time_zone = excluded.time_zone, time_zone_before = known.time_zone, rebuilt_to = 0
  WHERE known.rebuilt_to IS NULL;
  IF FOUND THEN
    PERFORM takt.note_changes(array[company]);
  END IF;
END $$;

-- Performs the next step of a change: rebuilds the months of the company's structure versions up to the id up_to in the
-- new time zone. If up_to is null, it rebuilds all remaining ones and completes the change. Each step is a transaction
-- of its own.
CREATE FUNCTION takt.rebuild_months(company integer, up_to bigint) RETURNS void
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  done bigint;
  reach bigint := coalesce(up_to, 9223372036854775807);
BEGIN
  PERFORM takt.lock_months(company);
  done := (SELECT rebuilt_to FROM takt.month_zones WHERE company_id = company);
  -- Another run may have rebuilt these already.
  IF done IS NULL OR up_to <= done THEN
    RETURN;
  END IF;
  UPDATE takt.month_zones SET
    rebuilt_to = up_to, time_zone_before = CASE WHEN up_to IS NOT NULL THEN time_zone_before END
  WHERE company_id = company;
  PERFORM takt.rebuild_production_times(company, array(
    SELECT product_structure_version_id FROM takt.monthly_figures
    WHERE company_id = company AND product_structure_version_id > done AND product_structure_version_id <= reach
    UNION
    SELECT product_structure_version_id FROM takt.work_order_operations
    WHERE company_id = company AND product_structure_version_id > done AND product_structure_version_id <= reach));
  PERFORM takt.note_changes(array[company]);
END $$;

REVOKE EXECUTE ON FUNCTION takt.time_zone_of(integer, bigint), takt.time_zone_in(bigint, text, text, bigint), takt.only_time_zone(integer[]),
  takt.month_of(timestamptz, text), takt.share_months(integer[]), takt.lock_months(integer),
  takt.begin_time_zone(integer, text), takt.rebuild_months(integer, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.time_zone_of(integer, bigint), takt.time_zone_in(bigint, text, text, bigint), takt.only_time_zone(integer[]),
  takt.month_of(timestamptz, text), takt.share_months(integer[]) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.time_zone_of(integer, bigint), takt.time_zone_in(bigint, text, text, bigint),
  takt.month_of(timestamptz, text) TO takt_api;
