-- Lists of a period add up its months, a few of many. Rows are added as months come, so those of a month lie together. An
-- index of each row by its month would be taken for look-ups by the whole key where a table was never analysed.
CREATE INDEX monthly_figures_by_month ON takt.monthly_figures USING brin (company_id, month) WITH (autosummarize);

-- The figures of a period are computed by the functions that compute the stored ones.
GRANT EXECUTE ON FUNCTION takt.microhours_over_plan(bigint, numeric, bigint), takt.percent_over_plan(bigint, numeric, bigint)
  TO takt_api;
