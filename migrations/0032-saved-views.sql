-- Lists as people have filtered and ordered them, under names of their own: the path and the query of an address of the
-- API, without what belongs to a reader (company, language, format) or to a page (key). On a cluster they are on the node of
-- their company, so they do not refer to takt.users, of which no row is ever deleted.
CREATE TABLE takt.saved_views (
  company_id integer NOT NULL REFERENCES takt.companies,
  saved_view_id bigint GENERATED ALWAYS AS IDENTITY,
  pid integer NOT NULL,
  name text COLLATE "und-x-icu" NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
  path text NOT NULL,
  query text NOT NULL,
  is_shared boolean NOT NULL,
  saved_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, saved_view_id),
  UNIQUE (company_id, pid, name)
);
COMMENT ON COLUMN takt.saved_views.is_shared IS 'true: everybody of the company sees it; only the person who saved it changes it';

GRANT SELECT ON takt.saved_views TO takt_api;
ALTER TABLE takt.saved_views ENABLE ROW LEVEL SECURITY;
CREATE POLICY of_session_company ON takt.saved_views FOR SELECT TO takt_api
  USING (company_id = takt.session_company());
