-- A company has a unit of its own for the times on pages.
-- breaks no program: a column is added with a default

ALTER TABLE takt.companies ADD COLUMN time_unit text NOT NULL DEFAULT 'h' CHECK (time_unit IN ('h', 'min', 'h:mm'));
COMMENT ON COLUMN takt.companies.time_unit IS 'in which pages show the time of an operation, unless the reader chooses another unit';
