-- Creates the missing rows of figures for the given changes, then locks all of these rows. The changes must be sorted
-- by key: locks are then taken in that order, and callers do not deadlock. Every later statement sees everything that
-- earlier lock holders have committed.
CREATE FUNCTION takt.lock_figures(only_company integer, changes takt.figures_change[]) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  -- This is checked first, because even an INSERT that adds no row opens every index.
  IF EXISTS (
    SELECT FROM unnest(changes) AS change
    WHERE (SELECT figures.company_id FROM takt.product_structure_versions figures
      WHERE figures.company_id = coalesce(only_company, change.company_id)
        AND figures.product_structure_version_id = change.product_structure_version_id) IS NULL
  ) THEN
    INSERT INTO takt.product_structure_versions (company_id, product_structure_version_id)
    SELECT change.company_id, change.product_structure_version_id
    FROM unnest(changes) AS change
    ON CONFLICT DO NOTHING;
  END IF;

  -- LATERAL makes the planner look each change up by the whole key, in order.
  PERFORM FROM unnest(changes) AS change CROSS JOIN LATERAL (
    SELECT FROM takt.product_structure_versions figures
    WHERE figures.company_id = coalesce(only_company, change.company_id)
      AND figures.product_structure_version_id = change.product_structure_version_id
    FOR NO KEY UPDATE
  ) AS locked;
END $$;

REVOKE EXECUTE ON FUNCTION takt.lock_figures(integer, takt.figures_change[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.lock_figures(integer, takt.figures_change[]) TO takt_worker;
