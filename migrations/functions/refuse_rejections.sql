-- Raises an error if an event of a batch is rejected, so that the statement that applies the batch has no effect. The worker
-- then applies the batch again, in a transaction that also writes the rejections.
CREATE FUNCTION takt.refuse_rejections(outcome text) RETURNS void
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF outcome NOT IN ('duplicate', 'stale') THEN
    RAISE EXCEPTION 'the batch has a rejected event' USING ERRCODE = 'TK001';
  END IF;
END $$;

REVOKE EXECUTE ON FUNCTION takt.refuse_rejections(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.refuse_rejections(text) TO takt_worker;
