-- Recomputes the figures of the given structure versions of one company: the months from the ledger and the pruned
-- sums, and the totals from the months. Also recomputes the search texts of listed structure versions, and copies of keys.
-- Workers and pruning may continue meanwhile: locks and snapshots are the same as in apply_work_order_operation_events.
-- Returns the structure versions that had a wrong figure, text or key. The ledger stores hours, figures store extremes in microhours.
CREATE FUNCTION takt.rebuild_production_times(company integer, versions bigint[])
RETURNS SETOF bigint
LANGUAGE plpgsql AS $$
DECLARE
  zones takt.month_zones;
  of_wrong_months bigint[];
  of_wrong_texts bigint[];
  of_wrong_keys bigint[];
BEGIN
  PERFORM takt.share_months(array[company]);
  SELECT * INTO zones FROM takt.month_zones WHERE company_id = company;
  PERFORM takt.lock_figures(company, array(
    SELECT (company, version, NULL, NULL, NULL, NULL, NULL, NULL)::takt.figures_change
    FROM unnest(versions) AS version ORDER BY version));

  WITH kept AS (
    SELECT product_structure_version_id AS id,
      takt.month_of(changed_at, takt.time_zone_in(product_structure_version_id,
        zones.time_zone, zones.time_zone_before, zones.rebuilt_to)) AS month,
      count(run_time) AS run_count, sum(run_time) AS run_sum, sum(run_time * run_time) AS run_squares,
      min(run_time) * 1000000 AS run_min, max(run_time) * 1000000 AS run_max,
      count(setup_time) AS setup_count, sum(setup_time) AS setup_sum, sum(setup_time * setup_time) AS setup_squares,
      min(setup_time) * 1000000 AS setup_min, max(setup_time) * 1000000 AS setup_max,
      count(cleanup_time) AS cleanup_count, sum(cleanup_time) AS cleanup_sum, sum(cleanup_time * cleanup_time) AS cleanup_squares,
      min(cleanup_time) * 1000000 AS cleanup_min, max(cleanup_time) * 1000000 AS cleanup_max,
      max(changed_at) AS last
    FROM takt.work_order_operations
    WHERE company_id = company AND product_structure_version_id = ANY (versions)
    GROUP BY id, month
    UNION ALL
    SELECT product_structure_version_id, month,
      run_time_count, run_time_sum, run_time_sum_of_squares, shortest_run_time * 1000000, longest_run_time * 1000000,
      setup_time_count, setup_time_sum, setup_time_sum_of_squares, shortest_setup_time * 1000000, longest_setup_time * 1000000,
      cleanup_time_count, cleanup_time_sum, cleanup_time_sum_of_squares, shortest_cleanup_time * 1000000, longest_cleanup_time * 1000000,
      last_completed_at
    FROM takt.pruned_figures
    WHERE company_id = company AND product_structure_version_id = ANY (versions)
    UNION ALL
    -- Sets months that have no operations any more to zero.
    SELECT product_structure_version_id, month, 0, 0, 0, NULL, NULL, 0, 0, 0, NULL, NULL, 0, 0, 0, NULL, NULL, NULL
    FROM takt.monthly_figures
    WHERE company_id = company AND product_structure_version_id = ANY (versions)
  ), recomputed AS (
    SELECT id, month,
      sum(run_count) AS run_count, coalesce(sum(run_sum), 0) AS run_sum, coalesce(sum(run_squares), 0) AS run_squares,
      min(run_min) AS run_min, max(run_max) AS run_max,
      sum(setup_count) AS setup_count, coalesce(sum(setup_sum), 0) AS setup_sum, coalesce(sum(setup_squares), 0) AS setup_squares,
      min(setup_min) AS setup_min, max(setup_max) AS setup_max,
      sum(cleanup_count) AS cleanup_count, coalesce(sum(cleanup_sum), 0) AS cleanup_sum, coalesce(sum(cleanup_squares), 0) AS cleanup_squares,
      min(cleanup_min) AS cleanup_min, max(cleanup_max) AS cleanup_max,
      max(last) AS last
    FROM kept
    GROUP BY id, month
  ), written AS (
    INSERT INTO takt.monthly_figures AS figures (company_id, product_structure_version_id, month,
      number_of_completed_operations, run_time_sum, run_time_sum_of_squares, shortest_run_time, longest_run_time,
      setup_time_count, setup_time_sum, setup_time_sum_of_squares, shortest_setup_time, longest_setup_time,
      cleanup_time_count, cleanup_time_sum, cleanup_time_sum_of_squares, shortest_cleanup_time, longest_cleanup_time,
      last_completed_at)
    SELECT company, id, month,
      run_count, run_sum, run_squares, run_min, run_max,
      setup_count, setup_sum, setup_squares, setup_min, setup_max,
      cleanup_count, cleanup_sum, cleanup_squares, cleanup_min, cleanup_max,
      last
    FROM recomputed
    ON CONFLICT (company_id, product_structure_version_id, month) DO UPDATE SET
      number_of_completed_operations = excluded.number_of_completed_operations,
      run_time_sum = excluded.run_time_sum, run_time_sum_of_squares = excluded.run_time_sum_of_squares,
      shortest_run_time = excluded.shortest_run_time, longest_run_time = excluded.longest_run_time,
      setup_time_count = excluded.setup_time_count, setup_time_sum = excluded.setup_time_sum,
      setup_time_sum_of_squares = excluded.setup_time_sum_of_squares,
      shortest_setup_time = excluded.shortest_setup_time, longest_setup_time = excluded.longest_setup_time,
      cleanup_time_count = excluded.cleanup_time_count, cleanup_time_sum = excluded.cleanup_time_sum,
      cleanup_time_sum_of_squares = excluded.cleanup_time_sum_of_squares,
      shortest_cleanup_time = excluded.shortest_cleanup_time, longest_cleanup_time = excluded.longest_cleanup_time,
      last_completed_at = excluded.last_completed_at
    WHERE (
      figures.number_of_completed_operations, figures.run_time_sum, figures.run_time_sum_of_squares,
      figures.shortest_run_time, figures.longest_run_time, figures.setup_time_count, figures.setup_time_sum,
      figures.setup_time_sum_of_squares, figures.shortest_setup_time, figures.longest_setup_time,
      figures.cleanup_time_count, figures.cleanup_time_sum, figures.cleanup_time_sum_of_squares,
      figures.shortest_cleanup_time, figures.longest_cleanup_time, figures.last_completed_at
    ) IS DISTINCT FROM (
      excluded.number_of_completed_operations, excluded.run_time_sum, excluded.run_time_sum_of_squares,
      excluded.shortest_run_time, excluded.longest_run_time, excluded.setup_time_count, excluded.setup_time_sum,
      excluded.setup_time_sum_of_squares, excluded.shortest_setup_time, excluded.longest_setup_time,
      excluded.cleanup_time_count, excluded.cleanup_time_sum, excluded.cleanup_time_sum_of_squares,
      excluded.shortest_cleanup_time, excluded.longest_cleanup_time, excluded.last_completed_at)
    RETURNING figures.product_structure_version_id AS id
  )
  SELECT array_agg(DISTINCT id) INTO of_wrong_months FROM written;

  -- A row of figures that was lost has lost the key with it.
  WITH known AS (
    SELECT listed.product_structure_version_id AS id, own.key COLLATE "und-x-icu" AS key, product.product_key
    FROM takt.product_structure_versions listed
    LEFT JOIN takt.object_keys own ON own.company_id = company AND own.kind = 'version'
      AND own.number = listed.product_structure_version_id
    LEFT JOIN takt.products product ON product.company_id = company AND product.product_id = listed.product_id
    WHERE listed.company_id = company AND listed.product_structure_version_id = ANY (versions)
  ), written AS (
    UPDATE takt.product_structure_versions listed
    SET product_structure_version_key = known.key, product_key = known.product_key
    FROM known
    WHERE listed.company_id = company AND listed.product_structure_version_id = known.id
      AND (listed.product_structure_version_key, listed.product_key) IS DISTINCT FROM (known.key, known.product_key)
    RETURNING listed.product_structure_version_id AS id
  )
  SELECT array_agg(id) INTO of_wrong_keys FROM written;

  WITH searched AS (
    SELECT listed.product_structure_version_id AS id, takt.searched_text(listed.product_name, listed.name,
      listed.product_id, listed.product_structure_version_id, listed.product_key, listed.product_structure_version_key) AS folded
    FROM takt.product_structure_versions listed
    WHERE listed.company_id = company AND listed.product_structure_version_id = ANY (versions)
      AND listed.changed_at IS NOT NULL
  ), written AS (
    INSERT INTO takt.structure_version_texts AS known (company_id, product_structure_version_id, folded)
    SELECT company, id, folded FROM searched
    ON CONFLICT (company_id, product_structure_version_id) DO UPDATE SET folded = excluded.folded
    WHERE known.folded <> excluded.folded
    RETURNING known.product_structure_version_id AS id
  )
  SELECT array_agg(id) INTO of_wrong_texts FROM written;

  RETURN QUERY
  WITH recomputed AS (
    SELECT wanted.id,
      coalesce(sum(number_of_completed_operations), 0) AS run_count, coalesce(sum(run_time_sum), 0) AS run_sum,
      coalesce(sum(run_time_sum_of_squares), 0) AS run_squares,
      min(shortest_run_time) AS run_min, max(longest_run_time) AS run_max,
      coalesce(sum(setup_time_count), 0) AS setup_count, coalesce(sum(setup_time_sum), 0) AS setup_sum,
      coalesce(sum(setup_time_sum_of_squares), 0) AS setup_squares,
      min(shortest_setup_time) AS setup_min, max(longest_setup_time) AS setup_max,
      coalesce(sum(cleanup_time_count), 0) AS cleanup_count, coalesce(sum(cleanup_time_sum), 0) AS cleanup_sum,
      coalesce(sum(cleanup_time_sum_of_squares), 0) AS cleanup_squares,
      min(shortest_cleanup_time) AS cleanup_min, max(longest_cleanup_time) AS cleanup_max
    FROM unnest(versions) AS wanted (id)
    LEFT JOIN takt.monthly_figures months
      ON months.company_id = company AND months.product_structure_version_id = wanted.id
    GROUP BY wanted.id
  ), updated AS (
    UPDATE takt.product_structure_versions AS figures SET
    number_of_completed_operations = run_count, run_time_sum = run_sum, run_time_sum_of_squares = run_squares,
    shortest_run_time = run_min, longest_run_time = run_max,
    setup_time_count = setup_count, setup_time_sum = setup_sum, setup_time_sum_of_squares = setup_squares,
    shortest_setup_time = setup_min, longest_setup_time = setup_max,
    cleanup_time_count = cleanup_count, cleanup_time_sum = cleanup_sum, cleanup_time_sum_of_squares = cleanup_squares,
    shortest_cleanup_time = cleanup_min, longest_cleanup_time = cleanup_max
    FROM recomputed
    WHERE figures.company_id = company AND figures.product_structure_version_id = recomputed.id
      AND (
      figures.number_of_completed_operations, figures.run_time_sum, figures.run_time_sum_of_squares,
      figures.shortest_run_time, figures.longest_run_time,
      figures.setup_time_count, figures.setup_time_sum, figures.setup_time_sum_of_squares,
      figures.shortest_setup_time, figures.longest_setup_time,
      figures.cleanup_time_count, figures.cleanup_time_sum, figures.cleanup_time_sum_of_squares,
      figures.shortest_cleanup_time, figures.longest_cleanup_time
      ) IS DISTINCT FROM (
      run_count, run_sum, run_squares, run_min, run_max,
      setup_count, setup_sum, setup_squares, setup_min, setup_max,
      cleanup_count, cleanup_sum, cleanup_squares, cleanup_min, cleanup_max)
    RETURNING figures.product_structure_version_id AS id
  )
  SELECT unnest(of_wrong_months) UNION SELECT unnest(of_wrong_texts) UNION SELECT unnest(of_wrong_keys)
  UNION SELECT id FROM updated;

  IF FOUND THEN
    PERFORM takt.note_changes(array[company]);
  END IF;
END $$;

REVOKE EXECUTE ON FUNCTION takt.rebuild_production_times(integer, bigint[]) FROM PUBLIC;
