-- Imports of files (packages/import).
-- breaks no program: tables are added

CREATE TABLE takt.imports (
  company_id integer NOT NULL REFERENCES takt.companies,
  import_id integer NOT NULL,
  what text NOT NULL CHECK (what IN ('operations', 'plans')),
  imported_by text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  published_at timestamptz,
  undone_at timestamptz,
  undo_times timestamptz[] NOT NULL DEFAULT '{}',
  undone_by text,
  file_name text NOT NULL,
  file_hash text NOT NULL,
  number_of_new bigint NOT NULL,
  number_of_changed bigint NOT NULL,
  number_of_unchanged bigint NOT NULL,
  number_of_faulty bigint NOT NULL,
  PRIMARY KEY (company_id, import_id)
);
CREATE SEQUENCE takt.imports_import_id_seq AS integer OWNED BY takt.imports.import_id;
ALTER TABLE takt.imports ALTER import_id SET DEFAULT nextval('takt.imports_import_id_seq');
COMMENT ON COLUMN takt.imports.import_id IS 'unique among all companies';
COMMENT ON COLUMN takt.imports.published_at IS
  'when the last event was in the queue; null if the import runs or was interrupted';
COMMENT ON COLUMN takt.imports.undone_at IS 'when it was undone last; set before the first event that undoes it';
COMMENT ON COLUMN takt.imports.undo_times IS 'changedAt of the events of each undo';
COMMENT ON COLUMN takt.imports.file_hash IS 'SHA-256 in hexadecimal digits';
COMMENT ON COLUMN takt.imports.number_of_faulty IS 'rows that were left out';

-- The operations and structure versions that an import changes.
CREATE TABLE takt.import_changes (
  company_id integer NOT NULL,
  import_id integer NOT NULL,
  place integer NOT NULL,
  data jsonb NOT NULL,
  before jsonb,
  PRIMARY KEY (company_id, import_id, place),
  FOREIGN KEY (company_id, import_id) REFERENCES takt.imports ON DELETE CASCADE
);
COMMENT ON COLUMN takt.import_changes.data IS
  'data of the event; its source is /takt/import/<import_id>, its id <import_id>-<place>';
COMMENT ON COLUMN takt.import_changes.before IS
  'the state before (packages/import, stored-states.ts); null if there was none';
