-- The rights of clients and people, for the other functions and for the command line. The dashboard shows the duties of
-- people.

-- Returns the duties that are named and those of the roles, sorted. An unknown role has no duties.
CREATE FUNCTION takt.duties_with_roles(own_duties text[], held_roles text[])
RETURNS text[]
LANGUAGE sql STABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT ARRAY(
    SELECT unnest(own_duties)
    UNION SELECT unnest(role.duties) FROM takt.roles role WHERE role.role = ANY (held_roles)
    ORDER BY 1)
$$;

-- Returns the duties that are in both arrays; null means all duties.
CREATE FUNCTION takt.narrowed_duties(held text[], named text[])
RETURNS text[]
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE
    WHEN held IS NULL THEN named
    WHEN named IS NULL THEN held
    ELSE ARRAY(SELECT unnest(held) INTERSECT SELECT unnest(named) ORDER BY 1)
  END
$$;

-- True if a client may use a company: if the company is one of the client's, or the client has no companies of its own.
CREATE FUNCTION takt.is_for_company(client integer, company integer)
RETURNS boolean
LANGUAGE sql STABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(bool_or(own.company_id = company), true)
  FROM takt.api_client_companies own WHERE own.api_client_id = client
$$;

-- Returns the companies of a token: those of the person that the client may use, or the companies of a client that acts
-- for itself. Disabled companies are left out; the result may be empty.
CREATE FUNCTION takt.companies_in_common(client integer, person integer)
RETURNS TABLE (ordinal integer, company_id integer)
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT row_number() OVER (ORDER BY own.ordinal)::integer, own.company_id
  FROM (
    SELECT of_user.ordinal, of_user.company_id FROM takt.user_companies of_user WHERE of_user.pid = person
    UNION ALL
    SELECT of_client.ordinal, of_client.company_id FROM takt.api_client_companies of_client
    WHERE person IS NULL AND of_client.api_client_id = client
  ) own
  JOIN takt.companies company USING (company_id)
  WHERE company.disabled_at IS NULL AND (client IS NULL OR takt.is_for_company(client, own.company_id))
$$;

REVOKE EXECUTE ON FUNCTION takt.duties_with_roles(text[], text[]), takt.narrowed_duties(text[], text[]),
  takt.is_for_company(integer, integer), takt.companies_in_common(integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.duties_with_roles(text[], text[]) TO takt_dashboard;
