-- Functions by which dashboards store alarms. They run as the owner, so that a dashboard cannot delete alarms.

-- The names of alarms, as in packages/alarms/src/alarms.ts.
CREATE FUNCTION takt.alarm_names() RETURNS text[] LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT '{TaktNoWorker,TaktQueueAway,TaktNodeAway,TaktQueuePaused,TaktStuckJobs,TaktRejectedShare,TaktNothingApplied,TaktQueueOld,TaktLagGrows,TaktAuditDifferences}'::text[]
$$;

-- Stores the present alarms: an array of {name, subject, measure, facts}, unique by name and subject. An alarm that is
-- not stored yet begins. An alarm that has been absent for a minute ended when it was found last; so an alarm that is
-- absent for less than a minute continues as the same one. If notifies is true, each begin and each end queues a notice
-- for the webhook. Several dashboards may call this; the calls wait for each other. Refuses alarms of other names, and
-- texts that are longer than those of Takt's alarms.
CREATE FUNCTION takt.note_alarms(current_alarms json, notifies boolean)
RETURNS void
LANGUAGE plpgsql STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF json_array_length(current_alarms) > 200 OR EXISTS (
    SELECT FROM json_to_recordset(current_alarms) AS told (name text, subject text, facts json)
    WHERE told.name <> ALL (takt.alarm_names()) OR told.name IS NULL OR length(told.subject) > 300
      OR length(told.facts::text) > 5000) THEN
    RAISE EXCEPTION 'an alarm has an unknown name or is too large';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('takt.note_alarms', 0));

  WITH begun AS (
    INSERT INTO takt.alarms AS known (name, subject, measure, facts, begun_facts)
    SELECT told.name, told.subject, told.measure, told.facts, told.facts
    FROM json_to_recordset(current_alarms) AS told (name text, subject text, measure double precision, facts json)
    ON CONFLICT (name, subject) WHERE ended_at IS NULL DO UPDATE SET
      -- A call that waited for another one has an earlier now().
      found_at = greatest(known.found_at, now()),
      facts = CASE WHEN excluded.measure > known.measure THEN excluded.facts ELSE known.facts END,
      measure = greatest(excluded.measure, known.measure)
    RETURNING alarm_id, begun_at
  ), ended AS (
    UPDATE takt.alarms SET ended_at = found_at
    WHERE ended_at IS NULL AND found_at < now() - interval '1 minute'
      AND (name, subject) NOT IN (
        SELECT told.name, told.subject FROM json_to_recordset(current_alarms) AS told (name text, subject text))
    RETURNING alarm_id
  )
  INSERT INTO takt.alarm_notices (alarm_id, is_end)
  SELECT alarm_id, false FROM begun WHERE begun_at = now() AND notifies
  UNION ALL
  SELECT alarm_id, true FROM ended WHERE notifies;

  DELETE FROM takt.alarms WHERE ended_at < now() - interval '30 days'
    OR alarm_id <= (SELECT alarm_id FROM takt.alarms ORDER BY alarm_id DESC OFFSET 500 LIMIT 1);
END $$;

-- Returns the due notices for the webhook, oldest first, at most 20. Each notice is postponed at once, so that no other
-- caller gets it before its next attempt. The notice of an end waits until the notice of the begin was delivered or
-- given up. The delays between attempts double from 2 s to 300 s.
CREATE FUNCTION takt.take_alarm_notices()
RETURNS TABLE (alarm_notice_id bigint, is_end boolean, attempts integer, name text, subject text, facts json,
  begun_at timestamptz, ended_at timestamptz)
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  WITH due AS (
    SELECT notice.alarm_notice_id FROM takt.alarm_notices notice
    WHERE notice.next_attempt_at <= now()
      AND NOT EXISTS (SELECT FROM takt.alarm_notices earlier
        WHERE earlier.alarm_id = notice.alarm_id AND earlier.alarm_notice_id < notice.alarm_notice_id)
    ORDER BY notice.alarm_notice_id LIMIT 20 FOR UPDATE SKIP LOCKED
  )
  UPDATE takt.alarm_notices taken
  SET attempts = taken.attempts + 1,
    next_attempt_at = now() + make_interval(secs => least(300, 2 ^ (taken.attempts + 1)))
  FROM due, takt.alarms alarm
  WHERE taken.alarm_notice_id = due.alarm_notice_id AND alarm.alarm_id = taken.alarm_id
  RETURNING taken.alarm_notice_id, taken.is_end, taken.attempts, alarm.name, alarm.subject, alarm.facts,
    alarm.begun_at, alarm.ended_at
$$;

-- Removes a notice that was delivered, or given up.
CREATE FUNCTION takt.settle_alarm_notice(alarm_notice_id bigint)
RETURNS void
LANGUAGE sql STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  DELETE FROM takt.alarm_notices notice WHERE notice.alarm_notice_id = settle_alarm_notice.alarm_notice_id
$$;

-- Stores a person's comment on an alarm that still lasts, replacing an earlier comment. Returns false if the alarm has
-- ended, or is unknown.
CREATE FUNCTION takt.acknowledge_alarm(alarm_id bigint, person text, words text)
RETURNS boolean
LANGUAGE sql STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  WITH acknowledged AS (
    UPDATE takt.alarms alarm
    SET acknowledged_at = now(), acknowledged_by = left(person, 200), acknowledgement = left(words, 500)
    WHERE alarm.alarm_id = acknowledge_alarm.alarm_id AND alarm.ended_at IS NULL
    RETURNING 1
  )
  SELECT EXISTS (SELECT FROM acknowledged)
$$;

REVOKE EXECUTE ON FUNCTION takt.alarm_names() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.note_alarms(json, boolean), takt.take_alarm_notices(), takt.settle_alarm_notice(bigint),
  takt.acknowledge_alarm(bigint, text, text) TO takt_dashboard;
