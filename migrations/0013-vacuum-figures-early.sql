-- Each completion moves the figures of its structure version, nearly all of which are keys of indexes: no such update can
-- stay within its page (HOT), and each leaves an entry behind in each of 20 indexes until the table is vacuumed. So how
-- large the indexes grow depends on how soon vacuum comes and how fast it is. Measured: 300,000 updates of 20,000 rows, at
-- some 5,000 a second; the indexes take 15 MB when they are new, and then
--   77 MB without a vacuum, and also with the server's defaults (autovacuum_naptime 60 s: it is not done in time)
--   54 MB with autovacuum_naptime 15 s
--   33 to 41 MB with that, and a vacuum that does not rest for the sake of others (cost_delay 0)
--   30 MB with index pages filled to 70 % and autovacuum_naptime 5 s, where pages filled as usual give 31: it begins at
--         19 MB, and gains nothing that lasts
-- Room left in the pages of the table changes nothing either. The share counts where there are millions of rows: a fifth
-- of them, the default, would be a fifth more in every index.
ALTER TABLE takt.product_structure_versions SET (
  autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0
);
