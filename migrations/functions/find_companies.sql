-- The company of each code, in their order; null where none is registered, or it is disabled.
--
-- Without nested loops, so that what is known of the size of companies when the plan is made, and stays in use while
-- companies are added, can never make it compare each code with each company.
CREATE FUNCTION takt.find_companies(databases text[]) RETURNS integer[]
LANGUAGE sql STABLE SET enable_nestloop = off AS $$
  SELECT array_agg(company.company_id ORDER BY wanted.ordinality)
  FROM unnest(databases) WITH ORDINALITY AS wanted (code)
  LEFT JOIN takt.companies company ON company.code = wanted.code AND company.disabled_at IS NULL
$$;

REVOKE EXECUTE ON FUNCTION takt.find_companies(text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.find_companies(text[]) TO takt_worker;
