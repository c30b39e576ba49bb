-- Adds up the changes of several months to one change per structure version, and keeps the order of keys. Most batches
-- concern a single month: then there is nothing to add up.
CREATE FUNCTION takt.add_up_months(changes takt.figures_change[]) RETURNS takt.figures_change[]
LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT min(month) = max(month) FROM unnest(changes)) THEN
    RETURN changes;
  END IF;
  RETURN array(
    SELECT (company_id, product_structure_version_id,
      (sum((run).count), sum((run).sum), sum((run).sum_of_squares),
        min((run).shortest_that_came), max((run).longest_that_came),
        min((run).shortest_that_left), max((run).longest_that_left))::takt.time_change,
      (sum((setup).count), sum((setup).sum), sum((setup).sum_of_squares),
        min((setup).shortest_that_came), max((setup).longest_that_came),
        min((setup).shortest_that_left), max((setup).longest_that_left))::takt.time_change,
      (sum((cleanup).count), sum((cleanup).sum), sum((cleanup).sum_of_squares),
        min((cleanup).shortest_that_came), max((cleanup).longest_that_came),
        min((cleanup).shortest_that_left), max((cleanup).longest_that_left))::takt.time_change,
      NULL, NULL, NULL)::takt.figures_change
    FROM unnest(changes)
    GROUP BY company_id, product_structure_version_id
    ORDER BY company_id, product_structure_version_id);
END $$;

REVOKE EXECUTE ON FUNCTION takt.add_up_months(takt.figures_change[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.add_up_months(takt.figures_change[]) TO takt_worker;
