-- The rights of clients and people, for the other functions and for the command line. The dashboard shows the duties of
-- people.

-- The named duties and those of the roles, sorted. An unknown role has none.
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

-- The duties in both; null means all.
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

-- True if a client may use a company: one of its own, or any if it has none.
CREATE FUNCTION takt.is_for_company(client integer, company integer)
RETURNS boolean
LANGUAGE sql STABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(bool_or(own.company_id = company), true)
  FROM takt.api_client_companies own WHERE own.api_client_id = client
$$;

-- The companies of a token: the person's that the client may use, or the client's own if it acts for itself. Without
-- disabled ones; possibly none.
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
