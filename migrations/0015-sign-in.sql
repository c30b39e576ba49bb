-- People sign in with an e-mail address or a name too, and set their first password by an invitation. Alarms keep the values
-- with which they began.
-- breaks no program: columns are added that may be null

ALTER TABLE takt.users ADD COLUMN email text CHECK (email ~ '^[^@[:space:]]+@[^@[:space:]]+$' AND length(email) <= 254);
CREATE UNIQUE INDEX users_email ON takt.users (lower(email));
COMMENT ON COLUMN takt.users.email IS 'unique whatever its case; a person may sign in with it';

GRANT SELECT (email) ON takt.users TO takt_dashboard;

ALTER TABLE takt.alarms ADD COLUMN begun_facts json;
COMMENT ON COLUMN takt.alarms.begun_facts IS 'the facts with which the alarm began; null for an alarm from before 1.1.0';
