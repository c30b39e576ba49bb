-- Every error that the service can answer with. The source is the table in the code (@takt/error-catalogue);
-- each migration run brings these rows into line with it, so that what is listed is what can be raised.
CREATE TABLE takt.error_messages (
  error_message_id integer PRIMARY KEY CHECK (error_message_id >= 100000),
  status text COLLATE "und-x-icu" NOT NULL,
  namespace text COLLATE "und-x-icu" NOT NULL,
  http_status_code integer NOT NULL CHECK (http_status_code IN (400, 403, 404, 500)),
  message text COLLATE "und-x-icu" NOT NULL,
  available_translations text NOT NULL,
  created_by bigint NOT NULL,
  technical_description text NOT NULL,
  translations jsonb NOT NULL
);
COMMENT ON COLUMN takt.error_messages.message IS 'English, with {0}, {1}, ... for the parameters';
COMMENT ON COLUMN takt.error_messages.translations IS 'message by three-letter language';
COMMENT ON COLUMN takt.error_messages.created_by IS 'person identifier (PID)';

GRANT SELECT ON takt.error_messages TO takt_api;

-- What the values of status, type and scope fields mean, with translations keyed by three-letter language.
CREATE TABLE takt.domain_values (
  object text NOT NULL,
  field text NOT NULL,
  key text NOT NULL,
  description text NOT NULL,
  translations jsonb NOT NULL DEFAULT '{}',
  priority integer NOT NULL,
  PRIMARY KEY (object, field, key)
);
COMMENT ON COLUMN takt.domain_values.priority IS 'order of the values in a list, from 1';

GRANT SELECT ON takt.domain_values TO takt_api;
