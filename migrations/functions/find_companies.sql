-- Returns the company of each code, in order; null if it is not registered, or disabled. Nested loops are switched off:
-- a plan that was made when there were few companies is still used when there are many, and must not compare each code
-- with each company.
CREATE FUNCTION takt.find_companies(databases text[]) RETURNS integer[]
LANGUAGE sql STABLE SET enable_nestloop = off AS $$
  SELECT array_agg(company.company_id ORDER BY wanted.ordinality)
  FROM unnest(databases) WITH ORDINALITY AS wanted (code)
  LEFT JOIN takt.companies company ON company.code = wanted.code AND company.disabled_at IS NULL
$$;

REVOKE EXECUTE ON FUNCTION takt.find_companies(text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.find_companies(text[]) TO takt_worker;
