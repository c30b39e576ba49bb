-- Adds what the intake refused to the numbers of today, and deletes numbers of more than 30 days ago. The intake names
-- producers by their tokens, of which it may read nothing but what find_access_token returns.
--
-- refused: a JSON array of objects {token, reason, error, times}; the columns of takt.refusals explain them.
CREATE FUNCTION takt.note_refusals(refused json)
RETURNS void
LANGUAGE sql STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  DELETE FROM takt.refusals WHERE day < (now() AT TIME ZONE 'UTC')::date - 30;
  WITH counted AS (
    SELECT coalesce(client.name, nullif(concat_ws(' ', person.first_name, person.name), ''), token.description,
        'token ' || token.access_token_id) AS producer,
      one.reason, array_agg(token.access_token_id) AS tokens, (array_agg(one.error))[1] AS error, sum(one.times) AS times
    FROM json_to_recordset(refused) AS one (token bigint, reason text, error json, times bigint)
    JOIN takt.access_tokens token ON token.access_token_id = one.token
    LEFT JOIN takt.api_clients client ON client.api_client_id = token.api_client_id
    LEFT JOIN takt.users person ON person.pid = token.pid
    GROUP BY 1, 2
  )
  INSERT INTO takt.refusals AS known (day, producer, reason, companies, error, times)
  SELECT (now() AT TIME ZONE 'UTC')::date, producer, reason,
    ARRAY(SELECT DISTINCT company.code
      FROM takt.access_token_companies listed JOIN takt.companies company USING (company_id)
      WHERE listed.access_token_id = ANY (tokens)),
    error, times
  FROM counted
  -- In one order, so that two intakes do not wait for each other's rows.
  ORDER BY producer, reason
  ON CONFLICT (day, producer, reason) DO UPDATE
  SET times = known.times + excluded.times, companies = excluded.companies, last_at = excluded.last_at;
$$;

REVOKE EXECUTE ON FUNCTION takt.note_refusals(json) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.note_refusals(json) TO takt_intake;
