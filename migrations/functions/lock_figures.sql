-- Makes the figures' rows of the given changes where they are missing, then locks all of them. The changes must be in
-- the order of their keys: then are the locks, and nobody deadlocks with anybody else who calls this.
--
-- Whatever reads after this call, in a statement of its own, sees everything that those before us committed.
CREATE FUNCTION takt.lock_figures(only_company integer, changes takt.figures_change[]) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  -- Asked first, because an INSERT that adds nothing still opens every index.
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

  -- LATERAL keeps this a look-up by the whole key for each change, in their order.
  PERFORM FROM unnest(changes) AS change CROSS JOIN LATERAL (
    SELECT FROM takt.product_structure_versions figures
    WHERE figures.company_id = coalesce(only_company, change.company_id)
      AND figures.product_structure_version_id = change.product_structure_version_id
    FOR NO KEY UPDATE
  ) AS locked;
END $$;

REVOKE EXECUTE ON FUNCTION takt.lock_figures(integer, takt.figures_change[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION takt.lock_figures(integer, takt.figures_change[]) TO takt_worker;
