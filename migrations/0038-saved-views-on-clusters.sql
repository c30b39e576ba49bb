-- Citus spreads no table with an identity column. A sequence of the same name gives the ids.
-- breaks no program: takt.save_view alone adds rows, and names no id
ALTER TABLE takt.saved_views ALTER saved_view_id DROP IDENTITY;
CREATE SEQUENCE takt.saved_views_saved_view_id_seq OWNED BY takt.saved_views.saved_view_id;
SELECT setval('takt.saved_views_saved_view_id_seq', coalesce(max(saved_view_id), 0) + 1, false) FROM takt.saved_views;
ALTER TABLE takt.saved_views ALTER saved_view_id SET DEFAULT nextval('takt.saved_views_saved_view_id_seq');
