-- What the dashboard may do beyond looking at its own start: people sign in there as they do at the API (functions/), see
-- what is rejected and what waits for master data, and correct, retry or discard what is rejected. The queues have rights of
-- their own (packages/events/src/queue/grant-queue-rights.ts).
GRANT SELECT, DELETE ON takt.rejected_events TO takt_dashboard;

-- Operations that wait for the master data of their structure version: the dashboard counts them and sees no figure of a
-- version that is listed.
GRANT SELECT (company_id, product_structure_version_id, number_of_completed_operations, changed_at)
  ON takt.product_structure_versions TO takt_dashboard;
CREATE POLICY unlisted_of_all_companies ON takt.product_structure_versions FOR SELECT TO takt_dashboard
  USING (changed_at IS NULL);
