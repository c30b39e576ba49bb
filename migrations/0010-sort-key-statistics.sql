-- How the values of each sort key are spread. The planner does not take this from a partial index, and without it
-- expects a third of the table for any range: a filter that leaves a thousandth would then be answered by reading
-- the table in the order asked for, instead of the few rows that the filter's own index finds.
DO $$
DECLARE
  hours text;
BEGIN
  FOREACH hours IN ARRAY ARRAY[
    'run_time', 'setup_time', 'cleanup_time',
    'average_run_time', 'shortest_run_time', 'longest_run_time', 'deviation_run_time',
    'average_setup_time', 'shortest_setup_time', 'longest_setup_time', 'deviation_setup_time',
    'average_cleanup_time', 'shortest_cleanup_time', 'longest_cleanup_time', 'deviation_cleanup_time'
  ] LOOP
    EXECUTE format(
      'CREATE STATISTICS takt.%I ON (coalesce(%I, -1)) FROM takt.product_structure_versions',
      'spread_of_' || hours, hours);
  END LOOP;
END $$;
