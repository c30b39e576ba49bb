-- What the migrations add up to, written by npm run schema:dump. To be read and compared, not to be run.

-- Types

CREATE TYPE takt.figures_change AS (
  company_id integer,
  product_structure_version_id bigint,
  run takt.time_change,
  setup takt.time_change,
  cleanup takt.time_change,
  month date,
  last_that_came timestamp with time zone,
  last_that_left timestamp with time zone
);

CREATE TYPE takt.plan_suggestion AS (
  company_id integer,
  suggestion text COLLATE "und-x-icu",
  kind text COLLATE "und-x-icu",
  product_structure_version_id bigint,
  status integer,
  name text COLLATE "und-x-icu",
  version integer,
  revision text,
  product_id bigint,
  product_name text COLLATE "und-x-icu",
  planned bigint,
  suggested bigint,
  over_plan_percent bigint,
  operations bigint,
  hours_over_plan bigint,
  hours_a_year bigint,
  mean_low bigint,
  mean_high bigint,
  verdict text COLLATE "und-x-icu"
);

CREATE TYPE takt.product_production_time AS (
  company_id integer,
  product_id bigint,
  product_name text COLLATE "und-x-icu",
  status integer,
  type text COLLATE "und-x-icu",
  structure_versions bigint,
  operations bigint,
  planned bigint,
  actual bigint,
  hours_over_plan bigint,
  over_plan_percent bigint
);

CREATE TYPE takt.product_structure_version_change AS (
  changed_at timestamp with time zone,
  product_structure_version_id bigint,
  status integer,
  name text,
  version integer,
  revision text,
  product_id bigint,
  product_status integer,
  product_name text,
  product_type text,
  product_description text,
  run_time numeric(13,6),
  setup_time numeric(13,6),
  cleanup_time numeric(13,6),
  product_structure_version_key text,
  product_key text
);

CREATE TYPE takt.slow_hash AS (
  salt bytea,
  cost integer,
  block_size integer,
  parallelization integer,
  sha256 bytea
);

CREATE TYPE takt.time_change AS (
  count bigint,
  sum numeric,
  sum_of_squares numeric,
  shortest_that_came numeric,
  longest_that_came numeric,
  shortest_that_left numeric,
  longest_that_left numeric
);

-- Tables

CREATE TABLE takt.access_token_companies (
  access_token_id bigint NOT NULL,
  ordinal integer NOT NULL,
  company_id integer NOT NULL
);

CREATE TABLE takt.access_tokens (
  access_token_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  token_sha256 bytea NOT NULL,
  description text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  revoked_at timestamp with time zone,
  kind text NOT NULL DEFAULT 'command-line'::text,
  api_client_id integer,
  pid integer,
  token_family_id bigint,
  duties text[],
  may_publish boolean NOT NULL DEFAULT false,
  last_used_at timestamp with time zone
);

CREATE TABLE takt.alarm_notices (
  alarm_notice_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  alarm_id bigint NOT NULL,
  is_end boolean NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamp with time zone NOT NULL DEFAULT now()
) WITH (fillfactor=50);

CREATE TABLE takt.alarms (
  alarm_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  subject text NOT NULL,
  begun_at timestamp with time zone NOT NULL DEFAULT now(),
  found_at timestamp with time zone NOT NULL DEFAULT now(),
  ended_at timestamp with time zone,
  measure double precision NOT NULL,
  facts json NOT NULL,
  acknowledged_at timestamp with time zone,
  acknowledged_by text,
  acknowledgement text
) WITH (fillfactor=50);

CREATE TABLE takt.api_client_companies (
  api_client_id integer NOT NULL,
  ordinal integer NOT NULL,
  company_id integer NOT NULL
);

CREATE TABLE takt.api_clients (
  api_client_id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  secret takt.slow_hash,
  secret_sha256 bytea,
  is_public boolean GENERATED ALWAYS AS ((secret IS NULL)) STORED,
  redirect_uris text[] NOT NULL DEFAULT '{}'::text[],
  permissions text[] NOT NULL DEFAULT '{}'::text[],
  roles text[] NOT NULL DEFAULT '{}'::text[],
  duties text[] NOT NULL DEFAULT '{}'::text[],
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  disabled_at timestamp with time zone
);

CREATE TABLE takt.application_versions (
  company_id integer NOT NULL,
  application_version_id bigint NOT NULL,
  application_id bigint NOT NULL,
  changed_at timestamp with time zone NOT NULL,
  status integer,
  type text NOT NULL,
  name text NOT NULL,
  descriptive_name text,
  description text,
  namespace text,
  master_url text,
  lookup_key text,
  lookup_priority integer,
  content_type text,
  change_description text,
  created_at timestamp with time zone,
  created_by_user_id bigint,
  created_by_first_name text,
  created_by_name text,
  restricted_to_company_id bigint,
  restricted_to_database text,
  permission_id bigint,
  permission_name text,
  scope text,
  is_changed boolean,
  changed_by_user_id bigint,
  changed_by_first_name text,
  changed_by_name text,
  is_pending_deployment boolean,
  field_order text
);
ALTER TABLE takt.application_versions ENABLE ROW LEVEL SECURITY;

CREATE TABLE takt.audit_log (
  audit_entry_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  noted_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  actor text NOT NULL,
  action text NOT NULL,
  subject text NOT NULL,
  details jsonb NOT NULL
);

CREATE TABLE takt.audit_runs (
  audit_run_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  at timestamp with time zone NOT NULL DEFAULT now(),
  database text,
  structure_versions bigint NOT NULL,
  differences bigint NOT NULL,
  seconds double precision NOT NULL
);

CREATE TABLE takt.authorization_codes (
  authorization_code_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  code_sha256 bytea NOT NULL,
  api_client_id integer NOT NULL,
  pid integer NOT NULL,
  redirect_uri text NOT NULL,
  code_challenge text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone,
  token_family_id bigint
);

CREATE TABLE takt.companies (
  company_id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  code text NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  is_demo boolean NOT NULL DEFAULT false,
  access_key uuid NOT NULL DEFAULT gen_random_uuid(),
  time_zone text NOT NULL DEFAULT 'UTC'::text,
  disabled_at timestamp with time zone
);

CREATE TABLE takt.company_changes (
  company_id integer NOT NULL,
  slot integer NOT NULL,
  period integer NOT NULL,
  stamp bigint NOT NULL
) WITH (fillfactor=20, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=500, autovacuum_vacuum_cost_delay=0);
ALTER TABLE takt.company_changes ENABLE ROW LEVEL SECURITY;

CREATE TABLE takt.domain_values (
  object text NOT NULL,
  field text NOT NULL,
  key text NOT NULL,
  description text NOT NULL,
  translations jsonb NOT NULL DEFAULT '{}'::jsonb,
  priority integer NOT NULL
);

CREATE TABLE takt.error_messages (
  error_message_id integer NOT NULL,
  status text COLLATE "und-x-icu" NOT NULL,
  namespace text COLLATE "und-x-icu" NOT NULL,
  http_status_code integer NOT NULL,
  message text COLLATE "und-x-icu" NOT NULL,
  available_translations text NOT NULL,
  created_by bigint NOT NULL,
  technical_description text NOT NULL,
  translations jsonb NOT NULL
);

CREATE TABLE takt.event_sources (
  company_id integer NOT NULL,
  source text NOT NULL,
  last_event_at timestamp with time zone NOT NULL,
  last_event_id text NOT NULL
) WITH (fillfactor=50);

CREATE TABLE takt.flow_history (
  queue text NOT NULL,
  slot_seconds integer NOT NULL,
  slot integer NOT NULL,
  begins_at timestamp with time zone NOT NULL,
  applied bigint NOT NULL,
  duplicate bigint NOT NULL,
  stale bigint NOT NULL,
  rejected bigint NOT NULL,
  completion_lag_seconds double precision,
  publishing_lag_seconds double precision,
  waiting_jobs bigint
) WITH (fillfactor=50);

CREATE TABLE takt.import_changes (
  company_id integer NOT NULL,
  import_id integer NOT NULL,
  place integer NOT NULL,
  data jsonb NOT NULL,
  before jsonb
);

CREATE TABLE takt.imports (
  company_id integer NOT NULL,
  import_id integer NOT NULL DEFAULT nextval('takt.imports_import_id_seq'::regclass),
  what text NOT NULL,
  imported_by text NOT NULL,
  started_at timestamp with time zone NOT NULL DEFAULT now(),
  published_at timestamp with time zone,
  undone_at timestamp with time zone,
  undo_times timestamp with time zone[] NOT NULL DEFAULT '{}'::timestamp with time zone[],
  undone_by text,
  file_name text NOT NULL,
  file_hash text NOT NULL,
  number_of_new bigint NOT NULL,
  number_of_changed bigint NOT NULL,
  number_of_unchanged bigint NOT NULL,
  number_of_faulty bigint NOT NULL,
  mapping text
);

CREATE TABLE takt.key_counters (
  company_id integer NOT NULL,
  kind text NOT NULL,
  last_number bigint NOT NULL DEFAULT 0
) WITH (fillfactor=50);

CREATE TABLE takt.list_sizes (
  company_id integer NOT NULL,
  product_structure_versions bigint NOT NULL
) WITH (fillfactor=50);
ALTER TABLE takt.list_sizes ENABLE ROW LEVEL SECURITY;

CREATE TABLE takt.month_zones (
  company_id integer NOT NULL,
  time_zone text NOT NULL,
  time_zone_before text,
  rebuilt_to bigint
);
ALTER TABLE takt.month_zones ENABLE ROW LEVEL SECURITY;

CREATE TABLE takt.monthly_figures (
  company_id integer NOT NULL,
  product_structure_version_id bigint NOT NULL,
  month date NOT NULL,
  number_of_completed_operations bigint NOT NULL DEFAULT 0,
  run_time_sum numeric NOT NULL DEFAULT 0,
  run_time_sum_of_squares numeric NOT NULL DEFAULT 0,
  shortest_run_time bigint,
  longest_run_time bigint,
  setup_time_count bigint NOT NULL DEFAULT 0,
  setup_time_sum numeric NOT NULL DEFAULT 0,
  setup_time_sum_of_squares numeric NOT NULL DEFAULT 0,
  shortest_setup_time bigint,
  longest_setup_time bigint,
  cleanup_time_count bigint NOT NULL DEFAULT 0,
  cleanup_time_sum numeric NOT NULL DEFAULT 0,
  cleanup_time_sum_of_squares numeric NOT NULL DEFAULT 0,
  shortest_cleanup_time bigint,
  longest_cleanup_time bigint,
  last_completed_at timestamp with time zone
) WITH (fillfactor=60, autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_cost_delay=0);
ALTER TABLE takt.monthly_figures ENABLE ROW LEVEL SECURITY;

CREATE TABLE takt.object_keys (
  company_id integer NOT NULL,
  kind text NOT NULL,
  key text COLLATE "C" NOT NULL,
  number bigint NOT NULL
);

CREATE TABLE takt.product_structure_versions (
  company_id integer NOT NULL,
  product_structure_version_id bigint NOT NULL,
  changed_at timestamp with time zone,
  status integer,
  name text COLLATE "und-x-icu",
  version integer,
  revision text,
  product_id bigint,
  product_name text COLLATE "und-x-icu",
  run_time bigint,
  setup_time bigint,
  cleanup_time bigint,
  number_of_completed_operations bigint NOT NULL DEFAULT 0,
  run_time_sum numeric NOT NULL DEFAULT 0,
  run_time_sum_of_squares numeric NOT NULL DEFAULT 0,
  shortest_run_time bigint,
  longest_run_time bigint,
  average_run_time bigint GENERATED ALWAYS AS (takt.average_microhours(number_of_completed_operations, run_time_sum)) STORED,
  deviation_run_time bigint GENERATED ALWAYS AS (takt.population_deviation_microhours(number_of_completed_operations, run_time_sum, run_time_sum_of_squares)) STORED,
  setup_time_count bigint NOT NULL DEFAULT 0,
  setup_time_sum numeric NOT NULL DEFAULT 0,
  setup_time_sum_of_squares numeric NOT NULL DEFAULT 0,
  shortest_setup_time bigint,
  longest_setup_time bigint,
  average_setup_time bigint GENERATED ALWAYS AS (takt.average_microhours(setup_time_count, setup_time_sum)) STORED,
  deviation_setup_time bigint GENERATED ALWAYS AS (takt.population_deviation_microhours(setup_time_count, setup_time_sum, setup_time_sum_of_squares)) STORED,
  cleanup_time_count bigint NOT NULL DEFAULT 0,
  cleanup_time_sum numeric NOT NULL DEFAULT 0,
  cleanup_time_sum_of_squares numeric NOT NULL DEFAULT 0,
  shortest_cleanup_time bigint,
  longest_cleanup_time bigint,
  average_cleanup_time bigint GENERATED ALWAYS AS (takt.average_microhours(cleanup_time_count, cleanup_time_sum)) STORED,
  deviation_cleanup_time bigint GENERATED ALWAYS AS (takt.population_deviation_microhours(cleanup_time_count, cleanup_time_sum, cleanup_time_sum_of_squares)) STORED,
  run_time_difference bigint GENERATED ALWAYS AS ((takt.average_microhours(number_of_completed_operations, run_time_sum) - run_time)) STORED,
  run_time_over_plan_percent bigint GENERATED ALWAYS AS (takt.percent_over_plan(number_of_completed_operations, run_time_sum, run_time)) STORED,
  run_time_hours_over_plan bigint GENERATED ALWAYS AS (takt.bounded_microhours(takt.microhours_over_plan(number_of_completed_operations, run_time_sum, run_time))) STORED,
  setup_time_difference bigint GENERATED ALWAYS AS ((takt.average_microhours(setup_time_count, setup_time_sum) - setup_time)) STORED,
  setup_time_over_plan_percent bigint GENERATED ALWAYS AS (takt.percent_over_plan(setup_time_count, setup_time_sum, setup_time)) STORED,
  setup_time_hours_over_plan bigint GENERATED ALWAYS AS (takt.bounded_microhours(takt.microhours_over_plan(setup_time_count, setup_time_sum, setup_time))) STORED,
  cleanup_time_difference bigint GENERATED ALWAYS AS ((takt.average_microhours(cleanup_time_count, cleanup_time_sum) - cleanup_time)) STORED,
  cleanup_time_over_plan_percent bigint GENERATED ALWAYS AS (takt.percent_over_plan(cleanup_time_count, cleanup_time_sum, cleanup_time)) STORED,
  cleanup_time_hours_over_plan bigint GENERATED ALWAYS AS (takt.bounded_microhours(takt.microhours_over_plan(cleanup_time_count, cleanup_time_sum, cleanup_time))) STORED,
  hours_over_plan bigint GENERATED ALWAYS AS (takt.bounded_microhours(takt.sum_of_known(takt.microhours_over_plan(number_of_completed_operations, run_time_sum, run_time), takt.microhours_over_plan(setup_time_count, setup_time_sum, setup_time), takt.microhours_over_plan(cleanup_time_count, cleanup_time_sum, cleanup_time)))) STORED,
  product_structure_version_key text COLLATE "und-x-icu",
  product_key text COLLATE "und-x-icu",
  removed_at timestamp with time zone
) WITH (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_cost_delay=0);
ALTER TABLE takt.product_structure_versions ENABLE ROW LEVEL SECURITY;

CREATE TABLE takt.products (
  company_id integer NOT NULL,
  product_id bigint NOT NULL,
  status integer NOT NULL,
  name text COLLATE "und-x-icu" NOT NULL,
  type text NOT NULL,
  description text NOT NULL,
  changed_at timestamp with time zone NOT NULL,
  folded_name text COLLATE "und-x-icu" GENERATED ALWAYS AS (casefold(name)) STORED,
  product_key text COLLATE "und-x-icu"
);
ALTER TABLE takt.products ENABLE ROW LEVEL SECURITY;

CREATE TABLE takt.pruned_figures (
  company_id integer NOT NULL,
  product_structure_version_id bigint NOT NULL,
  month date NOT NULL,
  run_time_count bigint NOT NULL,
  run_time_sum numeric NOT NULL,
  run_time_sum_of_squares numeric NOT NULL,
  shortest_run_time numeric(13,6) NOT NULL,
  longest_run_time numeric(13,6) NOT NULL,
  setup_time_count bigint NOT NULL,
  setup_time_sum numeric NOT NULL,
  setup_time_sum_of_squares numeric NOT NULL,
  shortest_setup_time numeric(13,6),
  longest_setup_time numeric(13,6),
  cleanup_time_count bigint NOT NULL,
  cleanup_time_sum numeric NOT NULL,
  cleanup_time_sum_of_squares numeric NOT NULL,
  shortest_cleanup_time numeric(13,6),
  longest_cleanup_time numeric(13,6),
  last_completed_at timestamp with time zone
);

CREATE TABLE takt.pruned_operations (
  company_id integer NOT NULL,
  block bigint NOT NULL,
  revisions bigint[] NOT NULL
);

CREATE TABLE takt.prunings (
  company_id integer NOT NULL,
  pruned_before date NOT NULL
);

CREATE TABLE takt.refresh_tokens (
  refresh_token_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  token_sha256 bytea NOT NULL,
  token_family_id bigint NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone
);

CREATE TABLE takt.refusals (
  day date NOT NULL,
  producer text NOT NULL,
  reason text NOT NULL,
  companies text[] NOT NULL,
  error json NOT NULL,
  times bigint NOT NULL,
  last_at timestamp with time zone NOT NULL DEFAULT now()
);

CREATE TABLE takt.rejected_events (
  rejected_event_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  content_sha256 bytea NOT NULL,
  queue text NOT NULL,
  job_id text NOT NULL,
  job_name text NOT NULL,
  event_source text,
  event_id text,
  event_type text,
  reason text NOT NULL,
  deliveries integer NOT NULL,
  data text NOT NULL,
  added_at timestamp with time zone,
  rejected_at timestamp with time zone NOT NULL,
  exported_at timestamp with time zone NOT NULL DEFAULT now()
);

CREATE TABLE takt.rejections (
  company_id integer NOT NULL,
  rejection_id bigint NOT NULL DEFAULT nextval('takt.rejections_rejection_id_seq'::regclass),
  content_sha256 bytea NOT NULL,
  queue text NOT NULL,
  company text,
  event_source text,
  event_id text,
  event_type text,
  data text NOT NULL,
  reason text NOT NULL,
  rule text NOT NULL,
  problems json,
  first_at timestamp with time zone NOT NULL DEFAULT now(),
  last_at timestamp with time zone NOT NULL DEFAULT now(),
  times integer NOT NULL DEFAULT 1,
  state text NOT NULL DEFAULT 'open'::text,
  resolved_at timestamp with time zone,
  resolved_by text,
  run text,
  replacement_queue text,
  replacement_job_id text
);

CREATE TABLE takt.resolved_rejections (
  resolved_rejection_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  resolution text NOT NULL,
  resolved_at timestamp with time zone NOT NULL DEFAULT now(),
  resolved_by text NOT NULL,
  run text,
  replacement_queue text,
  replacement_job_id text,
  content_sha256 bytea NOT NULL,
  queue text NOT NULL,
  job_id text NOT NULL,
  job_name text NOT NULL,
  event_source text,
  event_id text,
  event_type text,
  reason text NOT NULL,
  deliveries integer NOT NULL,
  data text NOT NULL,
  added_at timestamp with time zone,
  rejected_at timestamp with time zone NOT NULL
);

CREATE TABLE takt.roles (
  role text NOT NULL,
  duties text[] NOT NULL,
  description text NOT NULL
);

CREATE TABLE takt.salt_secret (
  only_row boolean NOT NULL DEFAULT true,
  secret bytea NOT NULL
);

CREATE TABLE takt.saved_views (
  company_id integer NOT NULL,
  saved_view_id bigint NOT NULL DEFAULT nextval('takt.saved_views_saved_view_id_seq'::regclass),
  pid integer NOT NULL,
  name text COLLATE "und-x-icu" NOT NULL,
  path text NOT NULL,
  query text NOT NULL,
  is_shared boolean NOT NULL,
  saved_at timestamp with time zone NOT NULL DEFAULT now()
);
ALTER TABLE takt.saved_views ENABLE ROW LEVEL SECURITY;

CREATE TABLE takt.schema_functions (
  name text NOT NULL,
  checksum text NOT NULL,
  signatures text[] NOT NULL,
  applied_at timestamp with time zone NOT NULL DEFAULT now()
);

CREATE TABLE takt.schema_migrations (
  number integer NOT NULL,
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamp with time zone NOT NULL DEFAULT now(),
  breaks_before integer NOT NULL DEFAULT 0
);

CREATE TABLE takt.structure_version_texts (
  company_id integer NOT NULL,
  product_structure_version_id bigint NOT NULL,
  folded text COLLATE "und-x-icu" NOT NULL
);

CREATE TABLE takt.token_families (
  token_family_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  api_client_id integer NOT NULL,
  pid integer NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  revoked_at timestamp with time zone
);

CREATE TABLE takt.user_companies (
  pid integer NOT NULL,
  ordinal integer NOT NULL,
  company_id integer NOT NULL
);

CREATE TABLE takt.users (
  pid integer NOT NULL,
  first_name text,
  name text NOT NULL,
  password takt.slow_hash NOT NULL,
  roles text[] NOT NULL DEFAULT '{}'::text[],
  duties text[] NOT NULL DEFAULT '{}'::text[],
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  disabled_at timestamp with time zone,
  known_networks bytea[] NOT NULL DEFAULT '{}'::bytea[]
);

CREATE TABLE takt.work_order_operations (
  company_id integer NOT NULL,
  work_order_operation_id bigint NOT NULL,
  revision bigint NOT NULL,
  product_structure_version_id bigint,
  work_order_id bigint,
  changed_at timestamp with time zone NOT NULL,
  run_time numeric(13,6),
  setup_time numeric(13,6),
  cleanup_time numeric(13,6),
  work_order_operation_key text COLLATE "und-x-icu",
  work_order_key text COLLATE "und-x-icu",
  event_source text,
  event_id text,
  event_time timestamp with time zone
);
ALTER TABLE takt.work_order_operations ENABLE ROW LEVEL SECURITY;

CREATE TABLE takt.worker_reports (
  worker_id uuid NOT NULL,
  queue text NOT NULL,
  host text NOT NULL,
  pid integer NOT NULL,
  version text NOT NULL,
  started_at timestamp with time zone NOT NULL DEFAULT now(),
  seen_at timestamp with time zone NOT NULL DEFAULT now(),
  seen_before timestamp with time zone,
  applied bigint NOT NULL DEFAULT 0,
  applied_before bigint,
  duplicate bigint NOT NULL DEFAULT 0,
  duplicate_before bigint,
  stale bigint NOT NULL DEFAULT 0,
  stale_before bigint,
  rejected bigint NOT NULL DEFAULT 0,
  rejected_before bigint,
  waiting_jobs bigint,
  completion_lag_seconds double precision,
  publishing_lag_seconds double precision,
  last_commit_at timestamp with time zone
) WITH (fillfactor=50);

-- Constraints

ALTER TABLE takt.access_token_companies ADD CONSTRAINT access_token_companies_access_token_id_company_id_key
  UNIQUE (access_token_id, company_id);

ALTER TABLE takt.access_token_companies ADD CONSTRAINT access_token_companies_access_token_id_fkey
  FOREIGN KEY (access_token_id) REFERENCES takt.access_tokens(access_token_id) ON DELETE CASCADE;

ALTER TABLE takt.access_token_companies ADD CONSTRAINT access_token_companies_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES takt.companies(company_id);

ALTER TABLE takt.access_token_companies ADD CONSTRAINT access_token_companies_ordinal_check
  CHECK ((ordinal >= 1));

ALTER TABLE takt.access_token_companies ADD CONSTRAINT access_token_companies_pkey
  PRIMARY KEY (access_token_id, ordinal);

ALTER TABLE takt.access_tokens ADD CONSTRAINT access_tokens_api_client_id_fkey
  FOREIGN KEY (api_client_id) REFERENCES takt.api_clients(api_client_id);

ALTER TABLE takt.access_tokens ADD CONSTRAINT access_tokens_check
  CHECK ((expires_at > created_at));

ALTER TABLE takt.access_tokens ADD CONSTRAINT access_tokens_check1
  CHECK (((kind <> 'client'::text) OR ((api_client_id IS NOT NULL) AND (pid IS NULL))));

ALTER TABLE takt.access_tokens ADD CONSTRAINT access_tokens_check2
  CHECK (((kind <> 'person'::text) OR ((api_client_id IS NOT NULL) AND (pid IS NOT NULL) AND (token_family_id IS NOT NULL))));

ALTER TABLE takt.access_tokens ADD CONSTRAINT access_tokens_check3
  CHECK (((kind <> 'page'::text) OR ((api_client_id IS NULL) AND (pid IS NOT NULL))));

ALTER TABLE takt.access_tokens ADD CONSTRAINT access_tokens_kind_check
  CHECK ((kind = ANY (ARRAY['command-line'::text, 'client'::text, 'person'::text, 'page'::text])));

ALTER TABLE takt.access_tokens ADD CONSTRAINT access_tokens_pid_fkey
  FOREIGN KEY (pid) REFERENCES takt.users(pid);

ALTER TABLE takt.access_tokens ADD CONSTRAINT access_tokens_pkey
  PRIMARY KEY (access_token_id);

ALTER TABLE takt.access_tokens ADD CONSTRAINT access_tokens_token_family_id_fkey
  FOREIGN KEY (token_family_id) REFERENCES takt.token_families(token_family_id) ON DELETE CASCADE;

ALTER TABLE takt.access_tokens ADD CONSTRAINT access_tokens_token_sha256_check
  CHECK ((octet_length(token_sha256) = 32));

ALTER TABLE takt.access_tokens ADD CONSTRAINT access_tokens_token_sha256_key
  UNIQUE (token_sha256);

ALTER TABLE takt.access_tokens ADD CONSTRAINT note_new_token
  TRIGGER DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE takt.alarm_notices ADD CONSTRAINT alarm_notices_alarm_id_fkey
  FOREIGN KEY (alarm_id) REFERENCES takt.alarms(alarm_id) ON DELETE CASCADE;

ALTER TABLE takt.alarm_notices ADD CONSTRAINT alarm_notices_pkey
  PRIMARY KEY (alarm_notice_id);

ALTER TABLE takt.alarms ADD CONSTRAINT alarms_pkey
  PRIMARY KEY (alarm_id);

ALTER TABLE takt.api_client_companies ADD CONSTRAINT api_client_companies_api_client_id_company_id_key
  UNIQUE (api_client_id, company_id);

ALTER TABLE takt.api_client_companies ADD CONSTRAINT api_client_companies_api_client_id_fkey
  FOREIGN KEY (api_client_id) REFERENCES takt.api_clients(api_client_id) ON DELETE CASCADE;

ALTER TABLE takt.api_client_companies ADD CONSTRAINT api_client_companies_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES takt.companies(company_id);

ALTER TABLE takt.api_client_companies ADD CONSTRAINT api_client_companies_ordinal_check
  CHECK ((ordinal >= 1));

ALTER TABLE takt.api_client_companies ADD CONSTRAINT api_client_companies_pkey
  PRIMARY KEY (api_client_id, ordinal);

ALTER TABLE takt.api_clients ADD CONSTRAINT api_clients_name_check
  CHECK ((name <> ''::text));

ALTER TABLE takt.api_clients ADD CONSTRAINT api_clients_pkey
  PRIMARY KEY (api_client_id);

ALTER TABLE takt.api_clients ADD CONSTRAINT api_clients_secret_check
  CHECK (((secret IS NULL) OR ((octet_length((secret).salt) = 16) AND (octet_length((secret).sha256) = 32))));

ALTER TABLE takt.api_clients ADD CONSTRAINT api_clients_secret_sha256_check
  CHECK ((octet_length(secret_sha256) = 32));

ALTER TABLE takt.api_clients ADD CONSTRAINT note_new_client
  TRIGGER DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE takt.application_versions ADD CONSTRAINT application_versions_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES takt.companies(company_id);

ALTER TABLE takt.application_versions ADD CONSTRAINT application_versions_pkey
  PRIMARY KEY (company_id, application_version_id);

ALTER TABLE takt.audit_log ADD CONSTRAINT audit_log_pkey
  PRIMARY KEY (audit_entry_id);

ALTER TABLE takt.audit_runs ADD CONSTRAINT audit_runs_pkey
  PRIMARY KEY (audit_run_id);

ALTER TABLE takt.authorization_codes ADD CONSTRAINT authorization_codes_api_client_id_fkey
  FOREIGN KEY (api_client_id) REFERENCES takt.api_clients(api_client_id);

ALTER TABLE takt.authorization_codes ADD CONSTRAINT authorization_codes_code_challenge_check
  CHECK ((code_challenge ~ '^[A-Za-z0-9_-]{43}$'::text));

ALTER TABLE takt.authorization_codes ADD CONSTRAINT authorization_codes_code_sha256_check
  CHECK ((octet_length(code_sha256) = 32));

ALTER TABLE takt.authorization_codes ADD CONSTRAINT authorization_codes_code_sha256_key
  UNIQUE (code_sha256);

ALTER TABLE takt.authorization_codes ADD CONSTRAINT authorization_codes_pid_fkey
  FOREIGN KEY (pid) REFERENCES takt.users(pid);

ALTER TABLE takt.authorization_codes ADD CONSTRAINT authorization_codes_pkey
  PRIMARY KEY (authorization_code_id);

ALTER TABLE takt.authorization_codes ADD CONSTRAINT authorization_codes_token_family_id_fkey
  FOREIGN KEY (token_family_id) REFERENCES takt.token_families(token_family_id) ON DELETE SET NULL;

ALTER TABLE takt.companies ADD CONSTRAINT companies_access_key_key
  UNIQUE (access_key);

ALTER TABLE takt.companies ADD CONSTRAINT companies_code_check
  CHECK ((code ~ '^[A-Z0-9][A-Z0-9-]{0,19}$'::text));

ALTER TABLE takt.companies ADD CONSTRAINT companies_code_key
  UNIQUE (code);

ALTER TABLE takt.companies ADD CONSTRAINT companies_pkey
  PRIMARY KEY (company_id);

ALTER TABLE takt.company_changes ADD CONSTRAINT company_changes_pkey
  PRIMARY KEY (company_id, slot, period);

ALTER TABLE takt.domain_values ADD CONSTRAINT domain_values_pkey
  PRIMARY KEY (object, field, key);

ALTER TABLE takt.error_messages ADD CONSTRAINT error_messages_error_message_id_check
  CHECK ((error_message_id >= 100000));

ALTER TABLE takt.error_messages ADD CONSTRAINT error_messages_http_status_code_check
  CHECK ((http_status_code = ANY (ARRAY[400, 403, 404, 500])));

ALTER TABLE takt.error_messages ADD CONSTRAINT error_messages_pkey
  PRIMARY KEY (error_message_id);

ALTER TABLE takt.event_sources ADD CONSTRAINT event_sources_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES takt.companies(company_id);

ALTER TABLE takt.event_sources ADD CONSTRAINT event_sources_pkey
  PRIMARY KEY (company_id, source);

ALTER TABLE takt.event_sources ADD CONSTRAINT event_sources_source_check
  CHECK ((octet_length(source) <= 2048));

ALTER TABLE takt.flow_history ADD CONSTRAINT flow_history_pkey
  PRIMARY KEY (queue, slot_seconds, slot);

ALTER TABLE takt.import_changes ADD CONSTRAINT import_changes_company_id_import_id_fkey
  FOREIGN KEY (company_id, import_id) REFERENCES takt.imports(company_id, import_id) ON DELETE CASCADE;

ALTER TABLE takt.import_changes ADD CONSTRAINT import_changes_pkey
  PRIMARY KEY (company_id, import_id, place);

ALTER TABLE takt.imports ADD CONSTRAINT imports_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES takt.companies(company_id);

ALTER TABLE takt.imports ADD CONSTRAINT imports_pkey
  PRIMARY KEY (company_id, import_id);

ALTER TABLE takt.imports ADD CONSTRAINT imports_what_check
  CHECK ((what = ANY (ARRAY['operations'::text, 'plans'::text])));

ALTER TABLE takt.key_counters ADD CONSTRAINT key_counters_kind_check
  CHECK ((kind = ANY (ARRAY['product'::text, 'version'::text, 'order'::text, 'operation'::text])));

ALTER TABLE takt.key_counters ADD CONSTRAINT key_counters_pkey
  PRIMARY KEY (company_id, kind);

ALTER TABLE takt.list_sizes ADD CONSTRAINT list_sizes_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES takt.companies(company_id);

ALTER TABLE takt.list_sizes ADD CONSTRAINT list_sizes_pkey
  PRIMARY KEY (company_id);

ALTER TABLE takt.month_zones ADD CONSTRAINT month_zones_check
  CHECK (((time_zone_before IS NULL) = (rebuilt_to IS NULL)));

ALTER TABLE takt.month_zones ADD CONSTRAINT month_zones_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES takt.companies(company_id);

ALTER TABLE takt.month_zones ADD CONSTRAINT month_zones_pkey
  PRIMARY KEY (company_id);

ALTER TABLE takt.monthly_figures ADD CONSTRAINT monthly_figures_month_check
  CHECK ((EXTRACT(day FROM month) = (1)::numeric));

ALTER TABLE takt.monthly_figures ADD CONSTRAINT monthly_figures_pkey
  PRIMARY KEY (company_id, product_structure_version_id, month);

ALTER TABLE takt.object_keys ADD CONSTRAINT object_keys_kind_check
  CHECK ((kind = ANY (ARRAY['product'::text, 'version'::text, 'order'::text, 'operation'::text])));

ALTER TABLE takt.object_keys ADD CONSTRAINT object_keys_pkey
  PRIMARY KEY (company_id, kind, key);

ALTER TABLE takt.product_structure_versions ADD CONSTRAINT product_structure_versions_check
  CHECK (((changed_at IS NULL) = (product_id IS NULL)));

ALTER TABLE takt.product_structure_versions ADD CONSTRAINT product_structure_versions_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES takt.companies(company_id);

ALTER TABLE takt.product_structure_versions ADD CONSTRAINT product_structure_versions_company_id_product_id_fkey
  FOREIGN KEY (company_id, product_id) REFERENCES takt.products(company_id, product_id);

ALTER TABLE takt.product_structure_versions ADD CONSTRAINT product_structure_versions_pkey
  PRIMARY KEY (company_id, product_structure_version_id);

ALTER TABLE takt.products ADD CONSTRAINT products_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES takt.companies(company_id);

ALTER TABLE takt.products ADD CONSTRAINT products_pkey
  PRIMARY KEY (company_id, product_id);

ALTER TABLE takt.pruned_figures ADD CONSTRAINT pruned_figures_check
  CHECK (((run_time_count > 0) AND (((run_time_count)::numeric * run_time_sum_of_squares) >= (run_time_sum * run_time_sum))));

ALTER TABLE takt.pruned_figures ADD CONSTRAINT pruned_figures_check1
  CHECK (((setup_time_count >= 0) AND (((setup_time_count)::numeric * setup_time_sum_of_squares) >= (setup_time_sum * setup_time_sum))));

ALTER TABLE takt.pruned_figures ADD CONSTRAINT pruned_figures_check2
  CHECK (((cleanup_time_count >= 0) AND (((cleanup_time_count)::numeric * cleanup_time_sum_of_squares) >= (cleanup_time_sum * cleanup_time_sum))));

ALTER TABLE takt.pruned_figures ADD CONSTRAINT pruned_figures_month_check
  CHECK ((EXTRACT(day FROM month) = (1)::numeric));

ALTER TABLE takt.pruned_figures ADD CONSTRAINT pruned_figures_pkey
  PRIMARY KEY (company_id, product_structure_version_id, month);

ALTER TABLE takt.pruned_operations ADD CONSTRAINT pruned_operations_pkey
  PRIMARY KEY (company_id, block);

ALTER TABLE takt.pruned_operations ADD CONSTRAINT pruned_operations_revisions_check
  CHECK (((array_ndims(revisions) = 1) AND (array_lower(revisions, 1) = 1) AND (cardinality(revisions) = 1024)));

ALTER TABLE takt.prunings ADD CONSTRAINT prunings_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES takt.companies(company_id);

ALTER TABLE takt.prunings ADD CONSTRAINT prunings_pkey
  PRIMARY KEY (company_id);

ALTER TABLE takt.refresh_tokens ADD CONSTRAINT refresh_tokens_pkey
  PRIMARY KEY (refresh_token_id);

ALTER TABLE takt.refresh_tokens ADD CONSTRAINT refresh_tokens_token_family_id_fkey
  FOREIGN KEY (token_family_id) REFERENCES takt.token_families(token_family_id) ON DELETE CASCADE;

ALTER TABLE takt.refresh_tokens ADD CONSTRAINT refresh_tokens_token_sha256_check
  CHECK ((octet_length(token_sha256) = 32));

ALTER TABLE takt.refresh_tokens ADD CONSTRAINT refresh_tokens_token_sha256_key
  UNIQUE (token_sha256);

ALTER TABLE takt.refusals ADD CONSTRAINT refusals_pkey
  PRIMARY KEY (day, producer, reason);

ALTER TABLE takt.rejected_events ADD CONSTRAINT rejected_events_content_sha256_key
  UNIQUE (content_sha256);

ALTER TABLE takt.rejected_events ADD CONSTRAINT rejected_events_pkey
  PRIMARY KEY (rejected_event_id);

ALTER TABLE takt.rejections ADD CONSTRAINT rejections_check
  CHECK (((state = 'open'::text) = (resolved_at IS NULL)));

ALTER TABLE takt.rejections ADD CONSTRAINT rejections_company_id_content_sha256_key
  UNIQUE (company_id, content_sha256);

ALTER TABLE takt.rejections ADD CONSTRAINT rejections_pkey
  PRIMARY KEY (company_id, rejection_id);

ALTER TABLE takt.rejections ADD CONSTRAINT rejections_state_check
  CHECK ((state = ANY (ARRAY['open'::text, 'corrected'::text, 'discarded'::text])));

ALTER TABLE takt.resolved_rejections ADD CONSTRAINT resolved_rejections_check
  CHECK (((resolution = 'corrected'::text) = (replacement_job_id IS NOT NULL)));

ALTER TABLE takt.resolved_rejections ADD CONSTRAINT resolved_rejections_pkey
  PRIMARY KEY (resolved_rejection_id);

ALTER TABLE takt.resolved_rejections ADD CONSTRAINT resolved_rejections_resolution_check
  CHECK ((resolution = ANY (ARRAY['discarded'::text, 'corrected'::text])));

ALTER TABLE takt.roles ADD CONSTRAINT roles_pkey
  PRIMARY KEY (role);

ALTER TABLE takt.roles ADD CONSTRAINT roles_role_check
  CHECK ((role ~ '^[a-z][a-z-]{0,39}$'::text));

ALTER TABLE takt.salt_secret ADD CONSTRAINT salt_secret_only_row_check
  CHECK (only_row);

ALTER TABLE takt.salt_secret ADD CONSTRAINT salt_secret_pkey
  PRIMARY KEY (only_row);

ALTER TABLE takt.salt_secret ADD CONSTRAINT salt_secret_secret_check
  CHECK ((octet_length(secret) = 32));

ALTER TABLE takt.saved_views ADD CONSTRAINT saved_views_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES takt.companies(company_id);

ALTER TABLE takt.saved_views ADD CONSTRAINT saved_views_company_id_pid_name_key
  UNIQUE (company_id, pid, name);

ALTER TABLE takt.saved_views ADD CONSTRAINT saved_views_name_check
  CHECK (((length(name) >= 1) AND (length(name) <= 80)));

ALTER TABLE takt.saved_views ADD CONSTRAINT saved_views_pkey
  PRIMARY KEY (company_id, saved_view_id);

ALTER TABLE takt.schema_functions ADD CONSTRAINT schema_functions_pkey
  PRIMARY KEY (name);

ALTER TABLE takt.schema_migrations ADD CONSTRAINT schema_migrations_pkey
  PRIMARY KEY (number);

ALTER TABLE takt.structure_version_texts ADD CONSTRAINT structure_version_texts_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES takt.companies(company_id);

ALTER TABLE takt.structure_version_texts ADD CONSTRAINT structure_version_texts_pkey
  PRIMARY KEY (company_id, product_structure_version_id);

ALTER TABLE takt.token_families ADD CONSTRAINT token_families_api_client_id_fkey
  FOREIGN KEY (api_client_id) REFERENCES takt.api_clients(api_client_id);

ALTER TABLE takt.token_families ADD CONSTRAINT token_families_pid_fkey
  FOREIGN KEY (pid) REFERENCES takt.users(pid);

ALTER TABLE takt.token_families ADD CONSTRAINT token_families_pkey
  PRIMARY KEY (token_family_id);

ALTER TABLE takt.user_companies ADD CONSTRAINT user_companies_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES takt.companies(company_id);

ALTER TABLE takt.user_companies ADD CONSTRAINT user_companies_ordinal_check
  CHECK ((ordinal >= 1));

ALTER TABLE takt.user_companies ADD CONSTRAINT user_companies_pid_company_id_key
  UNIQUE (pid, company_id);

ALTER TABLE takt.user_companies ADD CONSTRAINT user_companies_pid_fkey
  FOREIGN KEY (pid) REFERENCES takt.users(pid) ON DELETE CASCADE;

ALTER TABLE takt.user_companies ADD CONSTRAINT user_companies_pkey
  PRIMARY KEY (pid, ordinal);

ALTER TABLE takt.users ADD CONSTRAINT note_new_person
  TRIGGER DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE takt.users ADD CONSTRAINT users_name_check
  CHECK ((name <> ''::text));

ALTER TABLE takt.users ADD CONSTRAINT users_password_check
  CHECK (((octet_length((password).salt) = 16) AND (octet_length((password).sha256) = 32)));

ALTER TABLE takt.users ADD CONSTRAINT users_pid_check
  CHECK ((pid >= 1));

ALTER TABLE takt.users ADD CONSTRAINT users_pkey
  PRIMARY KEY (pid);

ALTER TABLE takt.work_order_operations ADD CONSTRAINT work_order_operations_check
  CHECK (((product_structure_version_id IS NULL) = (run_time IS NULL)));

ALTER TABLE takt.work_order_operations ADD CONSTRAINT work_order_operations_pkey
  PRIMARY KEY (company_id, work_order_operation_id);

ALTER TABLE takt.worker_reports ADD CONSTRAINT worker_reports_pkey
  PRIMARY KEY (worker_id, queue);

-- Indexes

CREATE INDEX access_tokens_api_client_id_access_token_id_idx ON takt.access_tokens USING btree (api_client_id, access_token_id) WHERE (kind = 'client'::text);
CREATE INDEX access_tokens_expires_at_idx ON takt.access_tokens USING btree (expires_at);
CREATE INDEX access_tokens_pid_access_token_id_idx ON takt.access_tokens USING btree (pid, access_token_id) WHERE (kind = 'page'::text);
CREATE INDEX access_tokens_pid_idx ON takt.access_tokens USING btree (pid);
CREATE INDEX access_tokens_token_family_id_idx ON takt.access_tokens USING btree (token_family_id);
CREATE INDEX alarm_notices_of_alarm ON takt.alarm_notices USING btree (alarm_id);
CREATE INDEX application_versions_of_application ON takt.application_versions USING btree (company_id, application_id, application_version_id DESC);
CREATE INDEX application_versions_of_changer ON takt.application_versions USING btree (company_id, changed_by_user_id) WHERE (changed_by_user_id IS NOT NULL);
CREATE INDEX application_versions_of_company ON takt.application_versions USING btree (company_id, restricted_to_company_id) WHERE (restricted_to_company_id IS NOT NULL);
CREATE INDEX application_versions_of_creator ON takt.application_versions USING btree (company_id, created_by_user_id) WHERE (created_by_user_id IS NOT NULL);
CREATE INDEX application_versions_of_permission ON takt.application_versions USING btree (company_id, permission_id) WHERE (permission_id IS NOT NULL);
CREATE INDEX authorization_codes_expires_at_idx ON takt.authorization_codes USING btree (expires_at);
CREATE INDEX authorization_codes_pid_api_client_id_idx ON takt.authorization_codes USING btree (pid, api_client_id);
CREATE INDEX authorization_codes_token_family_id_idx ON takt.authorization_codes USING btree (token_family_id);
CREATE INDEX by_average_cleanup_time ON takt.product_structure_versions USING btree (company_id, GREATEST(average_cleanup_time, ('-1'::integer)::bigint), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_average_run_time ON takt.product_structure_versions USING btree (company_id, GREATEST(average_run_time, ('-1'::integer)::bigint), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_average_setup_time ON takt.product_structure_versions USING btree (company_id, GREATEST(average_setup_time, ('-1'::integer)::bigint), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_cleanup_time ON takt.product_structure_versions USING btree (company_id, GREATEST(cleanup_time, ('-1'::integer)::bigint), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_cleanup_time_hours_over_plan ON takt.product_structure_versions USING btree (company_id, GREATEST(cleanup_time_hours_over_plan, '-9223372036854775808'::bigint), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_deviation_cleanup_time ON takt.product_structure_versions USING btree (company_id, GREATEST(deviation_cleanup_time, ('-1'::integer)::bigint), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_deviation_run_time ON takt.product_structure_versions USING btree (company_id, GREATEST(deviation_run_time, ('-1'::integer)::bigint), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_deviation_setup_time ON takt.product_structure_versions USING btree (company_id, GREATEST(deviation_setup_time, ('-1'::integer)::bigint), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_hours_over_plan ON takt.product_structure_versions USING btree (company_id, GREATEST(hours_over_plan, '-9223372036854775808'::bigint), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_longest_cleanup_time ON takt.product_structure_versions USING btree (company_id, GREATEST(longest_cleanup_time, ('-1'::integer)::bigint), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_longest_run_time ON takt.product_structure_versions USING btree (company_id, GREATEST(longest_run_time, ('-1'::integer)::bigint), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_longest_setup_time ON takt.product_structure_versions USING btree (company_id, GREATEST(longest_setup_time, ('-1'::integer)::bigint), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_number_of_completed_operations ON takt.product_structure_versions USING btree (company_id, number_of_completed_operations, product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_product_name ON takt.product_structure_versions USING btree (company_id, product_name, product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_product_structure_version_key ON takt.product_structure_versions USING btree (company_id, product_structure_version_key, product_structure_version_id) WHERE ((changed_at IS NOT NULL) AND (product_structure_version_key IS NOT NULL));
CREATE INDEX by_run_time ON takt.product_structure_versions USING btree (company_id, GREATEST(run_time, ('-1'::integer)::bigint), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_run_time_hours_over_plan ON takt.product_structure_versions USING btree (company_id, GREATEST(run_time_hours_over_plan, '-9223372036854775808'::bigint), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_setup_time ON takt.product_structure_versions USING btree (company_id, GREATEST(setup_time, ('-1'::integer)::bigint), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_setup_time_hours_over_plan ON takt.product_structure_versions USING btree (company_id, GREATEST(setup_time_hours_over_plan, '-9223372036854775808'::bigint), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_shortest_cleanup_time ON takt.product_structure_versions USING btree (company_id, GREATEST(shortest_cleanup_time, ('-1'::integer)::bigint), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_shortest_run_time ON takt.product_structure_versions USING btree (company_id, GREATEST(shortest_run_time, ('-1'::integer)::bigint), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_shortest_setup_time ON takt.product_structure_versions USING btree (company_id, GREATEST(shortest_setup_time, ('-1'::integer)::bigint), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX monthly_figures_by_month ON takt.monthly_figures USING brin (company_id, month) WITH (autosummarize='true');
CREATE INDEX object_keys_by_folded_key ON takt.object_keys USING btree (company_id, kind, takt.folded_key(key)) WHERE (kind = ANY (ARRAY['product'::text, 'version'::text]));
CREATE INDEX object_keys_by_number ON takt.object_keys USING btree (company_id, kind, number) WHERE (kind = ANY (ARRAY['product'::text, 'version'::text]));
CREATE INDEX object_keys_by_part ON takt.object_keys USING gin (takt.folded_key(key) COLLATE "und-x-icu" public.gin_trgm_ops) WHERE (kind = ANY (ARRAY['product'::text, 'version'::text]));
CREATE INDEX product_structure_versions_of_product ON takt.product_structure_versions USING btree (company_id, product_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX products_by_folded_name ON takt.products USING gin (folded_name public.gin_trgm_ops);
CREATE INDEX products_by_key ON takt.products USING btree (company_id, product_key, product_id) WHERE (product_key IS NOT NULL);
CREATE INDEX products_by_name ON takt.products USING btree (company_id, name, product_id);
CREATE INDEX products_not_composed ON takt.products USING btree (company_id, product_id) WHERE (NOT (folded_name IS NFC NORMALIZED));
CREATE INDEX refresh_tokens_expires_at_idx ON takt.refresh_tokens USING btree (expires_at);
CREATE INDEX refresh_tokens_token_family_id_idx ON takt.refresh_tokens USING btree (token_family_id);
CREATE INDEX rejected_events_by_time ON takt.rejected_events USING btree (rejected_at, rejected_event_id);
CREATE INDEX rejected_events_of_job ON takt.rejected_events USING hash (job_id);
CREATE INDEX rejections_by_id ON takt.rejections USING btree (rejection_id);
CREATE INDEX rejections_of_run ON takt.rejections USING btree (run) WHERE (run IS NOT NULL);
CREATE INDEX rejections_open ON takt.rejections USING btree (last_at, rejection_id) WHERE (state = 'open'::text);
CREATE INDEX rejections_resolved ON takt.rejections USING btree (resolved_at, rejection_id) WHERE (state <> 'open'::text);
CREATE INDEX resolved_rejections_by_time ON takt.resolved_rejections USING btree (resolved_at);
CREATE INDEX resolved_rejections_of_run ON takt.resolved_rejections USING btree (run) WHERE (run IS NOT NULL);
CREATE INDEX structure_version_texts_by_part ON takt.structure_version_texts USING gin (folded public.gin_trgm_ops);
CREATE INDEX token_families_expires_at_idx ON takt.token_families USING btree (expires_at);
CREATE INDEX token_families_pid_api_client_id_idx ON takt.token_families USING btree (pid, api_client_id);
CREATE INDEX unlisted_structure_versions ON takt.product_structure_versions USING btree (company_id, product_structure_version_id) WHERE (changed_at IS NULL);
CREATE INDEX work_order_operations_of_structure_version ON takt.work_order_operations USING btree (company_id, product_structure_version_id, changed_at) INCLUDE (run_time, setup_time, cleanup_time) WHERE (product_structure_version_id IS NOT NULL);
CREATE UNIQUE INDEX alarms_that_go_on ON takt.alarms USING btree (name, subject) WHERE (ended_at IS NULL);

-- Statistics

CREATE STATISTICS takt.spread_of_average_cleanup_time ON GREATEST(average_cleanup_time, '-1'::integer::bigint) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_average_run_time ON GREATEST(average_run_time, '-1'::integer::bigint) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_average_setup_time ON GREATEST(average_setup_time, '-1'::integer::bigint) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_cleanup_time ON GREATEST(cleanup_time, '-1'::integer::bigint) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_cleanup_time_difference ON GREATEST(cleanup_time_difference, '-9223372036854775808'::bigint) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_cleanup_time_hours_over_plan ON GREATEST(cleanup_time_hours_over_plan, '-9223372036854775808'::bigint) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_cleanup_time_over_plan_percent ON GREATEST(cleanup_time_over_plan_percent, '-9223372036854775808'::bigint) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_deviation_cleanup_time ON GREATEST(deviation_cleanup_time, '-1'::integer::bigint) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_deviation_run_time ON GREATEST(deviation_run_time, '-1'::integer::bigint) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_deviation_setup_time ON GREATEST(deviation_setup_time, '-1'::integer::bigint) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_hours_over_plan ON GREATEST(hours_over_plan, '-9223372036854775808'::bigint) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_longest_cleanup_time ON GREATEST(longest_cleanup_time, '-1'::integer::bigint) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_longest_run_time ON GREATEST(longest_run_time, '-1'::integer::bigint) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_longest_setup_time ON GREATEST(longest_setup_time, '-1'::integer::bigint) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_run_time ON GREATEST(run_time, '-1'::integer::bigint) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_run_time_difference ON GREATEST(run_time_difference, '-9223372036854775808'::bigint) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_run_time_hours_over_plan ON GREATEST(run_time_hours_over_plan, '-9223372036854775808'::bigint) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_run_time_over_plan_percent ON GREATEST(run_time_over_plan_percent, '-9223372036854775808'::bigint) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_setup_time ON GREATEST(setup_time, '-1'::integer::bigint) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_setup_time_difference ON GREATEST(setup_time_difference, '-9223372036854775808'::bigint) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_setup_time_hours_over_plan ON GREATEST(setup_time_hours_over_plan, '-9223372036854775808'::bigint) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_setup_time_over_plan_percent ON GREATEST(setup_time_over_plan_percent, '-9223372036854775808'::bigint) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_shortest_cleanup_time ON GREATEST(shortest_cleanup_time, '-1'::integer::bigint) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_shortest_run_time ON GREATEST(shortest_run_time, '-1'::integer::bigint) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_shortest_setup_time ON GREATEST(shortest_setup_time, '-1'::integer::bigint) FROM takt.product_structure_versions;

-- Functions

CREATE OR REPLACE FUNCTION takt.acknowledge_alarm(alarm_id bigint, person text, words text)
 RETURNS boolean
 LANGUAGE sql
 STRICT SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  WITH acknowledged AS (
    UPDATE takt.alarms alarm
    SET acknowledged_at = now(), acknowledged_by = left(person, 200), acknowledgement = left(words, 500)
    WHERE alarm.alarm_id = acknowledge_alarm.alarm_id AND alarm.ended_at IS NULL
    RETURNING 1
  )
  SELECT EXISTS (SELECT FROM acknowledged)
$function$;

CREATE OR REPLACE FUNCTION takt.act_as(given_sha256 bytea)
 RETURNS boolean
 LANGUAGE sql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT count(set_config('takt.actor',
    CASE WHEN person.pid IS NULL THEN 'token ' || token.access_token_id
      ELSE concat_ws(' ', 'PID', person.pid, person.first_name, person.name) END, true)) = 1
  FROM takt.access_tokens token LEFT JOIN takt.users person USING (pid)
  WHERE token.token_sha256 = given_sha256
$function$;

CREATE OR REPLACE FUNCTION takt.add_to_figures(only_company integer, changes takt.figures_change[])
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  UPDATE takt.product_structure_versions AS figures SET
    number_of_completed_operations = figures.number_of_completed_operations + (run).count,
    run_time_sum = figures.run_time_sum + (run).sum,
    run_time_sum_of_squares = figures.run_time_sum_of_squares + (run).sum_of_squares,
    shortest_run_time = CASE WHEN known.lost_shortest_run THEN looked_up.shortest_run
      ELSE least(figures.shortest_run_time, (run).shortest_that_came * 1000000) END,
    longest_run_time = CASE WHEN known.lost_longest_run THEN looked_up.longest_run
      ELSE greatest(figures.longest_run_time, (run).longest_that_came * 1000000) END,
    setup_time_count = figures.setup_time_count + coalesce((setup).count, 0),
    setup_time_sum = figures.setup_time_sum + coalesce((setup).sum, 0),
    setup_time_sum_of_squares = figures.setup_time_sum_of_squares + coalesce((setup).sum_of_squares, 0),
    shortest_setup_time = CASE WHEN known.lost_shortest_setup THEN looked_up.shortest_setup
      ELSE least(figures.shortest_setup_time, (setup).shortest_that_came * 1000000) END,
    longest_setup_time = CASE WHEN known.lost_longest_setup THEN looked_up.longest_setup
      ELSE greatest(figures.longest_setup_time, (setup).longest_that_came * 1000000) END,
    cleanup_time_count = figures.cleanup_time_count + coalesce((cleanup).count, 0),
    cleanup_time_sum = figures.cleanup_time_sum + coalesce((cleanup).sum, 0),
    cleanup_time_sum_of_squares = figures.cleanup_time_sum_of_squares + coalesce((cleanup).sum_of_squares, 0),
    shortest_cleanup_time = CASE WHEN known.lost_shortest_cleanup THEN looked_up.shortest_cleanup
      ELSE least(figures.shortest_cleanup_time, (cleanup).shortest_that_came * 1000000) END,
    longest_cleanup_time = CASE WHEN known.lost_longest_cleanup THEN looked_up.longest_cleanup
      ELSE greatest(figures.longest_cleanup_time, (cleanup).longest_that_came * 1000000) END
  FROM unnest(changes) AS change
  CROSS JOIN LATERAL (
    SELECT stored.ctid AS place,
      takt.has_lost_shortest(run, stored.shortest_run_time) AS lost_shortest_run,
      takt.has_lost_longest(run, stored.longest_run_time) AS lost_longest_run,
      takt.has_lost_shortest(setup, stored.shortest_setup_time) AS lost_shortest_setup,
      takt.has_lost_longest(setup, stored.longest_setup_time) AS lost_longest_setup,
      takt.has_lost_shortest(cleanup, stored.shortest_cleanup_time) AS lost_shortest_cleanup,
      takt.has_lost_longest(cleanup, stored.longest_cleanup_time) AS lost_longest_cleanup
    FROM takt.product_structure_versions stored
    WHERE stored.company_id = coalesce(only_company, change.company_id)
      AND stored.product_structure_version_id = change.product_structure_version_id
    OFFSET 0
  ) AS known
  LEFT JOIN LATERAL (
    SELECT
      min(shortest_run_time) FILTER (WHERE known.lost_shortest_run) AS shortest_run,
      max(longest_run_time) FILTER (WHERE known.lost_longest_run) AS longest_run,
      min(shortest_setup_time) FILTER (WHERE known.lost_shortest_setup) AS shortest_setup,
      max(longest_setup_time) FILTER (WHERE known.lost_longest_setup) AS longest_setup,
      min(shortest_cleanup_time) FILTER (WHERE known.lost_shortest_cleanup) AS shortest_cleanup,
      max(longest_cleanup_time) FILTER (WHERE known.lost_longest_cleanup) AS longest_cleanup
    FROM takt.monthly_figures months
    WHERE months.company_id = coalesce(only_company, change.company_id)
      AND months.product_structure_version_id = change.product_structure_version_id
    HAVING known.lost_shortest_run OR known.lost_longest_run
      OR known.lost_shortest_setup OR known.lost_longest_setup
      OR known.lost_shortest_cleanup OR known.lost_longest_cleanup
  ) AS looked_up ON true
  WHERE figures.ctid = known.place AND (figures.company_id = only_company OR only_company IS NULL);
END $function$;

CREATE OR REPLACE FUNCTION takt.add_to_monthly_figures(only_company integer, changes takt.figures_change[], zone text)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  updated bigint;
  lost takt.figures_change[];
BEGIN
  WITH added AS (
    UPDATE takt.monthly_figures AS figures SET
      number_of_completed_operations = figures.number_of_completed_operations + (run).count,
      run_time_sum = figures.run_time_sum + (run).sum,
      run_time_sum_of_squares = figures.run_time_sum_of_squares + (run).sum_of_squares,
      shortest_run_time = least(figures.shortest_run_time, (run).shortest_that_came * 1000000),
      longest_run_time = greatest(figures.longest_run_time, (run).longest_that_came * 1000000),
      setup_time_count = figures.setup_time_count + coalesce((setup).count, 0),
      setup_time_sum = figures.setup_time_sum + coalesce((setup).sum, 0),
      setup_time_sum_of_squares = figures.setup_time_sum_of_squares + coalesce((setup).sum_of_squares, 0),
      shortest_setup_time = least(figures.shortest_setup_time, (setup).shortest_that_came * 1000000),
      longest_setup_time = greatest(figures.longest_setup_time, (setup).longest_that_came * 1000000),
      cleanup_time_count = figures.cleanup_time_count + coalesce((cleanup).count, 0),
      cleanup_time_sum = figures.cleanup_time_sum + coalesce((cleanup).sum, 0),
      cleanup_time_sum_of_squares = figures.cleanup_time_sum_of_squares + coalesce((cleanup).sum_of_squares, 0),
      shortest_cleanup_time = least(figures.shortest_cleanup_time, (cleanup).shortest_that_came * 1000000),
      longest_cleanup_time = greatest(figures.longest_cleanup_time, (cleanup).longest_that_came * 1000000),
      last_completed_at = greatest(figures.last_completed_at, change.last_that_came)
    FROM unnest(changes) AS change
    CROSS JOIN LATERAL (
      SELECT stored.ctid AS place
      FROM takt.monthly_figures stored
      WHERE stored.company_id = coalesce(only_company, change.company_id)
        AND stored.product_structure_version_id = change.product_structure_version_id
        AND stored.month = change.month
      OFFSET 0
    ) AS known
    WHERE figures.ctid = known.place AND (figures.company_id = only_company OR only_company IS NULL)
    RETURNING change,
      takt.has_lost_shortest(run, figures.shortest_run_time) OR takt.has_lost_longest(run, figures.longest_run_time)
      OR takt.has_lost_shortest(setup, figures.shortest_setup_time)
      OR takt.has_lost_longest(setup, figures.longest_setup_time)
      OR takt.has_lost_shortest(cleanup, figures.shortest_cleanup_time)
      OR takt.has_lost_longest(cleanup, figures.longest_cleanup_time)
      OR change.last_that_left >= figures.last_completed_at
        AND (change.last_that_came >= figures.last_completed_at) IS NOT TRUE AS has_lost
  )
  SELECT count(*), array_agg(change) FILTER (WHERE has_lost) INTO updated, lost FROM added;

  IF lost IS NOT NULL THEN
    PERFORM takt.look_up_monthly_extremes(only_company, lost, zone);
  END IF;
  IF updated < cardinality(changes) THEN
    -- A month that has no row yet has no extremes to lose.
    INSERT INTO takt.monthly_figures (company_id, product_structure_version_id, month,
      number_of_completed_operations, run_time_sum, run_time_sum_of_squares, shortest_run_time, longest_run_time,
      setup_time_count, setup_time_sum, setup_time_sum_of_squares, shortest_setup_time, longest_setup_time,
      cleanup_time_count, cleanup_time_sum, cleanup_time_sum_of_squares, shortest_cleanup_time, longest_cleanup_time,
      last_completed_at)
    SELECT change.company_id, change.product_structure_version_id, change.month,
      (run).count, (run).sum, (run).sum_of_squares,
      (run).shortest_that_came * 1000000, (run).longest_that_came * 1000000,
      coalesce((setup).count, 0), coalesce((setup).sum, 0), coalesce((setup).sum_of_squares, 0),
      (setup).shortest_that_came * 1000000, (setup).longest_that_came * 1000000,
      coalesce((cleanup).count, 0), coalesce((cleanup).sum, 0), coalesce((cleanup).sum_of_squares, 0),
      (cleanup).shortest_that_came * 1000000, (cleanup).longest_that_came * 1000000,
      change.last_that_came
    FROM unnest(changes) AS change
    WHERE (SELECT stored.company_id FROM takt.monthly_figures stored
      WHERE stored.company_id = coalesce(only_company, change.company_id)
        AND stored.product_structure_version_id = change.product_structure_version_id
        AND stored.month = change.month) IS NULL;
  END IF;
END $function$;

CREATE OR REPLACE FUNCTION takt.add_up_months(changes takt.figures_change[])
 RETURNS takt.figures_change[]
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF (SELECT min(month) = max(month) FROM unnest(changes)) THEN
    RETURN changes;
  END IF;
  RETURN array(
    SELECT (company_id, product_structure_version_id,
      (sum((run).count), sum((run).sum), sum((run).sum_of_squares),
        min((run).shortest_that_came), max((run).longest_that_came),
        min((run).shortest_that_left), max((run).longest_that_left))::takt.time_change,
      (sum((setup).count), sum((setup).sum), sum((setup).sum_of_squares),
        min((setup).shortest_that_came), max((setup).longest_that_came),
        min((setup).shortest_that_left), max((setup).longest_that_left))::takt.time_change,
      (sum((cleanup).count), sum((cleanup).sum), sum((cleanup).sum_of_squares),
        min((cleanup).shortest_that_came), max((cleanup).longest_that_came),
        min((cleanup).shortest_that_left), max((cleanup).longest_that_left))::takt.time_change,
      NULL, NULL, NULL)::takt.figures_change
    FROM unnest(changes)
    GROUP BY company_id, product_structure_version_id
    ORDER BY company_id, product_structure_version_id);
END $function$;

CREATE OR REPLACE FUNCTION takt.administer(given_sha256 bytea, change text, id bigint, companies integer[] DEFAULT NULL::integer[])
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  asker record;
  own integer[];
  was_found boolean;
BEGIN
  SELECT * INTO asker FROM takt.find_access_token(given_sha256);
  -- A token with a client is refused: the client would be limited to its permissions, but changing access is a duty of
  -- a person.
  IF asker.duties IS NULL OR asker.api_client_id IS NOT NULL OR NOT 'manage-access' = ANY (asker.duties) THEN
    RETURN 'not-allowed';
  END IF;
  -- Administrators cannot lock themselves out.
  IF change IN ('disable-person', 'set-person-companies') AND id = asker.pid THEN
    RETURN 'yourself';
  END IF;
  -- The row is locked before the check, so that a change of companies by somebody else cannot come between.
  IF change LIKE '%person%' THEN
    PERFORM FROM takt.users WHERE pid = id FOR UPDATE;
  ELSIF change LIKE '%-client' THEN
    PERFORM FROM takt.api_clients WHERE api_client_id = id FOR UPDATE;
  ELSE
    PERFORM FROM takt.token_families
    WHERE token_family_id = (SELECT token_family_id FROM takt.access_tokens WHERE access_token_id = id) FOR UPDATE;
    PERFORM FROM takt.access_tokens WHERE access_token_id = id FOR UPDATE;
  END IF;
  IF NOT FOUND THEN
    RETURN 'unknown';
  END IF;
  -- The asker may have lost rights or companies while this waited.
  SELECT * INTO asker FROM takt.find_access_token(given_sha256);
  IF asker.duties IS NULL OR NOT 'manage-access' = ANY (asker.duties) THEN
    RETURN 'not-allowed';
  END IF;
  IF NOT 'operate-all-companies' = ANY (asker.duties) THEN
    own := ARRAY(SELECT (listed ->> 'company_id')::integer FROM json_array_elements(asker.companies) AS listed);
    IF (takt.companies_concerned(change, id) <@ own) IS NOT TRUE OR NOT coalesce(companies, '{}') <@ own THEN
      RETURN 'other-companies';
    END IF;
  END IF;
  PERFORM takt.act_as(given_sha256);
  was_found := CASE change
    WHEN 'disable-person' THEN takt.disable_person(id::integer)
    WHEN 'enable-person' THEN takt.enable_person(id::integer)
    WHEN 'set-person-companies' THEN takt.set_user_companies(id::integer, companies)
    WHEN 'disable-client' THEN takt.disable_client(id::integer)
    WHEN 'enable-client' THEN takt.enable_client(id::integer)
    WHEN 'revoke-token' THEN takt.end_token(id, NULL)
  END;
  RETURN CASE WHEN was_found IS NOT TRUE THEN 'unknown' END;
END $function$;

CREATE OR REPLACE FUNCTION takt.alarm_names()
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT '{TaktNoWorker,TaktQueueAway,TaktNodeAway,TaktQueuePaused,TaktStuckJobs,TaktRejectedShare,TaktNothingApplied,TaktQueueOld,TaktLagGrows,TaktAuditDifferences}'::text[]
$function$;

CREATE OR REPLACE FUNCTION takt.all_by_number(events json)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT array[
    array_agg(CASE WHEN product_structure_version_id IS NOT NULL THEN '' END ORDER BY ordinality),
    array_agg(CASE WHEN work_order_id IS NOT NULL THEN '' END ORDER BY ordinality),
    array_agg(''::text ORDER BY ordinality)]
  FROM ROWS FROM (json_to_recordset(events) AS (product_structure_version_id bigint, work_order_id bigint)) WITH ORDINALITY
$function$;

CREATE OR REPLACE FUNCTION takt.apply_application_version_changes(databases text[], events json)
 RETURNS TABLE("position" integer, outcome text, is_conflict boolean)
 LANGUAGE sql
AS $function$
  SELECT * FROM takt.apply_application_version_changes(NULL, takt.find_companies(databases), events)
$function$;

CREATE OR REPLACE FUNCTION takt.apply_application_version_changes(only_company integer, companies integer[], events json)
 RETURNS TABLE("position" integer, outcome text, is_conflict boolean)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
DECLARE
  effective bigint[];
BEGIN
  WITH newest AS (
    SELECT DISTINCT ON (company, application_version_id) *
    FROM ROWS FROM (unnest(companies), json_populate_recordset(NULL::takt.application_versions, events))
      WITH ORDINALITY AS event (company)
    WHERE company IS NOT NULL
    ORDER BY company, application_version_id, changed_at DESC, ordinality
  ), written AS (
    INSERT INTO takt.application_versions AS known
    SELECT company, application_version_id, application_id, changed_at,
      status, type, name, descriptive_name, description, namespace, master_url, lookup_key, lookup_priority,
      content_type, change_description, created_at, created_by_user_id, created_by_first_name, created_by_name,
      restricted_to_company_id, restricted_to_database, permission_id, permission_name, scope, is_changed,
      changed_by_user_id, changed_by_first_name, changed_by_name, is_pending_deployment, field_order
    FROM newest
    ORDER BY company, application_version_id
    ON CONFLICT (company_id, application_version_id) DO UPDATE SET
      application_id = excluded.application_id, changed_at = excluded.changed_at, status = excluded.status,
      type = excluded.type, name = excluded.name, descriptive_name = excluded.descriptive_name,
      description = excluded.description, namespace = excluded.namespace, master_url = excluded.master_url,
      lookup_key = excluded.lookup_key, lookup_priority = excluded.lookup_priority,
      content_type = excluded.content_type, change_description = excluded.change_description,
      created_at = excluded.created_at, created_by_user_id = excluded.created_by_user_id,
      created_by_first_name = excluded.created_by_first_name, created_by_name = excluded.created_by_name,
      restricted_to_company_id = excluded.restricted_to_company_id,
      restricted_to_database = excluded.restricted_to_database, permission_id = excluded.permission_id,
      permission_name = excluded.permission_name, scope = excluded.scope, is_changed = excluded.is_changed,
      changed_by_user_id = excluded.changed_by_user_id, changed_by_first_name = excluded.changed_by_first_name,
      changed_by_name = excluded.changed_by_name, is_pending_deployment = excluded.is_pending_deployment,
      field_order = excluded.field_order
    WHERE known.changed_at < excluded.changed_at OR known.changed_at > takt.impossible_from()
    RETURNING new.company_id, new.application_version_id
  )
  -- A subquery in the condition of an aggregate is hashed. A join of newest and written would compare all rows with all,
  -- because the planner expects a single row in each.
  SELECT array_agg(ordinality) FILTER (WHERE
    (company, application_version_id) IN (SELECT company_id, application_version_id FROM written))
  INTO effective
  FROM newest;

  IF effective IS NOT NULL THEN
    PERFORM takt.note_changes(array_remove(companies, NULL));
  END IF;

  RETURN QUERY
  SELECT (ordinality - 1)::integer,
    CASE WHEN company IS NULL THEN 'unknown-company' WHEN compared.is_same THEN 'duplicate' ELSE 'stale' END,
    compared.is_same IS FALSE
  FROM ROWS FROM (unnest(companies), json_populate_recordset(NULL::takt.application_versions, events))
    WITH ORDINALITY AS event (company)
  -- True if the stored row has the same content; null unless both changed at the same instant.
  LEFT JOIN LATERAL (
    SELECT to_jsonb(known) - 'company_id' = to_jsonb(event) - '{company,company_id,ordinality}'::text[] AS is_same
    FROM takt.application_versions known
    WHERE known.company_id = coalesce(only_company, event.company)
      AND known.application_version_id = event.application_version_id AND known.changed_at = event.changed_at
    OFFSET 0
  ) AS compared ON true
  WHERE ordinality NOT IN (SELECT unnest(effective))
  ORDER BY ordinality;
END $function$;

CREATE OR REPLACE FUNCTION takt.apply_product_structure_version_changes(databases text[], events json)
 RETURNS TABLE("position" integer, outcome text, is_conflict boolean, misnamed text)
 LANGUAGE sql
AS $function$
  SELECT * FROM takt.apply_product_structure_version_changes(NULL, takt.find_companies(databases), events)
$function$;

CREATE OR REPLACE FUNCTION takt.apply_product_structure_version_changes(only_company integer, companies integer[], events json)
 RETURNS TABLE("position" integer, outcome text, is_conflict boolean, misnamed text)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_indexscan TO 'off'
AS $function$
#variable_conflict use_column
DECLARE
  changes takt.product_structure_version_change[] :=
    array(SELECT change FROM json_populate_recordset(NULL::takt.product_structure_version_change, events) AS change);
  kinds CONSTANT text[] := '{product,version}';
  keys text[] := array[
    array(SELECT coalesce(product_key, CASE WHEN product_id IS NOT NULL THEN '' END)
      FROM unnest(changes) WITH ORDINALITY ORDER BY ordinality),
    array(SELECT coalesce(product_structure_version_key, CASE WHEN product_structure_version_id IS NOT NULL THEN '' END)
      FROM unnest(changes) WITH ORDINALITY ORDER BY ordinality)];
  named record;
  wrongly_named text[];
  contradicting bigint[];
  written bigint[];
  listed integer[];
  unlisted integer[];
  is_changed boolean;
BEGIN
  IF '' <> ANY (keys) THEN
    PERFORM takt.decide_naming(only_company, companies, kinds, keys);
  ELSE
    PERFORM takt.share_months(companies);
  END IF;
  IF '' <> ANY (keys) OR EXISTS (
    SELECT FROM takt.key_counters WHERE company_id = ANY (companies) AND kind = ANY (kinds)
  ) THEN
    named := takt.number_objects(only_company, companies, kinds, keys);
    wrongly_named := named.misnamed;
    companies := takt.without_misnamed(companies, wrongly_named);
    FOR place IN 1 .. cardinality(changes) LOOP
      changes[place].product_id := coalesce(named.numbers[1][place], changes[place].product_id);
      changes[place].product_structure_version_id :=
        coalesce(named.numbers[2][place], changes[place].product_structure_version_id);
    END LOOP;
  END IF;

  INSERT INTO takt.products AS known (company_id, product_id, product_key, status, name, type, description, changed_at)
  SELECT DISTINCT ON (company_id, product_id)
    company_id, product_id, product_key, product_status, product_name, product_type, product_description, changed_at
  FROM unnest(companies, changes) WITH ORDINALITY AS change (company_id)
  WHERE company_id IS NOT NULL AND product_id IS NOT NULL
  ORDER BY company_id, product_id, changed_at DESC, ordinality
  ON CONFLICT (company_id, product_id) DO UPDATE SET
    status = excluded.status, name = excluded.name, type = excluded.type,
    description = excluded.description, changed_at = excluded.changed_at
  WHERE known.changed_at < excluded.changed_at OR known.changed_at > takt.impossible_from();
  is_changed := FOUND;

  -- The rows of all these products are locked now.
  contradicting := array(
    SELECT ordinality
    FROM unnest(companies, changes) WITH ORDINALITY AS change (company_id)
    CROSS JOIN LATERAL (
      SELECT product.* FROM takt.products product
      WHERE product.company_id = coalesce(only_company, change.company_id) AND product.product_id = change.product_id
        AND product.changed_at = change.changed_at
      OFFSET 0
    ) AS known
    WHERE change.company_id IS NOT NULL
      AND (known.status, known.name, known.type, known.description)
        IS DISTINCT FROM (product_status, product_name, product_type, product_description));

  -- Locks the rows of the batch, and the rows that contain a copy of a product name which may have changed.
  PERFORM takt.lock_figures(only_company, array(
    SELECT (company_id, product_structure_version_id, NULL, NULL, NULL, NULL, NULL, NULL)::takt.figures_change
    FROM (
      SELECT company_id, product_structure_version_id
      FROM unnest(companies, changes) WITH ORDINALITY AS change (company_id)
      WHERE company_id IS NOT NULL AND ordinality NOT IN (SELECT unnest(contradicting))
      UNION
      SELECT company_id, listed.product_structure_version_id
      FROM (SELECT DISTINCT company_id, product_id FROM unnest(companies, changes) AS change (company_id)) AS product
      CROSS JOIN LATERAL (
        SELECT product_structure_version_id FROM takt.product_structure_versions version
        WHERE version.company_id = coalesce(only_company, product.company_id) AND version.product_id = product.product_id
          AND version.changed_at IS NOT NULL
        OFFSET 0
      ) AS listed
    ) AS key
    ORDER BY company_id, product_structure_version_id));

  WITH newest AS (
    SELECT DISTINCT ON (company_id, product_structure_version_id) *
    FROM unnest(companies, changes) WITH ORDINALITY AS change (company_id)
    WHERE company_id IS NOT NULL AND ordinality NOT IN (SELECT unnest(contradicting))
    ORDER BY company_id, product_structure_version_id, changed_at DESC, ordinality
  ), updated AS (
    UPDATE takt.product_structure_versions AS listed SET
      changed_at = CASE WHEN newest.product_id IS NOT NULL THEN newest.changed_at END,
      removed_at = CASE WHEN newest.product_id IS NULL THEN newest.changed_at END,
      product_name = CASE WHEN newest.product_id IS NOT NULL THEN listed.product_name END, status = newest.status, name = newest.name, version = newest.version,
      revision = newest.revision, product_id = newest.product_id, product_key = newest.product_key, run_time = newest.run_time * 1000000,
      setup_time = newest.setup_time * 1000000, cleanup_time = newest.cleanup_time * 1000000
    FROM newest CROSS JOIN LATERAL (
      SELECT version.ctid AS place FROM takt.product_structure_versions version
      WHERE version.company_id = coalesce(only_company, newest.company_id)
        AND version.product_structure_version_id = newest.product_structure_version_id
        AND (coalesce(version.changed_at, version.removed_at) < newest.changed_at IS NOT FALSE
          OR coalesce(version.changed_at, version.removed_at) > takt.impossible_from())
      OFFSET 0
    ) AS known
    WHERE listed.ctid = known.place AND (listed.company_id = only_company OR only_company IS NULL)
    RETURNING newest.ordinality, newest.company_id,
      old.changed_at IS NULL AND new.changed_at IS NOT NULL AS is_listed,
      old.changed_at IS NOT NULL AND new.changed_at IS NULL AS is_unlisted
  )
  SELECT coalesce(array_agg(ordinality), '{}'), coalesce(array_agg(company_id) FILTER (WHERE is_listed), '{}'),
    coalesce(array_agg(company_id) FILTER (WHERE is_unlisted), '{}')
  INTO written, listed, unlisted
  FROM updated;
  is_changed := is_changed OR written <> '{}';

  UPDATE takt.product_structure_versions AS listed SET product_name = known.product_name
  FROM (SELECT DISTINCT company_id, product_id FROM unnest(companies, changes) AS change (company_id)) AS key
  CROSS JOIN LATERAL (
    SELECT version.ctid AS place, product.name AS product_name
    FROM takt.products product, takt.product_structure_versions version
    WHERE product.company_id = coalesce(only_company, key.company_id) AND product.product_id = key.product_id
      AND version.company_id = coalesce(only_company, key.company_id) AND version.product_id = key.product_id
      AND version.changed_at IS NOT NULL
      AND version.product_name IS DISTINCT FROM product.name
    OFFSET 0
  ) AS known
  WHERE listed.ctid = known.place AND (listed.company_id = only_company OR only_company IS NULL);
  is_changed := is_changed OR FOUND;

  -- All rows that were written above belong to these products, and so do all rows with a copy of a new name.
  INSERT INTO takt.structure_version_texts (company_id, product_structure_version_id, folded)
  SELECT key.company_id, searched.id, searched.folded
  FROM (SELECT DISTINCT company_id, product_id FROM unnest(companies, changes) AS change (company_id)) AS key
  CROSS JOIN LATERAL (
    SELECT version.product_structure_version_id AS id,
      takt.searched_text(version.product_name, version.name, version.product_id, version.product_structure_version_id,
        version.product_key, version.product_structure_version_key) AS folded
    FROM takt.product_structure_versions version
    WHERE version.company_id = coalesce(only_company, key.company_id) AND version.product_id = key.product_id
      AND version.changed_at IS NOT NULL
    OFFSET 0
  ) AS searched
  WHERE (SELECT known.folded FROM takt.structure_version_texts known
    WHERE known.company_id = coalesce(only_company, key.company_id) AND known.product_structure_version_id = searched.id)
    IS DISTINCT FROM searched.folded
  ON CONFLICT (company_id, product_structure_version_id) DO UPDATE SET folded = excluded.folded;

  is_changed := is_changed OR FOUND;

  IF unlisted <> '{}' THEN
    DELETE FROM takt.structure_version_texts AS known
    USING unnest(companies, changes) WITH ORDINALITY AS change (company_id)
    WHERE known.company_id = change.company_id AND (known.company_id = only_company OR only_company IS NULL)
      AND known.product_structure_version_id = change.product_structure_version_id
      AND change.product_id IS NULL AND ordinality = ANY (written);
  END IF;

  IF is_changed THEN
    PERFORM takt.note_changes(array_remove(companies, NULL), listed, unlisted);
  END IF;

  RETURN QUERY
  SELECT (ordinality - 1)::integer,
    CASE
      WHEN change.misnamed_kind IS NOT NULL THEN 'stale'
      WHEN change.company_id IS NULL THEN 'unknown-company'
      WHEN compared.is_same THEN 'duplicate'
      ELSE 'stale'
    END,
    change.misnamed_kind IS NOT NULL
      OR change.company_id IS NOT NULL AND (ordinality IN (SELECT unnest(contradicting)) OR compared.is_same IS FALSE),
    change.misnamed_kind
  FROM ROWS FROM (unnest(companies), unnest(wrongly_named), unnest(changes)) WITH ORDINALITY
    AS change (company_id, misnamed_kind)
  -- True if the structure version has the same content; null unless both changed at the same instant.
  LEFT JOIN LATERAL (
    SELECT (known.status, known.name, known.version, known.revision, known.product_id,
        known.run_time, known.setup_time, known.cleanup_time)
      IS NOT DISTINCT FROM (change.status, change.name, change.version, change.revision, change.product_id,
        change.run_time * 1000000, change.setup_time * 1000000, change.cleanup_time * 1000000) AS is_same
    FROM takt.product_structure_versions known
    WHERE known.company_id = coalesce(only_company, change.company_id)
      AND known.product_structure_version_id = change.product_structure_version_id
      AND coalesce(known.changed_at, known.removed_at) = change.changed_at AND ordinality NOT IN (SELECT unnest(contradicting))
      AND change.misnamed_kind IS NULL
    OFFSET 0
  ) AS compared ON true
  WHERE ordinality NOT IN (SELECT unnest(written))
  ORDER BY ordinality;
END $function$;

CREATE OR REPLACE FUNCTION takt.apply_work_order_operation_events(databases text[], events json)
 RETURNS TABLE("position" integer, outcome text, pruned_before date)
 LANGUAGE sql
AS $function$
  SELECT * FROM takt.apply_work_order_operation_events(NULL, takt.find_companies(databases), events)
$function$;

CREATE OR REPLACE FUNCTION takt.apply_work_order_operation_events(only_company integer, companies integer[], events json)
 RETURNS TABLE("position" integer, outcome text, pruned_before date)
 LANGUAGE sql
AS $function$
  SELECT "position", outcome, pruned_before
  FROM takt.apply_work_order_operation_events(only_company, companies, events, NULL)
$function$;

CREATE OR REPLACE FUNCTION takt.apply_work_order_operation_events(only_company integer, companies integer[], events json, keys text[])
 RETURNS TABLE("position" integer, outcome text, pruned_before date, misnamed text)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
DECLARE
  kinds CONSTANT text[] := '{version,order,operation}';
  writable integer[] := companies;
  named record;
  numbers bigint[];
  wrongly_named text[];
  zone text;
  pruned bigint[];
  written record;
  totals takt.figures_change[];
BEGIN
  IF keys IS NULL THEN
    PERFORM takt.share_months(companies);
  ELSE
    PERFORM takt.decide_naming(only_company, companies, kinds, keys);
  END IF;
  zone := takt.only_time_zone(companies);
  IF keys IS NOT NULL OR EXISTS (
    SELECT FROM takt.key_counters WHERE company_id = ANY (companies) AND kind = ANY (kinds)
  ) THEN
    named := takt.number_objects(only_company, companies, kinds, coalesce(keys, takt.all_by_number(events)));
    numbers := named.numbers;
    wrongly_named := named.misnamed;
    writable := takt.without_misnamed(companies, wrongly_named);
  END IF;
  IF EXISTS (SELECT FROM takt.prunings WHERE company_id = ANY (companies)) THEN
    pruned := takt.find_pruned(only_company, writable, events, numbers[3:3]);
    writable := takt.without_pruned(writable, pruned);
  END IF;
  written := takt.write_to_ledger(writable, events, numbers, keys, zone);
  totals := CASE cardinality(written.changes) WHEN 1 THEN written.changes ELSE takt.add_up_months(written.changes) END;
  PERFORM takt.lock_figures(only_company, totals);
  PERFORM takt.add_to_monthly_figures(only_company, written.changes, zone);
  PERFORM takt.add_to_figures(only_company, totals);
  PERFORM takt.note_changes(array(SELECT company_id FROM unnest(totals)));
  IF cardinality(written.written_operations) IS DISTINCT FROM cardinality(companies) THEN
    RETURN QUERY SELECT * FROM takt.explain_ineffective_events(only_company, companies, events, numbers, wrongly_named,
      written.written_companies, written.written_operations, pruned);
  END IF;
END $function$;

CREATE OR REPLACE FUNCTION takt.are_few_keys(named_kind text, pattern text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE STRICT SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ SELECT count(*) <= 1000 FROM takt.match_keys(named_kind, pattern, 1001) $function$;

CREATE OR REPLACE FUNCTION takt.are_few_products(pattern text)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE STRICT SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
DECLARE
  company integer := takt.session_company();
BEGIN
  RETURN (
    SELECT count(*) <= 1000 FROM (
      SELECT FROM takt.products
      WHERE company_id = company AND (folded_name LIKE pattern AND folded_name IS NFC NORMALIZED
        OR folded_name IS NOT NFC NORMALIZED AND normalize(folded_name) LIKE pattern)
      LIMIT 1001
    ) AS found
  );
END $function$;

CREATE OR REPLACE FUNCTION takt.are_few_structure_versions(patterns text[])
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE STRICT SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
DECLARE
  company integer := takt.session_company();
BEGIN
  RETURN (
    SELECT count(*) <= 1000 FROM (
      SELECT FROM takt.structure_version_texts
      WHERE company_id = company AND folded LIKE ALL (patterns)
        AND folded LIKE patterns[1] AND folded LIKE coalesce(patterns[2], '%')
        AND folded LIKE coalesce(patterns[3], '%') AND folded LIKE coalesce(patterns[4], '%')
      LIMIT 1001
    ) AS found
  );
END $function$;

CREATE OR REPLACE FUNCTION takt.audit_subject(kind text, id text, stored jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT concat_ws(' ', kind, id, stored ->> 'first_name', stored ->> 'name')
$function$;

CREATE OR REPLACE FUNCTION takt.average_microhours(n bigint, total numeric)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (n > 0) THEN (div((((2000000)::numeric * total) + (n)::numeric), ((2 * n))::numeric))::bigint ELSE NULL::bigint END;

CREATE OR REPLACE FUNCTION takt.begin_set_up(code_sha256 bytea, secret_sha256 bytea)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  UPDATE takt.access_tokens SET token_sha256 = secret_sha256, description = 'set-up-begun',
    expires_at = now() + interval '30 minutes'
  WHERE token_sha256 = code_sha256 AND takt.may_set_up(code_sha256, 'set-up');
  RETURN FOUND;
END $function$;

CREATE OR REPLACE FUNCTION takt.begin_time_zone(company integer, zone text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM takt.lock_months(company);
  IF takt.time_zone_of(company, 0) = zone THEN
    RETURN;
  END IF;
  INSERT INTO takt.month_zones AS known VALUES (company, zone, 'UTC', 0)
  ON CONFLICT (company_id) DO UPDATE SET
    time_zone = excluded.time_zone, time_zone_before = known.time_zone, rebuilt_to = 0
  WHERE known.rebuilt_to IS NULL;
  IF FOUND THEN
    PERFORM takt.note_changes(array[company]);
  END IF;
END $function$;

CREATE OR REPLACE FUNCTION takt.begin_token_family(client integer, person integer)
 RETURNS bigint
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  made bigint;
BEGIN
  INSERT INTO takt.token_families (api_client_id, pid, expires_at)
  VALUES (client, person, now() + interval '30 days')
  RETURNING token_family_id INTO made;
  DELETE FROM takt.token_families WHERE token_family_id IN (
    SELECT token_family_id FROM takt.token_families WHERE token_family_id IN (
      SELECT token_family_id FROM takt.token_families WHERE pid = person AND api_client_id = client
      ORDER BY revoked_at IS NOT NULL, expires_at DESC, token_family_id DESC OFFSET 100)
    FOR UPDATE SKIP LOCKED);
  RETURN made;
END $function$;

CREATE OR REPLACE FUNCTION takt.bounded_microhours(microhours numeric)
 RETURNS bigint
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
BEGIN
  RETURN greatest(least(microhours, 9000000000000000000), -9000000000000000000);
END $function$;

CREATE OR REPLACE FUNCTION takt.ceiling_microhours(hours numeric)
 RETURNS bigint
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
BEGIN
  RETURN ceil(least(greatest(hours, -1000000000000), 1000000000000) * 1000000);
END $function$;

CREATE OR REPLACE FUNCTION takt.ceiling_units(value numeric, decimals integer)
 RETURNS bigint
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
BEGIN
  RETURN ceil(least(greatest(value * 10::numeric ^ decimals, -9223372036854775807), 9223372036854775807));
END $function$;

CREATE OR REPLACE FUNCTION takt.change_password(person integer, new_password takt.slow_hash)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  UPDATE takt.users SET password = new_password WHERE pid = person;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM takt.end_grants(person, NULL);
  RETURN true;
END $function$;

CREATE OR REPLACE FUNCTION takt.change_view(given_sha256 bytea, company text, view_id bigint, shared boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  asker record;
  is_found boolean;
BEGIN
  SELECT * INTO asker FROM takt.person_in_company(given_sha256, company);
  IF shared IS NULL THEN
    DELETE FROM takt.saved_views AS known
    WHERE known.company_id = asker.company_id AND known.pid = asker.pid AND known.saved_view_id = view_id;
  ELSE
    UPDATE takt.saved_views AS known SET is_shared = shared
    WHERE known.company_id = asker.company_id AND known.pid = asker.pid AND known.saved_view_id = view_id;
  END IF;
  is_found := FOUND;
  PERFORM takt.note_changes(ARRAY[asker.company_id]) WHERE is_found;
  RETURN is_found;
END $function$;

CREATE OR REPLACE FUNCTION takt.check_client(client integer, given_sha256 bytea)
 RETURNS TABLE(is_right boolean, salt bytea, cost integer, block_size integer, parallelization integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 1
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT takt.is_client(client, given_sha256), (slow.hash).salt, (slow.hash).cost, (slow.hash).block_size,
    (slow.hash).parallelization
  FROM (SELECT) AS always
  LEFT JOIN (
    SELECT known.secret AS hash FROM takt.api_clients known
    WHERE known.api_client_id = client AND known.disabled_at IS NULL AND known.secret_sha256 IS NULL
      AND given_sha256 IS NOT NULL
  ) slow ON true
$function$;

CREATE OR REPLACE FUNCTION takt.companies_concerned(change text, id bigint)
 RETURNS integer[]
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT CASE
    WHEN change LIKE '%-client' AND EXISTS (SELECT FROM takt.api_clients client WHERE client.api_client_id = id
      AND 'operate-all-companies' = ANY (takt.duties_with_roles(client.duties, client.roles))) THEN NULL
    WHEN change LIKE '%-client' THEN (
      SELECT array_agg(own.company_id) FROM takt.api_client_companies own WHERE own.api_client_id = id)
    WHEN change = 'revoke-token' THEN takt.companies_of_token(id)
    WHEN EXISTS (SELECT FROM takt.users person
      WHERE person.pid = id AND 'operate-all-companies' = ANY (takt.duties_with_roles(person.duties, person.roles))) THEN NULL
    ELSE (SELECT array_agg(own.company_id) FROM takt.user_companies own WHERE own.pid = id)
  END
$function$;

CREATE OR REPLACE FUNCTION takt.companies_in_common(client integer, person integer)
 RETURNS TABLE(ordinal integer, company_id integer)
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT row_number() OVER (ORDER BY own.ordinal)::integer, own.company_id
  FROM (
    SELECT of_user.ordinal, of_user.company_id FROM takt.user_companies of_user WHERE of_user.pid = person
    UNION ALL
    SELECT of_client.ordinal, of_client.company_id FROM takt.api_client_companies of_client
    WHERE person IS NULL AND of_client.api_client_id = client
  ) own
  JOIN takt.companies company USING (company_id)
  WHERE company.disabled_at IS NULL AND (client IS NULL OR takt.is_for_company(client, own.company_id))
$function$;

CREATE OR REPLACE FUNCTION takt.companies_of_token(id bigint)
 RETURNS integer[]
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  WITH ending AS (
    SELECT token.* FROM takt.access_tokens given JOIN takt.access_tokens token
      ON token.access_token_id = given.access_token_id OR token.token_family_id = given.token_family_id
    WHERE given.access_token_id = id
  )
  SELECT CASE
    WHEN EXISTS (
      SELECT FROM ending LEFT JOIN takt.users person USING (pid) LEFT JOIN takt.api_clients client USING (api_client_id)
      WHERE (ending.duties IS NULL OR 'operate-all-companies' = ANY (ending.duties))
        AND coalesce('operate-all-companies' = ANY (CASE
          WHEN ending.pid IS NOT NULL THEN takt.duties_with_roles(person.duties, person.roles)
          WHEN ending.api_client_id IS NOT NULL THEN takt.duties_with_roles(client.duties, client.roles)
        END), true)) THEN NULL
    ELSE (
      SELECT array_agg(company_id) FROM (
        SELECT listed.company_id FROM ending JOIN takt.access_token_companies listed USING (access_token_id)
        UNION
        SELECT own.company_id FROM ending JOIN takt.user_companies own USING (pid)) AS all_of_them)
  END
$function$;

CREATE OR REPLACE FUNCTION takt.company_codes(person integer, client integer)
 RETURNS text[]
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT coalesce(array_agg(company.code ORDER BY own.ordinal), '{}')
  FROM (
    SELECT ordinal, company_id FROM takt.user_companies WHERE pid = person
    UNION ALL
    SELECT ordinal, company_id FROM takt.api_client_companies WHERE api_client_id = client
  ) own
  JOIN takt.companies company USING (company_id)
$function$;

CREATE OR REPLACE FUNCTION takt.count_structure_versions(patterns text[])
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE STRICT SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
DECLARE
  company integer := takt.session_company();
BEGIN
  RETURN (
    SELECT count(*) FROM takt.structure_version_texts
    WHERE company_id = company AND folded LIKE ALL (patterns)
      AND folded LIKE patterns[1] AND folded LIKE coalesce(patterns[2], '%')
      AND folded LIKE coalesce(patterns[3], '%') AND folded LIKE coalesce(patterns[4], '%')
  );
END $function$;

CREATE OR REPLACE FUNCTION takt.decide_naming(only_company integer, companies integer[], kinds text[], keys text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  -- Usually all kinds are decided for keys.
  IF (SELECT count(*) FROM takt.key_counters WHERE company_id = ANY (companies) AND kind = ANY (kinds))
      = cardinality(kinds) * (SELECT count(DISTINCT company) FROM unnest(companies) AS company)
    OR NOT takt.walk_naming(only_company, companies, kinds, keys, false)
  THEN
    PERFORM takt.share_months(companies);
    RETURN;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('takt months'), months.place)
  FROM (SELECT DISTINCT company % 64 AS place FROM unnest(companies) AS company ORDER BY place) AS months
  WHERE months.place IS NOT NULL;
  PERFORM takt.walk_naming(only_company, companies, kinds, keys, true);
END $function$;

CREATE OR REPLACE FUNCTION takt.differs_from_plan(average bigint, planned bigint, threshold numeric)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT abs(average - planned) * 100 >= planned * threshold
$function$;

CREATE OR REPLACE FUNCTION takt.differs_from_plan(over_plan bigint, n bigint, planned bigint, threshold numeric)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT abs(over_plan::numeric) * 100 >= n::numeric * planned * threshold
$function$;

CREATE OR REPLACE FUNCTION takt.disable_client(client integer)
 RETURNS boolean
 LANGUAGE plpgsql
 STRICT
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  UPDATE takt.api_clients SET disabled_at = least(disabled_at, now()) WHERE api_client_id = client;
  RETURN FOUND;
END $function$;

CREATE OR REPLACE FUNCTION takt.disable_person(person integer)
 RETURNS boolean
 LANGUAGE plpgsql
 STRICT
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  UPDATE takt.users SET disabled_at = least(disabled_at, now()) WHERE pid = person;
  RETURN FOUND;
END $function$;

CREATE OR REPLACE FUNCTION takt.distribution_of_times(company integer, structure_version bigint, kind text)
 RETURNS TABLE(company_id integer, product_structure_version_id bigint, reported bigint, pruned bigint, percentiles bigint[], bins json)
 LANGUAGE sql
 STABLE
AS $function$
  SELECT * FROM takt.distribution_of_times(company, structure_version, kind, '0001-01-01', '9999-12-01')
$function$;

CREATE OR REPLACE FUNCTION takt.distribution_of_times(company integer, structure_version bigint, kind text, first_month date, last_month date)
 RETURNS TABLE(company_id integer, product_structure_version_id bigint, reported bigint, pruned bigint, percentiles bigint[], bins json)
 LANGUAGE plpgsql
 STABLE
AS $function$
#variable_conflict use_column
DECLARE
  zone text := takt.time_zone_of(company, structure_version);
  times bigint[];
  known bigint;
  in_figures bigint;
  quartiles bigint[];
  reach bigint;
  width bigint;
  first bigint;
  borders bigint[];
  below bigint[];
BEGIN
  PERFORM FROM takt.product_structure_versions
    WHERE company_id = company AND product_structure_version_id = structure_version AND changed_at IS NOT NULL;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  SELECT coalesce(sum(CASE kind WHEN 'run' THEN number_of_completed_operations WHEN 'setup' THEN setup_time_count
      ELSE cleanup_time_count END), 0)
    INTO in_figures
    FROM takt.monthly_figures
    WHERE company_id = company AND product_structure_version_id = structure_version
      AND month BETWEEN first_month AND last_month;
  SELECT array_agg(time ORDER BY time) INTO times
  FROM (
    SELECT (CASE kind WHEN 'run' THEN run_time WHEN 'setup' THEN setup_time ELSE cleanup_time END * 1000000)::bigint AS time
    FROM takt.work_order_operations
    WHERE company_id = company AND product_structure_version_id = structure_version
      AND changed_at >= (first_month - interval '1 day') AT TIME ZONE 'UTC'
      AND changed_at < (last_month + interval '1 month 1 day') AT TIME ZONE 'UTC'
      AND takt.month_of(changed_at, zone) BETWEEN first_month AND last_month
  ) AS reported_or_not
  WHERE time IS NOT NULL;
  known := coalesce(cardinality(times), 0);
  IF known = 0 THEN
    RETURN QUERY SELECT company, structure_version, 0::bigint, in_figures, array_fill(NULL::bigint, ARRAY[5]), '[]'::json;
    RETURN;
  END IF;

  quartiles := array(
    SELECT (times[below + 1] * (100 - rest) + times[least(below + 2, known)] * rest + 50) / 100
    FROM unnest(ARRAY[10, 25, 50, 75, 90]) WITH ORDINALITY AS asked (percent, place),
      LATERAL (SELECT percent * (known - 1) / 100 AS below, percent * (known - 1) % 100 AS rest) AS nearest
    ORDER BY place);

  reach := times[known];
  IF quartiles[4] > quartiles[2] THEN
    reach := least(reach, quartiles[4] + 3 * (quartiles[4] - quartiles[2]));
  END IF;
  -- Borders are multiples of the width, and the first of the 30 bins may begin below the shortest time. So 29 widths
  -- must be enough to reach the longest time.
  width := takt.round_width(greatest(2 * (quartiles[4] - quartiles[2]) / cbrt(known), (reach - times[1]) / 29.0, 1));
  first := times[1] / width * width;
  borders := array(SELECT first + width * step FROM generate_series(0, (reach - first) / width) AS step);
  below := array(SELECT width_bucket(border - 1, times) FROM unnest(borders) WITH ORDINALITY AS one (border, place) ORDER BY place);

  RETURN QUERY SELECT company, structure_version, known, in_figures - known, quartiles, (
    SELECT json_agg(json_build_array(border * 0.000001,
      CASE WHEN place < cardinality(borders) OR times[known] < border + width THEN (border + width) * 0.000001 END,
      coalesce(below[place + 1], known) - below[place]) ORDER BY place)
    FROM unnest(borders) WITH ORDINALITY AS one (border, place));
END $function$;

CREATE OR REPLACE FUNCTION takt.duties_with_roles(own_duties text[], held_roles text[])
 RETURNS text[]
 LANGUAGE sql
 STABLE STRICT
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT ARRAY(
    SELECT unnest(own_duties)
    UNION SELECT unnest(role.duties) FROM takt.roles role WHERE role.role = ANY (held_roles)
    ORDER BY 1)
$function$;

CREATE OR REPLACE FUNCTION takt.enable_client(client integer)
 RETURNS boolean
 LANGUAGE plpgsql
 STRICT
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM FROM takt.api_clients WHERE api_client_id = client AND disabled_at IS NOT NULL FOR UPDATE;
  IF FOUND THEN
    PERFORM takt.end_grants(NULL, client);
    UPDATE takt.access_tokens SET revoked_at = now() WHERE api_client_id = client AND revoked_at IS NULL;
  END IF;
  UPDATE takt.api_clients SET disabled_at = NULL WHERE api_client_id = client;
  RETURN FOUND;
END $function$;

CREATE OR REPLACE FUNCTION takt.enable_person(person integer)
 RETURNS boolean
 LANGUAGE plpgsql
 STRICT
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM FROM takt.users WHERE pid = person AND disabled_at IS NOT NULL FOR UPDATE;
  IF FOUND THEN
    PERFORM takt.end_grants(person, NULL);
    UPDATE takt.access_tokens SET revoked_at = now() WHERE pid = person AND revoked_at IS NULL;
  END IF;
  UPDATE takt.users SET disabled_at = NULL WHERE pid = person;
  RETURN FOUND;
END $function$;

CREATE OR REPLACE FUNCTION takt.end_grants(person integer, client integer)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  DELETE FROM takt.authorization_codes WHERE (pid = person OR api_client_id = client) AND used_at IS NULL;
  UPDATE takt.token_families SET revoked_at = now()
  WHERE (pid = person OR api_client_id = client) AND revoked_at IS NULL;
  UPDATE takt.access_tokens SET revoked_at = now()
  WHERE (pid = person OR api_client_id = client) AND (kind IN ('page', 'client') OR token_family_id IS NOT NULL)
    AND revoked_at IS NULL;
END $function$;

CREATE OR REPLACE FUNCTION takt.end_grants_of_client()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF NOT takt.duties_with_roles(OLD.duties, OLD.roles) <@ takt.duties_with_roles(NEW.duties, NEW.roles)
    OR NOT OLD.permissions <@ NEW.permissions OR OLD.disabled_at IS NOT NULL AND NEW.disabled_at IS NULL THEN
    PERFORM takt.end_grants(NULL, NEW.api_client_id);
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION takt.end_grants_of_person()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF NOT takt.duties_with_roles(OLD.duties, OLD.roles) <@ takt.duties_with_roles(NEW.duties, NEW.roles)
    OR OLD.disabled_at IS NOT NULL AND NEW.disabled_at IS NULL THEN
    PERFORM takt.end_grants(NEW.pid, NULL);
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION takt.end_sign_in(given_sha256 bytea)
 RETURNS void
 LANGUAGE plpgsql
 STRICT
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM takt.revoke_family(token.token_family_id) FROM takt.access_tokens token WHERE token.token_sha256 = given_sha256;
  PERFORM takt.revoke_family(token.token_family_id) FROM takt.refresh_tokens token WHERE token.token_sha256 = given_sha256;
  UPDATE takt.access_tokens SET revoked_at = least(revoked_at, now()) WHERE token_sha256 = given_sha256;
  DELETE FROM takt.authorization_codes code USING takt.access_tokens session
  WHERE session.token_sha256 = given_sha256 AND session.kind = 'page' AND code.pid = session.pid AND code.used_at IS NULL;
END $function$;

CREATE OR REPLACE FUNCTION takt.end_token(token_id bigint, given_sha256 bytea)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  ended record;
BEGIN
  -- The family is locked before its token, as everywhere.
  PERFORM FROM takt.token_families WHERE token_family_id = (
    SELECT token_family_id FROM takt.access_tokens WHERE access_token_id = token_id OR token_sha256 = given_sha256) FOR UPDATE;
  SELECT * INTO ended FROM takt.access_tokens WHERE access_token_id = token_id OR token_sha256 = given_sha256 FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF ended.revoked_at IS NULL THEN
    PERFORM takt.end_sign_in(ended.token_sha256);
    -- A trigger logs the end of a token of the command line.
    IF ended.kind <> 'command-line' THEN
      PERFORM takt.note_audit('token-revoked', 'token ' || ended.access_token_id,
        jsonb_strip_nulls(jsonb_build_object('pid', ended.pid, 'api_client_id', ended.api_client_id)));
    END IF;
  END IF;
  RETURN true;
END $function$;

CREATE OR REPLACE FUNCTION takt.explain_ineffective_events(only_company integer, companies integer[], events json, numbers bigint[], misnamed text[], written_companies integer[], written_operations bigint[], pruned bigint[])
 RETURNS TABLE("position" integer, outcome text, pruned_before date, misnamed_kind text)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  RETURN QUERY
  SELECT (event.ordinality - 1)::integer,
    CASE
      WHEN event.company IS NULL THEN 'unknown-company'
      WHEN event.misnamed_kind IS NOT NULL THEN 'conflict'
      WHEN event.revision < event.pruned_revision THEN 'stale'
      WHEN event.revision = event.pruned_revision THEN 'duplicate'
      WHEN event.pruned_revision IS NOT NULL THEN 'conflict'
      WHEN event.revision < ledger.revision THEN 'stale'
      WHEN (event.version, event."order", event.changed_at,
          event.run_time, event.setup_time, event.cleanup_time)
        IS NOT DISTINCT FROM (ledger.product_structure_version_id, ledger.work_order_id, ledger.changed_at,
          ledger.run_time, ledger.setup_time, ledger.cleanup_time) THEN 'duplicate'
      ELSE 'conflict'
    END,
    CASE WHEN event.revision > event.pruned_revision THEN
      (SELECT pruning.pruned_before FROM takt.prunings pruning WHERE pruning.company_id = coalesce(only_company, event.company))
    END,
    event.misnamed_kind
  FROM (
    SELECT *, row_number() OVER (PARTITION BY company, operation
      ORDER BY numbered.misnamed_kind IS NOT NULL, revision DESC, ordinality) = 1 AS is_newest
    FROM (
      SELECT *, coalesce(version_number, product_structure_version_id) AS version,
        coalesce(order_number, work_order_id) AS "order", coalesce(operation_number, work_order_operation_id) AS operation
      FROM ROWS FROM (unnest(companies), unnest(pruned), unnest(misnamed), unnest(numbers[1:1]), unnest(numbers[2:2]),
          unnest(numbers[3:3]), json_populate_recordset(NULL::takt.work_order_operations, events))
        WITH ORDINALITY AS given (company, pruned_revision, misnamed_kind, version_number, order_number, operation_number)
    ) AS numbered
  ) AS event
  -- OFFSET 0 makes the planner look each event up by the whole key.
  LEFT JOIN LATERAL (
    SELECT * FROM takt.work_order_operations known
    WHERE known.company_id = coalesce(only_company, event.company)
      AND known.work_order_operation_id = event.operation
    OFFSET 0
  ) AS ledger ON true
  WHERE (event.is_newest AND event.misnamed_kind IS NULL AND (event.company, event.operation) IN (
    SELECT * FROM unnest(written_companies, written_operations))) IS NOT TRUE
  ORDER BY event.ordinality;
END $function$;

CREATE OR REPLACE FUNCTION takt.find_access_token(token_sha256 bytea)
 RETURNS TABLE(access_token_id bigint, expires_at timestamp with time zone, companies json, api_client_id integer, pid integer, person_name text, permissions text[], may_publish boolean, duties text[])
 LANGUAGE sql
 STABLE STRICT SECURITY DEFINER ROWS 1
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT token.access_token_id, token.expires_at, granted.companies, token.api_client_id, token.pid,
    concat_ws(' ', person.first_name, person.name), client.permissions, token.may_publish, takt.narrowed_duties(trusted.duties, token.duties)
  FROM takt.access_tokens token
  LEFT JOIN takt.api_clients client ON client.api_client_id = token.api_client_id
  LEFT JOIN takt.users person ON person.pid = token.pid
  LEFT JOIN takt.token_families family ON family.token_family_id = token.token_family_id
  CROSS JOIN LATERAL (
    SELECT CASE
      WHEN token.pid IS NOT NULL THEN takt.duties_with_roles(person.duties, person.roles)
      WHEN token.kind = 'client' THEN takt.duties_with_roles(client.duties, client.roles)
    END AS duties
  ) trusted
  CROSS JOIN LATERAL (
    SELECT json_agg(json_build_object('company_id', company.company_id, 'code', company.code, 'name', company.name,
      'time_zone', company.time_zone, 'key', company.access_key) ORDER BY listed.ordinal) AS companies
    FROM takt.access_token_companies listed
    JOIN takt.companies company ON company.company_id = listed.company_id
    WHERE listed.access_token_id = token.access_token_id AND company.disabled_at IS NULL
      AND CASE
        WHEN token.kind <> 'command-line' OR token.pid IS NOT NULL THEN listed.company_id IN (
          SELECT common.company_id FROM takt.companies_in_common(token.api_client_id, token.pid) common)
        ELSE token.api_client_id IS NULL OR takt.is_for_company(token.api_client_id, listed.company_id)
      END
  ) granted
  WHERE token.token_sha256 = find_access_token.token_sha256
    AND token.expires_at > statement_timestamp()
    AND token.revoked_at IS NULL AND family.revoked_at IS NULL
    AND client.disabled_at IS NULL AND person.disabled_at IS NULL
    AND granted.companies IS NOT NULL
$function$;

CREATE OR REPLACE FUNCTION takt.find_api_client(client integer)
 RETURNS TABLE(name text, redirect_uris text[], is_public boolean)
 LANGUAGE sql
 STABLE STRICT SECURITY DEFINER ROWS 1
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT known.name, known.redirect_uris, known.secret IS NULL
  FROM takt.api_clients known WHERE known.api_client_id = client AND known.disabled_at IS NULL
$function$;

CREATE OR REPLACE FUNCTION takt.find_companies(databases text[])
 RETURNS integer[]
 LANGUAGE sql
 STABLE
 SET enable_nestloop TO 'off'
AS $function$
  SELECT array_agg(company.company_id ORDER BY wanted.ordinality)
  FROM unnest(databases) WITH ORDINALITY AS wanted (code)
  LEFT JOIN takt.companies company ON company.code = wanted.code AND company.disabled_at IS NULL
$function$;

CREATE OR REPLACE FUNCTION takt.find_keys(named_kind text, pattern text)
 RETURNS bigint[]
 LANGUAGE sql
 STABLE STRICT SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ SELECT coalesce(array_agg(number), '{}') FROM takt.match_keys(named_kind, pattern, 9223372036854775807) AS number $function$;

CREATE OR REPLACE FUNCTION takt.find_numbers(only_company integer, companies integer[], named_kind text, keys text[])
 RETURNS bigint[]
 LANGUAGE plpgsql
AS $function$
DECLARE
  found record;
BEGIN
  IF only_company IS NULL THEN
    SELECT array_agg(company_id) AS companies, array_agg(key) AS keys, array_agg(number) AS numbers INTO found
    FROM takt.object_keys WHERE company_id = ANY (companies) AND kind = named_kind AND key = ANY (keys);
  ELSE
    SELECT array_agg(company_id) AS companies, array_agg(key) AS keys, array_agg(number) AS numbers INTO found
    FROM takt.object_keys WHERE company_id = only_company AND kind = named_kind AND key = ANY (keys);
  END IF;
  RETURN (
    SELECT array_agg(known.number ORDER BY event.ordinality)
    FROM ROWS FROM (unnest(companies), unnest(keys)) WITH ORDINALITY AS event (company, key, ordinality)
    LEFT JOIN ROWS FROM (unnest(found.companies), unnest(found.keys), unnest(found.numbers)) AS known (company, key, number)
      ON known.company = event.company AND known.key = event.key
  );
END $function$;

CREATE OR REPLACE FUNCTION takt.find_products(pattern text)
 RETURNS bigint[]
 LANGUAGE plpgsql
 STABLE STRICT SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
DECLARE
  company integer := takt.session_company();
BEGIN
  RETURN (
    SELECT coalesce(array_agg(product_id), '{}') FROM takt.products
    WHERE company_id = company AND (folded_name LIKE pattern AND folded_name IS NFC NORMALIZED
      OR folded_name IS NOT NFC NORMALIZED AND normalize(folded_name) LIKE pattern)
  );
END $function$;

CREATE OR REPLACE FUNCTION takt.find_pruned(only_company integer, companies integer[], events json, operations bigint[])
 RETURNS bigint[]
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  RETURN (
    SELECT array_agg(known.revision ORDER BY event.ordinality)
    FROM (
      SELECT company, ordinality, coalesce(number, work_order_operation_id) AS operation
      FROM ROWS FROM (unnest(companies), unnest(operations), json_to_recordset(events) AS (work_order_operation_id bigint))
        WITH ORDINALITY AS given (company, number)
    ) AS event
    -- OFFSET 0 makes the planner look each event up by the whole key.
    LEFT JOIN LATERAL (
      SELECT revisions[1 + event.operation % 1024] AS revision FROM takt.pruned_operations pruned
      WHERE pruned.company_id = coalesce(only_company, event.company) AND pruned.block = event.operation / 1024
      OFFSET 0
    ) AS known ON true
  );
END $function$;

CREATE OR REPLACE FUNCTION takt.find_scrypt_parameters(person integer)
 RETURNS TABLE(salt bytea, cost integer, block_size integer, parallelization integer)
 LANGUAGE sql
 STABLE STRICT SECURITY DEFINER ROWS 1
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT
    coalesce((own.password).salt, substr(sha256(made_up.secret || convert_to(format('person %s', person), 'UTF8')), 1, 16)),
    coalesce((own.password).cost, 16384), coalesce((own.password).block_size, 8),
    coalesce((own.password).parallelization, 5)
  FROM takt.salt_secret made_up LEFT JOIN takt.users own ON own.pid = person
$function$;

CREATE OR REPLACE FUNCTION takt.find_structure_versions(patterns text[])
 RETURNS bigint[]
 LANGUAGE plpgsql
 STABLE STRICT SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
DECLARE
  company integer := takt.session_company();
BEGIN
  RETURN (
    SELECT coalesce(array_agg(product_structure_version_id), '{}') FROM takt.structure_version_texts
    WHERE company_id = company AND folded LIKE ALL (patterns)
      AND folded LIKE patterns[1] AND folded LIKE coalesce(patterns[2], '%')
      AND folded LIKE coalesce(patterns[3], '%') AND folded LIKE coalesce(patterns[4], '%')
  );
END $function$;

CREATE OR REPLACE FUNCTION takt.floor_microhours(hours numeric)
 RETURNS bigint
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
BEGIN
  RETURN floor(least(greatest(hours, -1000000000000), 1000000000000) * 1000000);
END $function$;

CREATE OR REPLACE FUNCTION takt.floor_units(value numeric, decimals integer)
 RETURNS bigint
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
BEGIN
  RETURN floor(least(greatest(value * 10::numeric ^ decimals, -9223372036854775807), 9223372036854775807));
END $function$;

CREATE OR REPLACE FUNCTION takt.folded_key(key text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN NORMALIZE(casefold((key COLLATE "und-x-icu")));

CREATE OR REPLACE FUNCTION takt.free_naming(company integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  -- As takt.decide_naming, so that no event is applied meanwhile.
  PERFORM pg_advisory_xact_lock(hashtext('takt months'), company % 64);
  IF NOT EXISTS (SELECT FROM takt.key_counters WHERE company_id = company)
    OR EXISTS (SELECT FROM takt.work_order_operations
      WHERE company_id = company AND product_structure_version_id IS NOT NULL)
    OR EXISTS (SELECT FROM takt.work_order_operations
      WHERE company_id = company AND event_source ~ '^/takt/import/[0-9]+(/undo)?$' IS NOT TRUE)
    OR EXISTS (SELECT FROM takt.pruned_figures WHERE company_id = company)
    OR EXISTS (SELECT FROM takt.product_structure_versions
      WHERE company_id = company AND (changed_at IS NOT NULL OR number_of_completed_operations > 0))
    OR EXISTS (SELECT removed_at FROM takt.product_structure_versions
      WHERE company_id = company AND removed_at IS NOT NULL
      EXCEPT SELECT unnest(undo_times) FROM takt.imports WHERE company_id = company)
  THEN
    RETURN false;
  END IF;
  DELETE FROM takt.work_order_operations WHERE company_id = company;
  DELETE FROM takt.monthly_figures WHERE company_id = company;
  DELETE FROM takt.structure_version_texts WHERE company_id = company;
  DELETE FROM takt.product_structure_versions WHERE company_id = company;
  DELETE FROM takt.products WHERE company_id = company;
  DELETE FROM takt.object_keys WHERE company_id = company;
  DELETE FROM takt.key_counters WHERE company_id = company;
  PERFORM takt.note_changes(array[company]);
  RETURN true;
END $function$;

CREATE OR REPLACE FUNCTION takt.grant_authorization_code(client integer, client_proof bytea, given_code_sha256 bytea, client_redirect_uri text, verifier text, access_sha256 bytea, refresh_sha256 bytea, OUT refused text, OUT expires_in_s integer)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  code record;
  family bigint;
BEGIN
  IF NOT takt.prove_client(client, client_proof) THEN
    refused := 'invalid_client';
    RETURN;
  END IF;
  -- A change of the password, or of the client or person being enabled, waits for these locks, and then ends the tokens of
  -- this exchange too. If such a change was first, it has deleted the code.
  PERFORM FROM takt.users known
  WHERE known.pid = (SELECT pid FROM takt.authorization_codes WHERE code_sha256 = given_code_sha256) FOR SHARE;
  PERFORM FROM takt.api_clients known WHERE known.api_client_id = client FOR SHARE;
  UPDATE takt.authorization_codes SET used_at = now() WHERE code_sha256 = given_code_sha256 AND used_at IS NULL
  RETURNING * INTO code;
  IF NOT FOUND THEN
    PERFORM takt.revoke_family(used.token_family_id) FROM takt.authorization_codes used
    WHERE used.code_sha256 = given_code_sha256;
    refused := 'invalid_grant';
  ELSIF code.api_client_id = client
    AND takt.is_code_usable(code.expires_at, code.redirect_uri = client_redirect_uri, code.code_challenge, verifier)
    AND EXISTS (SELECT FROM takt.users WHERE pid = code.pid AND disabled_at IS NULL)
    AND EXISTS (SELECT FROM takt.companies_in_common(client, code.pid)) THEN
    family := takt.begin_token_family(client, code.pid);
    UPDATE takt.authorization_codes SET token_family_id = family
    WHERE authorization_code_id = code.authorization_code_id;
    PERFORM takt.issue_refresh_token(refresh_sha256, family);
    expires_in_s := takt.issue_access_token('person', access_sha256, client, code.pid, family);
  ELSE
    refused := 'invalid_grant';
  END IF;
END $function$;

CREATE OR REPLACE FUNCTION takt.grant_client_credentials(client integer, client_proof bytea, access_sha256 bytea, OUT refused text, OUT expires_in_s integer)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF NOT takt.prove_client(client, client_proof) THEN
    refused := 'invalid_client';
  ELSIF client_proof IS NULL OR NOT EXISTS (SELECT FROM takt.companies_in_common(client, NULL)) THEN
    refused := 'unauthorized_client';
  ELSE
    expires_in_s := takt.issue_access_token('client', access_sha256, client, NULL, NULL);
  END IF;
END $function$;

CREATE OR REPLACE FUNCTION takt.grant_password(client integer, client_proof bytea, person integer, password_proof bytea, access_sha256 bytea, refresh_sha256 bytea, OUT refused text, OUT expires_in_s integer)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  family bigint;
BEGIN
  IF NOT takt.prove_client(client, client_proof) THEN
    refused := 'invalid_client';
  ELSIF NOT takt.is_person(person, password_proof) THEN
    refused := 'invalid_grant';
  ELSIF NOT EXISTS (SELECT FROM takt.companies_in_common(client, person)) THEN
    refused := 'unauthorized_client';
  ELSE
    family := takt.begin_token_family(client, person);
    PERFORM takt.issue_refresh_token(refresh_sha256, family);
    expires_in_s := takt.issue_access_token('person', access_sha256, client, person, family);
  END IF;
END $function$;

CREATE OR REPLACE FUNCTION takt.grant_refresh_token(client integer, client_proof bytea, used_sha256 bytea, access_sha256 bytea, refresh_sha256 bytea, OUT refused text, OUT expires_in_s integer)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  family record;
  token record;
BEGIN
  IF NOT takt.prove_client(client, client_proof) THEN
    refused := 'invalid_client';
    RETURN;
  END IF;
  -- All transactions that change a family, including its deletion, first lock the person and the client, then the row of
  -- the family and then its tokens, so that they wait for each other and never in a circle.
  PERFORM FROM takt.users known WHERE known.pid = (
    SELECT own.pid FROM takt.refresh_tokens given JOIN takt.token_families own USING (token_family_id)
    WHERE given.token_sha256 = used_sha256) FOR SHARE;
  SELECT * INTO family FROM takt.token_families
  WHERE token_family_id = (SELECT token_family_id FROM takt.refresh_tokens WHERE token_sha256 = used_sha256)
    AND api_client_id = client
  FOR UPDATE;
  SELECT * INTO token FROM takt.refresh_tokens
  WHERE token_sha256 = used_sha256 AND token_family_id = family.token_family_id;
  IF token.used_at IS NOT NULL THEN
    PERFORM takt.revoke_family(family.token_family_id);
    refused := 'invalid_grant';
  ELSIF token.refresh_token_id IS NULL OR family.revoked_at IS NOT NULL OR token.expires_at <= now()
    OR NOT EXISTS (SELECT FROM takt.users WHERE pid = family.pid AND disabled_at IS NULL) THEN
    refused := 'invalid_grant';
  ELSIF NOT EXISTS (SELECT FROM takt.companies_in_common(client, family.pid)) THEN
    refused := 'unauthorized_client';
  ELSE
    UPDATE takt.refresh_tokens SET used_at = now() WHERE refresh_token_id = token.refresh_token_id;
    PERFORM takt.issue_refresh_token(refresh_sha256, family.token_family_id);
    expires_in_s :=
      takt.issue_access_token('person', access_sha256, client, family.pid, family.token_family_id);
  END IF;
END $function$;

CREATE OR REPLACE FUNCTION takt.has_keys(named_kind text)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE STRICT SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  company integer := takt.session_company();
BEGIN
  RETURN EXISTS (SELECT FROM takt.key_counters WHERE company_id = company AND kind = named_kind);
END $function$;

CREATE OR REPLACE FUNCTION takt.has_lost_longest(change takt.time_change, longest bigint)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT change.longest_that_left * 1000000 >= longest
    AND (change.longest_that_came * 1000000 >= longest) IS NOT TRUE
$function$;

CREATE OR REPLACE FUNCTION takt.has_lost_shortest(change takt.time_change, shortest bigint)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT change.shortest_that_left * 1000000 <= shortest
    AND (change.shortest_that_came * 1000000 <= shortest) IS NOT TRUE
$function$;

CREATE OR REPLACE FUNCTION takt.impossible_from()
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN now() + interval '3650 days';
END $function$;

CREATE OR REPLACE FUNCTION takt.is_client(client integer, proof bytea)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT EXISTS (
    SELECT FROM takt.api_clients known
    WHERE known.api_client_id = client AND known.disabled_at IS NULL
      AND CASE WHEN known.secret IS NULL THEN proof IS NULL
        ELSE sha256(proof) = known.secret_sha256 END)
$function$;

CREATE OR REPLACE FUNCTION takt.is_cluster()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
BEGIN
  -- This must be a separate statement, because the table in the next one exists only with the extension.
  IF to_regclass('pg_catalog.pg_dist_partition') IS NULL THEN
    RETURN false;
  END IF;
  RETURN EXISTS (SELECT FROM pg_catalog.pg_dist_partition
    WHERE logicalrelid = 'takt.work_order_operations'::regclass AND partmethod = 'h');
END $function$;

CREATE OR REPLACE FUNCTION takt.is_code_usable(expires_at timestamp with time zone, is_same_uri boolean, challenge text, verifier text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT coalesce(expires_at > now() AND is_same_uri AND verifier ~ '^[A-Za-z0-9._~-]{43,128}$'
    AND challenge = rtrim(translate(encode(sha256(convert_to(verifier, 'UTF8')), 'base64'), '+/', '-_'), '='), false)
$function$;

CREATE OR REPLACE FUNCTION takt.is_for_company(client integer, company integer)
 RETURNS boolean
 LANGUAGE sql
 STABLE STRICT
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT coalesce(bool_or(own.company_id = company), true)
  FROM takt.api_client_companies own WHERE own.api_client_id = client
$function$;

CREATE OR REPLACE FUNCTION takt.is_known_network(person integer, network text)
 RETURNS boolean
 LANGUAGE sql
 STABLE STRICT SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT EXISTS (
    SELECT FROM takt.users known
    WHERE known.pid = person AND takt.network_hash(person, network) = ANY (known.known_networks))
$function$;

CREATE OR REPLACE FUNCTION takt.is_named_by_key(company integer, named_kind text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  RETURN CASE
    WHEN EXISTS (SELECT FROM takt.key_counters WHERE company_id = company AND kind = named_kind) THEN true
    WHEN CASE named_kind
      WHEN 'product' THEN EXISTS (SELECT FROM takt.products WHERE company_id = company)
      WHEN 'version' THEN EXISTS (SELECT FROM takt.product_structure_versions WHERE company_id = company)
      WHEN 'order' THEN EXISTS (
        SELECT FROM takt.work_order_operations WHERE company_id = company AND work_order_id IS NOT NULL)
      ELSE EXISTS (SELECT FROM takt.work_order_operations WHERE company_id = company)
        OR EXISTS (SELECT FROM takt.pruned_operations WHERE company_id = company)
    END THEN false
  END;
END $function$;

CREATE OR REPLACE FUNCTION takt.is_person(person integer, proof bytea)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM FROM takt.users known
  WHERE known.pid = person AND known.disabled_at IS NULL AND (known.password).sha256 = sha256(proof)
  FOR SHARE;
  RETURN FOUND;
END $function$;

CREATE OR REPLACE FUNCTION takt.issue_access_token(token_kind text, sha256 bytea, client integer, person integer, family bigint)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  lifetime_s CONSTANT integer := CASE token_kind WHEN 'page' THEN 28800 ELSE 3600 END;
  made bigint;
BEGIN
  INSERT INTO takt.access_tokens (token_sha256, kind, api_client_id, pid, token_family_id, expires_at)
  VALUES (sha256, token_kind, client, person, family, now() + make_interval(secs => lifetime_s))
  RETURNING access_token_id INTO made;
  INSERT INTO takt.access_token_companies (access_token_id, ordinal, company_id)
  SELECT made, ordinal, company_id FROM takt.companies_in_common(client, person);
  DELETE FROM takt.access_tokens WHERE access_token_id IN (
    SELECT access_token_id FROM takt.access_tokens WHERE access_token_id IN (
      SELECT access_token_id FROM (
        SELECT access_token_id FROM takt.access_tokens WHERE token_family_id = family
        UNION ALL
        SELECT access_token_id FROM takt.access_tokens
        WHERE token_kind = 'client' AND kind = 'client' AND api_client_id = client
        UNION ALL
        SELECT access_token_id FROM takt.access_tokens WHERE token_kind = 'page' AND kind = 'page' AND pid = person
      ) own
      ORDER BY access_token_id DESC OFFSET CASE WHEN family IS NULL THEN 100 ELSE 20 END)
    FOR UPDATE SKIP LOCKED);
  PERFORM takt.sweep_expired_tokens();
  RETURN lifetime_s;
END $function$;

CREATE OR REPLACE FUNCTION takt.issue_authorization_code(session_sha256 bytea, client integer, client_redirect_uri text, challenge text, new_code_sha256 bytea)
 RETURNS boolean
 LANGUAGE plpgsql
 STRICT SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  person integer;
BEGIN
  -- A change of the person, the client or the session waits for these locks, and then ends the code too. If such a change
  -- was first, the session has ended, or the client is no longer found.
  PERFORM FROM takt.users known
  WHERE known.pid = (SELECT pid FROM takt.access_tokens WHERE token_sha256 = session_sha256) FOR SHARE;
  PERFORM FROM takt.api_clients known WHERE known.api_client_id = client FOR SHARE;
  PERFORM FROM takt.access_tokens session WHERE session.token_sha256 = session_sha256 FOR SHARE;
  SELECT session.pid INTO person
  FROM takt.find_access_token(session_sha256) live
  JOIN takt.access_tokens session ON session.access_token_id = live.access_token_id AND session.kind = 'page';
  IF person IS NULL OR challenge !~ '^[A-Za-z0-9_-]{43}$'
    OR NOT EXISTS (SELECT FROM takt.find_api_client(client) known WHERE client_redirect_uri = ANY (known.redirect_uris))
    OR NOT EXISTS (SELECT FROM takt.companies_in_common(client, person)) THEN
    RETURN false;
  END IF;
  INSERT INTO takt.authorization_codes (code_sha256, api_client_id, pid, redirect_uri, code_challenge, expires_at)
  VALUES (new_code_sha256, client, person, client_redirect_uri, challenge, now() + interval '60 seconds');
  DELETE FROM takt.authorization_codes WHERE authorization_code_id IN (
    SELECT authorization_code_id FROM takt.authorization_codes WHERE authorization_code_id IN (
      SELECT authorization_code_id FROM takt.authorization_codes WHERE pid = person AND api_client_id = client
      ORDER BY authorization_code_id DESC OFFSET 10)
    FOR UPDATE SKIP LOCKED);
  RETURN true;
END $function$;

CREATE OR REPLACE FUNCTION takt.issue_refresh_token(sha256 bytea, family bigint)
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  UPDATE takt.token_families SET expires_at = now() + interval '30 days' WHERE token_family_id = family;
  INSERT INTO takt.refresh_tokens (token_sha256, token_family_id, expires_at)
  VALUES (sha256, family, now() + interval '30 days');
  DELETE FROM takt.refresh_tokens WHERE refresh_token_id IN (
    SELECT refresh_token_id FROM takt.refresh_tokens WHERE refresh_token_id IN (
      SELECT refresh_token_id FROM takt.refresh_tokens WHERE token_family_id = family
      ORDER BY refresh_token_id DESC OFFSET 21)
    FOR UPDATE SKIP LOCKED);
$function$;

CREATE OR REPLACE FUNCTION takt.last_numbers(only_company integer, companies integer[], named_kind text)
 RETURNS bigint[]
 LANGUAGE plpgsql
AS $function$
BEGIN
  RETURN array(
    SELECT last_number FROM takt.key_counters
    WHERE company_id = ANY (companies) AND (company_id = only_company OR only_company IS NULL) AND kind = named_kind
    ORDER BY company_id);
END $function$;

CREATE OR REPLACE FUNCTION takt.lock_figures(only_company integer, changes takt.figures_change[])
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  -- This is checked first, because even an INSERT that adds no row opens every index.
  IF EXISTS (
    SELECT FROM unnest(changes) AS change
    WHERE (SELECT figures.company_id FROM takt.product_structure_versions figures
      WHERE figures.company_id = coalesce(only_company, change.company_id)
        AND figures.product_structure_version_id = change.product_structure_version_id) IS NULL
  ) THEN
    INSERT INTO takt.product_structure_versions (company_id, product_structure_version_id)
    SELECT change.company_id, change.product_structure_version_id
    FROM unnest(changes) AS change
    ON CONFLICT DO NOTHING;
  END IF;

  -- LATERAL makes the planner look each change up by the whole key, in order.
  PERFORM FROM unnest(changes) AS change CROSS JOIN LATERAL (
    SELECT FROM takt.product_structure_versions figures
    WHERE figures.company_id = coalesce(only_company, change.company_id)
      AND figures.product_structure_version_id = change.product_structure_version_id
    FOR NO KEY UPDATE
  ) AS locked;
END $function$;

CREATE OR REPLACE FUNCTION takt.lock_months(company integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('takt months'), company % 64);
END $function$;

CREATE OR REPLACE FUNCTION takt.look_up_monthly_extremes(only_company integer, changes takt.figures_change[], zone text)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  UPDATE takt.monthly_figures AS figures SET
    shortest_run_time = looked_up.shortest_run, longest_run_time = looked_up.longest_run,
    shortest_setup_time = looked_up.shortest_setup, longest_setup_time = looked_up.longest_setup,
    shortest_cleanup_time = looked_up.shortest_cleanup, longest_cleanup_time = looked_up.longest_cleanup,
    last_completed_at = looked_up.last
  FROM unnest(changes) AS change
  CROSS JOIN LATERAL (
    SELECT stored.ctid AS place
    FROM takt.monthly_figures stored
    WHERE stored.company_id = coalesce(only_company, change.company_id)
      AND stored.product_structure_version_id = change.product_structure_version_id
      AND stored.month = change.month
    OFFSET 0
  ) AS known
  CROSS JOIN LATERAL (
    SELECT
      min(shortest_run) * 1000000 AS shortest_run, max(longest_run) * 1000000 AS longest_run,
      min(shortest_setup) * 1000000 AS shortest_setup, max(longest_setup) * 1000000 AS longest_setup,
      min(shortest_cleanup) * 1000000 AS shortest_cleanup, max(longest_cleanup) * 1000000 AS longest_cleanup,
      max(last) AS last
    FROM (
      SELECT run_time AS shortest_run, run_time AS longest_run, setup_time AS shortest_setup,
        setup_time AS longest_setup, cleanup_time AS shortest_cleanup, cleanup_time AS longest_cleanup,
        changed_at AS last
      FROM takt.work_order_operations ledger
      WHERE ledger.company_id = coalesce(only_company, change.company_id)
        AND ledger.product_structure_version_id = change.product_structure_version_id
        AND ledger.changed_at >= (change.month - interval '1 day') AT TIME ZONE 'UTC'
        AND ledger.changed_at < (change.month + interval '1 month 1 day') AT TIME ZONE 'UTC'
        AND takt.month_of(ledger.changed_at,
          coalesce(zone, takt.time_zone_of(change.company_id, change.product_structure_version_id))) = change.month
      UNION ALL
      SELECT shortest_run_time, longest_run_time, shortest_setup_time,
        longest_setup_time, shortest_cleanup_time, longest_cleanup_time, last_completed_at
      FROM takt.pruned_figures pruned
      WHERE pruned.company_id = coalesce(only_company, change.company_id)
        AND pruned.product_structure_version_id = change.product_structure_version_id
        AND pruned.month = change.month
    ) AS kept
  ) AS looked_up
  WHERE figures.ctid = known.place AND (figures.company_id = only_company OR only_company IS NULL);
END $function$;

CREATE OR REPLACE FUNCTION takt.match_keys(named_kind text, pattern text, most bigint)
 RETURNS SETOF bigint
 LANGUAGE plpgsql
 STABLE STRICT SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
DECLARE
  company integer := takt.session_company();
  whole text := regexp_replace(pattern, '\\(.)', '\1', 'g');
BEGIN
  IF regexp_replace(pattern, '\\.', '', 'g') ~ '[%_]' THEN
    RETURN QUERY SELECT number FROM takt.object_keys
      WHERE company_id = company AND kind = named_kind COLLATE "default"
        AND takt.folded_key(key) COLLATE "und-x-icu" LIKE pattern
      LIMIT most;
  ELSE
    RETURN QUERY SELECT number FROM takt.object_keys
      WHERE company_id = company AND kind = named_kind COLLATE "default"
        AND takt.folded_key(key) COLLATE "C" = whole
      LIMIT most;
  END IF;
END $function$;

CREATE OR REPLACE FUNCTION takt.may_set_up(secret_sha256 bytea, state text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT NOT EXISTS (SELECT FROM takt.users) AND EXISTS (
    SELECT FROM takt.access_tokens code
    WHERE token_sha256 = secret_sha256 AND kind = 'command-line' AND description = state AND pid IS NULL
      AND api_client_id IS NULL AND expires_at > now() AND revoked_at IS NULL
      AND NOT EXISTS (SELECT FROM takt.access_token_companies WHERE access_token_id = code.access_token_id))
$function$;

CREATE OR REPLACE FUNCTION takt.mean_bound(n bigint, total numeric, squares numeric, side integer)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT CASE WHEN n > 1 THEN floor(
    (2 * (total * 1000000 * (n - 1)
        + side * takt.t_quantile(n - 1) * sqrt(round((n * squares - total * total) * 1e12 * (n - 1), 20)))
      + n::numeric * (n - 1))
    / (2 * n::numeric * (n - 1)))::bigint END
$function$;

CREATE OR REPLACE FUNCTION takt.microhours_over_plan(n bigint, total numeric, planned bigint)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (((1000000)::numeric * total) - ((n)::numeric * (planned)::numeric));

CREATE OR REPLACE FUNCTION takt.month_of(instant timestamp with time zone, zone text)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT date_trunc('month', instant AT TIME ZONE zone)::date
$function$;

CREATE OR REPLACE FUNCTION takt.narrowed_duties(held text[], named text[])
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT CASE
    WHEN held IS NULL THEN named
    WHEN named IS NULL THEN held
    ELSE ARRAY(SELECT unnest(held) INTERSECT SELECT unnest(named) ORDER BY 1)
  END
$function$;

CREATE OR REPLACE FUNCTION takt.network_hash(person integer, network text)
 RETURNS bytea
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT substr(sha256(key.secret || convert_to(format('network %s %s', person, network), 'UTF8')), 1, 16)
  FROM takt.salt_secret key
$function$;

CREATE OR REPLACE FUNCTION takt.note_alarms(current_alarms json, notifies boolean)
 RETURNS void
 LANGUAGE plpgsql
 STRICT SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF json_array_length(current_alarms) > 200 OR EXISTS (
    SELECT FROM json_to_recordset(current_alarms) AS told (name text, subject text, facts json)
    WHERE told.name <> ALL (takt.alarm_names()) OR told.name IS NULL OR length(told.subject) > 300
      OR length(told.facts::text) > 5000) THEN
    RAISE EXCEPTION 'an alarm has an unknown name or is too large';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('takt.note_alarms', 0));

  WITH begun AS (
    INSERT INTO takt.alarms AS known (name, subject, measure, facts)
    SELECT told.name, told.subject, told.measure, told.facts
    FROM json_to_recordset(current_alarms) AS told (name text, subject text, measure double precision, facts json)
    ON CONFLICT (name, subject) WHERE ended_at IS NULL DO UPDATE SET
      found_at = now(),
      facts = CASE WHEN excluded.measure > known.measure THEN excluded.facts ELSE known.facts END,
      measure = greatest(excluded.measure, known.measure)
    RETURNING alarm_id, begun_at
  ), ended AS (
    UPDATE takt.alarms SET ended_at = now()
    WHERE ended_at IS NULL AND found_at < now() - interval '1 minute'
      AND (name, subject) NOT IN (
        SELECT told.name, told.subject FROM json_to_recordset(current_alarms) AS told (name text, subject text))
    RETURNING alarm_id
  )
  INSERT INTO takt.alarm_notices (alarm_id, is_end)
  SELECT alarm_id, false FROM begun WHERE begun_at = now() AND notifies
  UNION ALL
  SELECT alarm_id, true FROM ended WHERE notifies;

  DELETE FROM takt.alarms WHERE ended_at < now() - interval '30 days'
    OR alarm_id <= (SELECT alarm_id FROM takt.alarms ORDER BY alarm_id DESC OFFSET 500 LIMIT 1);
END $function$;

CREATE OR REPLACE FUNCTION takt.note_audit(action text, subject text, details jsonb)
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  INSERT INTO takt.audit_log (actor, action, subject, details)
  VALUES (coalesce(nullif(current_setting('takt.actor', true), ''), 'log-in ' || session_user), action, left(subject, 500),
    details)
$function$;

CREATE OR REPLACE FUNCTION takt.note_audit_of(given_sha256 bytea, action text, subject text, details jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF action !~ '^(rejected|queue|job|import)-[a-z]+$' THEN
    RAISE EXCEPTION 'the action % is not of an operator', action;
  END IF;
  IF takt.act_as(given_sha256) THEN
    PERFORM takt.note_audit(action, subject, details);
  END IF;
END $function$;

CREATE OR REPLACE FUNCTION takt.note_changes(changed integer[], listed integer[] DEFAULT '{}'::integer[], unlisted integer[] DEFAULT '{}'::integer[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  own_slot integer := pg_backend_pid();
  this_period integer := extract(epoch FROM now()) / 10;
  company integer;
  new_stamp bigint;
  connected integer[];
BEGIN
  FOR company IN SELECT DISTINCT unnest(listed || unlisted) ORDER BY 1 LOOP
    INSERT INTO takt.list_sizes AS known (company_id, product_structure_versions)
    VALUES (company, cardinality(array_positions(listed, company)) - cardinality(array_positions(unlisted, company)))
    ON CONFLICT (company_id) DO UPDATE SET
      product_structure_versions = known.product_structure_versions + excluded.product_structure_versions;
  END LOOP;

  FOR company IN SELECT DISTINCT unnest(changed) LOOP
    -- gen_random_uuid() uses the random numbers of the operating system; those of random() repeat after setseed().
    new_stamp := uuid_hash_extended(gen_random_uuid(), 0);
    UPDATE takt.company_changes SET stamp = new_stamp
    WHERE company_id = company AND slot = own_slot AND period = this_period;
    CONTINUE WHEN FOUND;
    connected := array(SELECT pid FROM pg_stat_activity WHERE pid IS NOT NULL);
    DELETE FROM takt.company_changes AS known USING (
      SELECT slot, period FROM takt.company_changes
      WHERE company_id = company AND (slot = own_slot OR slot <> ALL (connected))
      FOR UPDATE SKIP LOCKED) AS former
    WHERE known.company_id = company AND (known.slot, known.period) = (former.slot, former.period);
    -- On a cluster a connection to another node may have the same number.
    INSERT INTO takt.company_changes (company_id, slot, period, stamp)
    VALUES (company, own_slot, this_period, new_stamp)
    ON CONFLICT (company_id, slot, period) DO UPDATE SET stamp = excluded.stamp;
  END LOOP;
END $function$;

CREATE OR REPLACE FUNCTION takt.note_changes_by_hand()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  company integer;
BEGIN
  PERFORM takt.note_changes('{0}', '{}');
  FOR company IN SELECT company_id FROM takt.companies ORDER BY company_id LOOP
    INSERT INTO takt.list_sizes (company_id, product_structure_versions) VALUES (company, 0) ON CONFLICT DO NOTHING;
    PERFORM FROM takt.list_sizes WHERE company_id = company FOR UPDATE;
    UPDATE takt.list_sizes SET product_structure_versions = (
      SELECT count(*) FROM takt.product_structure_versions
      WHERE company_id = company AND changed_at IS NOT NULL)
    WHERE company_id = company;
  END LOOP;
END $function$;

CREATE OR REPLACE FUNCTION takt.note_company_of()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  id text := to_jsonb(CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END) ->> TG_ARGV[1];
  owner jsonb;
BEGIN
  IF TG_OP = 'UPDATE' AND to_jsonb(OLD) ->> TG_ARGV[1] <> id THEN
    RAISE EXCEPTION 'a row of takt.% cannot be given to another owner: delete it and insert another', TG_TABLE_NAME;
  END IF;
  IF current_setting('takt.notes_companies', true) = 'off' THEN
    RETURN NULL;
  END IF;
  EXECUTE format('SELECT to_jsonb(owner) FROM takt.%I owner WHERE %I = $1::bigint AND created_at <> now()', TG_ARGV[2], TG_ARGV[1])
  INTO owner USING id;
  IF owner IS NOT NULL THEN
    IF TG_OP <> 'INSERT' AND TG_ARGV[0] <> 'token' THEN
      PERFORM takt.end_grants((owner ->> 'pid')::integer, (owner ->> 'api_client_id')::integer);
    END IF;
    PERFORM takt.note_audit(TG_ARGV[0] || '-changed', takt.audit_subject(TG_ARGV[0], id, owner), jsonb_build_object('company',
      jsonb_build_object(
        'from', CASE WHEN TG_OP <> 'INSERT' THEN (SELECT code FROM takt.companies WHERE company_id = OLD.company_id) END,
        'to', CASE WHEN TG_OP <> 'DELETE' THEN (SELECT code FROM takt.companies WHERE company_id = NEW.company_id) END)));
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION takt.note_known_network(person integer, network text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ $function$;

CREATE OR REPLACE FUNCTION takt.note_network_of_sign_in(given_sha256 bytea, network text)
 RETURNS void
 LANGUAGE plpgsql
 STRICT SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  person integer := (SELECT token.pid FROM takt.access_tokens token
    WHERE token.token_sha256 = given_sha256 AND token.kind IN ('page', 'person') AND token.revoked_at IS NULL
      AND token.created_at > now() - interval '1 minute');
  hash bytea := takt.network_hash(person, network);
  networks bytea[] := (SELECT known_networks FROM takt.users WHERE pid = person FOR UPDATE);
BEGIN
  IF networks IS NULL THEN
    RETURN;
  END IF;
  -- The array is truncated here, because Citus 14 crashes on an array slice in a statement.
  networks := (array_prepend(hash, array_remove(networks, hash)))[1:8];
  UPDATE takt.users SET known_networks = networks WHERE pid = person;
END $function$;

CREATE OR REPLACE FUNCTION takt.note_refusals(refused json)
 RETURNS void
 LANGUAGE sql
 STRICT SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  DELETE FROM takt.refusals WHERE day < (now() AT TIME ZONE 'UTC')::date - 30;
  WITH counted AS (
    SELECT coalesce(client.name, nullif(concat_ws(' ', person.first_name, person.name), ''), token.description,
        'token ' || token.access_token_id) AS producer,
      one.reason, array_agg(token.access_token_id) AS tokens, (array_agg(one.error))[1] AS error, sum(one.times) AS times
    FROM json_to_recordset(refused) AS one (token bigint, reason text, error json, times bigint)
    JOIN takt.access_tokens token ON token.access_token_id = one.token
    LEFT JOIN takt.api_clients client ON client.api_client_id = token.api_client_id
    LEFT JOIN takt.users person ON person.pid = token.pid
    GROUP BY 1, 2
  )
  INSERT INTO takt.refusals AS known (day, producer, reason, companies, error, times)
  SELECT (now() AT TIME ZONE 'UTC')::date, producer, reason,
    ARRAY(SELECT DISTINCT company.code
      FROM takt.access_token_companies listed JOIN takt.companies company USING (company_id)
      WHERE listed.access_token_id = ANY (tokens)),
    error, times
  FROM counted
  -- In one order, so that two intakes do not wait for each other's rows.
  ORDER BY producer, reason
  ON CONFLICT (day, producer, reason) DO UPDATE
  SET times = known.times + excluded.times, companies = excluded.companies, last_at = excluded.last_at;
$function$;

CREATE OR REPLACE FUNCTION takt.note_row()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  made boolean := TG_OP = 'INSERT';
  after jsonb := to_jsonb(CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END);
  before jsonb := CASE WHEN NOT made THEN to_jsonb(OLD) END;
  id text := after ->> TG_ARGV[1];
  noted jsonb;
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM takt.note_audit(TG_ARGV[0] || '-removed', takt.audit_subject(TG_ARGV[0], id, after), '{}');
    RETURN NULL;
  END IF;
  SELECT jsonb_object_agg(column_name, CASE WHEN made THEN after -> column_name
    ELSE jsonb_build_object('from', before -> column_name, 'to', after -> column_name) END)
  INTO noted
  FROM unnest(TG_ARGV[2]::text[]) AS column_name
  WHERE CASE WHEN made THEN after -> column_name NOT IN ('null', '[]', 'false')
    ELSE before -> column_name <> after -> column_name END;
  IF NOT made AND before -> TG_ARGV[3] <> after -> TG_ARGV[3] THEN
    noted := coalesce(noted, '{}') || jsonb_build_object(TG_ARGV[3], 'renewed');
  END IF;
  IF made AND TG_ARGV[0] <> 'role' THEN
    noted := coalesce(noted, '{}') || jsonb_build_object('companies', CASE TG_ARGV[0]
      WHEN 'person' THEN takt.company_codes(id::integer, NULL)
      WHEN 'client' THEN takt.company_codes(NULL, id::integer)
      ELSE ARRAY(SELECT company.code FROM takt.access_token_companies own JOIN takt.companies company USING (company_id)
        WHERE own.access_token_id = id::bigint ORDER BY own.ordinal) END);
  END IF;
  IF noted IS NOT NULL THEN
    PERFORM takt.note_audit(TG_ARGV[0] || CASE WHEN made THEN '-added' ELSE '-changed' END,
      takt.audit_subject(TG_ARGV[0], id, after), noted);
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION takt.note_token_end()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM takt.note_audit(CASE WHEN NEW.revoked_at IS NULL THEN 'token-restored' ELSE 'token-revoked' END,
    'token ' || NEW.access_token_id,
    jsonb_strip_nulls(jsonb_build_object('description', NEW.description, 'pid', NEW.pid, 'api_client_id', NEW.api_client_id)));
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION takt.note_token_use(token_ids bigint[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ $function$;

CREATE OR REPLACE FUNCTION takt.note_use_of_tokens(given_sha256s bytea[])
 RETURNS void
 LANGUAGE sql
 STRICT SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  UPDATE takt.access_tokens SET last_used_at = now() WHERE access_token_id IN (
    SELECT access_token_id FROM takt.access_tokens WHERE token_sha256 = ANY (given_sha256s) FOR UPDATE SKIP LOCKED);
$function$;

CREATE OR REPLACE FUNCTION takt.note_worker_report(report json, heard_sources json)
 RETURNS void
 LANGUAGE plpgsql
 STRICT SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO takt.worker_reports AS known
    (worker_id, queue, host, pid, version, applied, duplicate, stale, rejected,
     completion_lag_seconds, publishing_lag_seconds, last_commit_at, waiting_jobs)
  SELECT worker.worker_id, told.queue, worker.host, worker.pid, worker.version, told.applied, told.duplicate, told.stale,
    told.rejected, told.completion_lag_seconds, told.publishing_lag_seconds, told.last_commit_at, told.waiting_jobs
  FROM json_to_record(report) AS worker (worker_id uuid, host text, pid integer, version text, queues json),
    json_to_recordset(worker.queues) AS told (queue text, applied bigint, duplicate bigint, stale bigint,
      rejected bigint, completion_lag_seconds double precision, publishing_lag_seconds double precision,
      last_commit_at timestamptz, waiting_jobs bigint)
  ON CONFLICT (worker_id, queue) DO UPDATE SET
    seen_at = now(),
    seen_before = known.seen_at, applied_before = known.applied, duplicate_before = known.duplicate,
    stale_before = known.stale, rejected_before = known.rejected,
    applied = excluded.applied, duplicate = excluded.duplicate, stale = excluded.stale, rejected = excluded.rejected,
    completion_lag_seconds = excluded.completion_lag_seconds,
    publishing_lag_seconds = excluded.publishing_lag_seconds,
    last_commit_at = excluded.last_commit_at, waiting_jobs = excluded.waiting_jobs;

  -- Written in the order of the key, so that two workers do not deadlock.
  INSERT INTO takt.flow_history AS known
    (queue, slot_seconds, slot, begins_at, applied, duplicate, stale, rejected,
     completion_lag_seconds, publishing_lag_seconds, waiting_jobs)
  SELECT told.queue, ring.slot_seconds, current.number % ring.slots, to_timestamp(current.number * ring.slot_seconds),
    told.applied - coalesce(told.applied_before, 0), told.duplicate - coalesce(told.duplicate_before, 0),
    told.stale - coalesce(told.stale_before, 0), told.rejected - coalesce(told.rejected_before, 0),
    told.completion_lag_seconds, told.publishing_lag_seconds, told.waiting_jobs
  FROM takt.worker_reports told,
    (VALUES (20, 180), (300, 288), (7200, 360)) AS ring (slot_seconds, slots),
    LATERAL (SELECT floor(extract(epoch FROM now()) / ring.slot_seconds)::bigint AS number) AS current
  WHERE told.worker_id = (report ->> 'worker_id')::uuid AND told.seen_at = now()
  ORDER BY told.queue, ring.slot_seconds
  ON CONFLICT (queue, slot_seconds, slot) DO UPDATE SET
    (begins_at, applied, duplicate, stale, rejected, completion_lag_seconds, publishing_lag_seconds, waiting_jobs) = (
      SELECT excluded.begins_at, coalesce(same.applied, 0) + excluded.applied,
        coalesce(same.duplicate, 0) + excluded.duplicate, coalesce(same.stale, 0) + excluded.stale,
        coalesce(same.rejected, 0) + excluded.rejected,
        greatest(same.completion_lag_seconds, excluded.completion_lag_seconds),
        greatest(same.publishing_lag_seconds, excluded.publishing_lag_seconds),
        greatest(same.waiting_jobs, excluded.waiting_jobs)
      FROM (SELECT) AS one LEFT JOIN (SELECT known.*) AS same ON known.begins_at = excluded.begins_at);

  DELETE FROM takt.worker_reports WHERE (worker_id, queue) IN (
    SELECT worker_id, queue FROM takt.worker_reports WHERE seen_at < now() - interval '1 day' FOR UPDATE SKIP LOCKED);

  INSERT INTO takt.event_sources AS known (company_id, source, last_event_at, last_event_id)
  SELECT company.company_id, told.source, least(told.last_event_at, now()), told.last_event_id
  FROM json_to_recordset(heard_sources) AS told (database text, source text, last_event_at timestamptz,
      last_event_id text)
  JOIN takt.companies company ON company.code = told.database
  ORDER BY company.company_id, told.source
  ON CONFLICT (company_id, source) DO UPDATE SET
    last_event_at = excluded.last_event_at, last_event_id = excluded.last_event_id
  WHERE excluded.last_event_at > known.last_event_at;

  DELETE FROM takt.event_sources WHERE (company_id, source) IN (
    SELECT crowded.company_id, surplus.source
    FROM (SELECT company_id FROM takt.event_sources GROUP BY company_id HAVING count(*) > 1000) AS crowded,
      LATERAL (SELECT source FROM takt.event_sources one WHERE one.company_id = crowded.company_id
        ORDER BY last_event_at DESC, source OFFSET 1000 FOR UPDATE SKIP LOCKED) AS surplus);
END $function$;

CREATE OR REPLACE FUNCTION takt.number_keys(only_company integer, companies integer[], named_kind text, keys text[])
 RETURNS bigint[]
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_nestloop TO 'off'
AS $function$
DECLARE
  seen bigint[] := takt.last_numbers(only_company, companies, named_kind);
  numbers bigint[] := takt.find_numbers(only_company, companies, named_kind, keys);
  owner integer;
  last bigint;
  added text[];
  new_companies integer[] := '{}';
  new_keys text[] := '{}';
  new_numbers bigint[] := '{}';
BEGIN
  IF NOT EXISTS (
    SELECT FROM ROWS FROM (unnest(companies), unnest(keys), unnest(numbers)) AS event (company, key, number)
    WHERE company IS NOT NULL AND key <> '' AND number IS NULL
  ) THEN
    RETURN numbers;
  END IF;
  PERFORM FROM takt.key_counters
  WHERE company_id = ANY (companies) AND (company_id = only_company OR only_company IS NULL) AND kind = named_kind
  ORDER BY company_id FOR NO KEY UPDATE;
  -- Other transactions may have numbered keys until then.
  IF takt.last_numbers(only_company, companies, named_kind) <> seen THEN
    numbers := takt.find_numbers(only_company, companies, named_kind, keys);
  END IF;
  FOR owner IN
    SELECT DISTINCT company
    FROM ROWS FROM (unnest(companies), unnest(keys), unnest(numbers)) AS event (company, key, number)
    WHERE company IS NOT NULL AND key <> '' AND number IS NULL
  LOOP
    last := (SELECT last_number FROM takt.key_counters
      WHERE company_id = coalesce(only_company, owner) AND kind = named_kind);
    added := array(
      SELECT DISTINCT event.key COLLATE "C"
      FROM ROWS FROM (unnest(companies), unnest(keys), unnest(numbers)) AS event (company, key, number)
      WHERE event.company = owner AND event.key <> '' AND event.number IS NULL
      ORDER BY event.key COLLATE "C");
    INSERT INTO takt.object_keys (company_id, kind, key, number)
    SELECT coalesce(only_company, owner), named_kind, new.key, last + new.ordinality
    FROM unnest(added) WITH ORDINALITY AS new (key);
    UPDATE takt.key_counters SET last_number = last + cardinality(added)
    WHERE company_id = coalesce(only_company, owner) AND kind = named_kind;
    -- The row of a structure version has its key from the start.
    IF named_kind = 'version' THEN
      INSERT INTO takt.product_structure_versions (company_id, product_structure_version_id, product_structure_version_key)
      SELECT coalesce(only_company, owner), last + new.ordinality, new.key
      FROM unnest(added) WITH ORDINALITY AS new (key);
    END IF;
    new_companies := new_companies || array_fill(owner, array[cardinality(added)]);
    new_keys := new_keys || added;
    new_numbers := new_numbers || array(SELECT generate_series(last + 1, last + cardinality(added)));
  END LOOP;
  RETURN (
    SELECT array_agg(coalesce(event.number, new.number) ORDER BY event.ordinality)
    FROM ROWS FROM (unnest(companies), unnest(keys), unnest(numbers)) WITH ORDINALITY AS event (company, key, number)
    LEFT JOIN ROWS FROM (unnest(new_companies), unnest(new_keys), unnest(new_numbers)) AS new (company, key, number)
      ON new.company = event.company AND new.key = event.key
  );
END $function$;

CREATE OR REPLACE FUNCTION takt.number_objects(only_company integer, companies integer[], kinds text[], keys text[], OUT numbers bigint[], OUT misnamed text[])
 RETURNS record
 LANGUAGE plpgsql
AS $function$
DECLARE
  named_by_key integer[] := '{}';
  writable integer[];
BEGIN
  misnamed := (
    WITH by_key AS (
      SELECT array_agg(company_id) FILTER (WHERE kind = kinds[1]) AS first,
        array_agg(company_id) FILTER (WHERE kind = kinds[2]) AS second,
        array_agg(company_id) FILTER (WHERE kind = kinds[3]) AS third
      FROM takt.key_counters WHERE company_id = ANY (companies)
    )
    SELECT array_agg(CASE WHEN company IS NOT NULL AND (first OR second OR third) THEN (
      SELECT kind FROM unnest(kinds, array[first, second, third]) AS object (kind, is_wrong)
      WHERE is_wrong ORDER BY array_position('{version,operation,product,order}', kind) LIMIT 1
    ) END ORDER BY ordinality)
    FROM (
      SELECT company, ordinality,
        (event.first = '') = coalesce(company = ANY (by_key.first), false) AS first,
        (event.second = '') = coalesce(company = ANY (by_key.second), false) AS second,
        (event.third = '') = coalesce(company = ANY (by_key.third), false) AS third
      FROM ROWS FROM (unnest(companies), unnest(keys[1:1]), unnest(keys[2:2]), unnest(keys[3:3])) WITH ORDINALITY
        AS event (company, first, second, third, ordinality)
      CROSS JOIN by_key
    ) AS wrong
  );
  writable := takt.without_misnamed(companies, misnamed);
  numbers := '{}';
  FOR place IN 1 .. cardinality(kinds) LOOP
    numbers := numbers || array[takt.number_keys(only_company, writable, kinds[place], keys[place:place])];
  END LOOP;
END $function$;

CREATE OR REPLACE FUNCTION takt.only_time_zone(companies integer[])
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  RETURN (
    SELECT CASE
      WHEN count(*) = 0 THEN 'UTC'
      WHEN min(time_zone) = max(time_zone) AND count(rebuilt_to) = 0
        AND count(*) = (SELECT count(DISTINCT company) FROM unnest(companies) AS company) THEN min(time_zone)
    END
    FROM takt.month_zones WHERE company_id = ANY (companies)
  );
END $function$;

CREATE OR REPLACE FUNCTION takt.page_secret()
 RETURNS bytea
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT sha256(key.secret || convert_to('ids on pages', 'UTF8')) FROM takt.salt_secret key
$function$;

CREATE OR REPLACE FUNCTION takt.part_of_text(whole text, place numeric, characters numeric)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
BEGIN
  IF characters < 1 OR place >= length(whole) THEN
    RETURN '';
  END IF;
  RETURN substr(whole, greatest(trunc(place), 0)::integer + 1, least(trunc(characters), length(whole))::integer);
END $function$;

CREATE OR REPLACE FUNCTION takt.percent_change(n bigint, total numeric, n_before bigint, total_before numeric)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT CASE WHEN n > 0 AND n_before > 0 AND total_before > 0 THEN
    div(20000 * (total * n_before - total_before * n) + sign(total * n_before - total_before * n) * total_before * n,
      2 * total_before * n)::bigint
  END
$function$;

CREATE OR REPLACE FUNCTION takt.percent_over_plan(n bigint, total numeric, planned bigint)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (div((((20000)::numeric * takt.microhours_over_plan(n, total, planned)) + ((sign(takt.microhours_over_plan(n, total, planned)) * (n)::numeric) * (planned)::numeric)), NULLIF((((2)::numeric * (n)::numeric) * (planned)::numeric), (0)::numeric)))::bigint;

CREATE OR REPLACE FUNCTION takt.person_in_company(given_sha256 bytea, company text, OUT pid integer, OUT company_id integer)
 RETURNS record
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT granted.pid, (listed ->> 'company_id')::integer
  FROM takt.find_access_token(given_sha256) AS granted
  JOIN takt.access_tokens session ON session.access_token_id = granted.access_token_id AND session.kind = 'page',
    json_array_elements(granted.companies) AS listed
  WHERE lower(listed ->> 'code') = lower(company)
$function$;

CREATE OR REPLACE FUNCTION takt.place_in_text(whole text, part text)
 RETURNS integer
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
DECLARE
  folded text := casefold(whole COLLATE "und-x-icu");
  folded_place integer := position(casefold(part COLLATE "und-x-icu") IN folded);
  place integer := folded_place;
BEGIN
  IF length(folded) <> length(whole) AND place > 0 THEN
    place := 1;
    WHILE length(casefold(left(whole, place) COLLATE "und-x-icu")) < folded_place LOOP
      place := place + 1;
    END LOOP;
  END IF;
  RETURN place - 1;
END $function$;

CREATE OR REPLACE FUNCTION takt.plain_text(whole text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  SELECT CASE
    WHEN octet_length(whole) = length(whole) THEN casefold(whole COLLATE "und-x-icu")
    ELSE replace(replace(replace(translate(
      normalize(regexp_replace(normalize(casefold(whole COLLATE "und-x-icu"), NFD), '[\u0300-\u036f]', '', 'g'), NFC),
      'øłđðıħŧŋ', 'olddihtn'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
  END
$function$;

CREATE OR REPLACE FUNCTION takt.plan_suggestions(min_operations bigint, threshold numeric)
 RETURNS SETOF takt.plan_suggestion
 LANGUAGE sql
 STABLE
AS $function$
  SELECT company_id, suggestion, kind, product_structure_version_id, status, name, version, revision, product_id, product_name,
    planned, suggested, over_plan_percent, operations, hours_over_plan, hours_a_year, mean_low, mean_high, verdict
  FROM takt.plan_suggestions
  WHERE operations >= min_operations AND takt.differs_from_plan(hours_over_plan, operations, planned, threshold)
$function$;

CREATE OR REPLACE FUNCTION takt.planned_of_few(runs bigint, run_time bigint, setups bigint, setup_time bigint, cleanups bigint, cleanup_time bigint)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT CASE WHEN runs <= 300000 THEN
    coalesce(runs * run_time, 0) + coalesce(setups * setup_time, 0) + coalesce(cleanups * cleanup_time, 0) END
$function$;

CREATE OR REPLACE FUNCTION takt.planned_of_many(runs bigint, run_time bigint, setups bigint, setup_time bigint, cleanups bigint, cleanup_time bigint)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT CASE WHEN runs > 300000 THEN
    coalesce(runs::numeric * run_time, 0) + coalesce(setups::numeric * setup_time, 0)
      + coalesce(cleanups::numeric * cleanup_time, 0) END
$function$;

CREATE OR REPLACE FUNCTION takt.population_deviation_microhours(n bigint, total numeric, sum_of_squares numeric)
 RETURNS bigint
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
DECLARE
  v numeric;
  root numeric;
BEGIN
  IF n = 0 THEN
    RETURN NULL;
  END IF;
  v := trunc(4000000000000 * (n * sum_of_squares - total * total));
  root := trunc(sqrt(v));
  IF root * root > v THEN
    root := root - 1;
  END IF;
  RETURN div(root + n, 2 * n);
END $function$;

CREATE OR REPLACE FUNCTION takt.product_production_times()
 RETURNS SETOF takt.product_production_time
 LANGUAGE sql
 STABLE
AS $function$
  SELECT company_id, product_id, product.name AS product_name, product.status, product.type COLLATE "und-x-icu" AS type,
    structure_versions, operations, takt.within_bigint(planned) AS planned,
    takt.within_bigint(planned + over_plan) AS actual, takt.within_bigint(over_plan) AS hours_over_plan,
    takt.within_bigint(div(20000 * over_plan + sign(over_plan) * planned, nullif(2 * planned, 0))) AS over_plan_percent
  FROM (
    SELECT company_id, product_id, structure_versions, operations, over_plan,
      CASE WHEN over_plan IS NOT NULL THEN coalesce(planned_of_few, 0) + coalesce(planned_of_many, 0) END AS planned
    FROM (
      SELECT listed.company_id, listed.product_id, count(*) AS structure_versions,
        sum(listed.number_of_completed_operations)::bigint AS operations,
        sum(listed.hours_over_plan) AS over_plan,
        sum(takt.planned_of_few(listed.number_of_completed_operations, listed.run_time, listed.setup_time_count,
          listed.setup_time, listed.cleanup_time_count, listed.cleanup_time)) AS planned_of_few,
        sum(takt.planned_of_many(listed.number_of_completed_operations, listed.run_time, listed.setup_time_count,
          listed.setup_time, listed.cleanup_time_count, listed.cleanup_time)) AS planned_of_many
      FROM takt.product_structure_versions AS listed
      WHERE listed.changed_at IS NOT NULL
      GROUP BY listed.company_id, listed.product_id
    ) AS summed
  ) AS planned_and_over
  JOIN takt.products AS product USING (company_id, product_id)
$function$;

CREATE OR REPLACE FUNCTION takt.prove_client(client integer, proof bytea)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM FROM takt.api_clients known WHERE known.api_client_id = client FOR SHARE;
  RETURN takt.is_client(client, proof);
END $function$;

CREATE OR REPLACE FUNCTION takt.prune_operations(company integer, before date, after_operation bigint, OUT up_to bigint, OUT operations bigint, OUT versions bigint[])
 RETURNS record
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
DECLARE
  begin_of_day timestamptz := before::timestamp AT TIME ZONE 'UTC';
  zones takt.month_zones;
  pruned takt.work_order_operations[];
  blocks bigint[];
BEGIN
  -- A step ends at the end of a block, so that each block of revisions is written once. If ids are far apart, a step
  -- covers fewer blocks.
  up_to := (
    SELECT (max(block) + 1) * 1024 - 1
    FROM (
      SELECT DISTINCT work_order_operation_id / 1024 AS block
      FROM (
        SELECT work_order_operation_id FROM takt.work_order_operations
        WHERE company_id = company AND work_order_operation_id > after_operation
          AND product_structure_version_id IS NOT NULL AND changed_at < begin_of_day
        ORDER BY work_order_operation_id LIMIT 1000
      ) AS next
      ORDER BY block LIMIT 32
    ) AS touched
  );
  operations := 0;
  versions := '{}';
  IF up_to IS NULL THEN
    RETURN;
  END IF;

  PERFORM takt.lock_months(company);
  SELECT * INTO zones FROM takt.month_zones WHERE company_id = company;
  INSERT INTO takt.prunings AS known VALUES (company, before)
  ON CONFLICT (company_id) DO UPDATE SET pruned_before = greatest(known.pruned_before, excluded.pruned_before);

  pruned := array(
    SELECT ledger FROM takt.work_order_operations ledger
    WHERE company_id = company AND work_order_operation_id > after_operation AND work_order_operation_id <= up_to
      AND product_structure_version_id IS NOT NULL AND changed_at < begin_of_day
    ORDER BY work_order_operation_id);
  operations := cardinality(pruned);
  versions := array(SELECT DISTINCT product_structure_version_id FROM unnest(pruned) ORDER BY 1);

  INSERT INTO takt.pruned_figures AS known (company_id, product_structure_version_id, month,
    run_time_count, run_time_sum, run_time_sum_of_squares, shortest_run_time, longest_run_time,
    setup_time_count, setup_time_sum, setup_time_sum_of_squares, shortest_setup_time, longest_setup_time,
    cleanup_time_count, cleanup_time_sum, cleanup_time_sum_of_squares, shortest_cleanup_time, longest_cleanup_time,
    last_completed_at)
  SELECT company, product_structure_version_id,
    takt.month_of(changed_at, takt.time_zone_in(product_structure_version_id,
      zones.time_zone, zones.time_zone_before, zones.rebuilt_to)) AS month,
    count(run_time), sum(run_time), sum(run_time * run_time), min(run_time), max(run_time),
    count(setup_time), coalesce(sum(setup_time), 0), coalesce(sum(setup_time * setup_time), 0), min(setup_time), max(setup_time),
    count(cleanup_time), coalesce(sum(cleanup_time), 0), coalesce(sum(cleanup_time * cleanup_time), 0), min(cleanup_time), max(cleanup_time),
    max(changed_at)
  FROM unnest(pruned)
  GROUP BY product_structure_version_id, month
  ORDER BY product_structure_version_id, month
  ON CONFLICT (company_id, product_structure_version_id, month) DO UPDATE SET
    run_time_count = known.run_time_count + excluded.run_time_count,
    run_time_sum = known.run_time_sum + excluded.run_time_sum,
    run_time_sum_of_squares = known.run_time_sum_of_squares + excluded.run_time_sum_of_squares,
    shortest_run_time = least(known.shortest_run_time, excluded.shortest_run_time),
    longest_run_time = greatest(known.longest_run_time, excluded.longest_run_time),
    setup_time_count = known.setup_time_count + excluded.setup_time_count,
    setup_time_sum = known.setup_time_sum + excluded.setup_time_sum,
    setup_time_sum_of_squares = known.setup_time_sum_of_squares + excluded.setup_time_sum_of_squares,
    shortest_setup_time = least(known.shortest_setup_time, excluded.shortest_setup_time),
    longest_setup_time = greatest(known.longest_setup_time, excluded.longest_setup_time),
    cleanup_time_count = known.cleanup_time_count + excluded.cleanup_time_count,
    cleanup_time_sum = known.cleanup_time_sum + excluded.cleanup_time_sum,
    cleanup_time_sum_of_squares = known.cleanup_time_sum_of_squares + excluded.cleanup_time_sum_of_squares,
    shortest_cleanup_time = least(known.shortest_cleanup_time, excluded.shortest_cleanup_time),
    longest_cleanup_time = greatest(known.longest_cleanup_time, excluded.longest_cleanup_time),
    last_completed_at = greatest(known.last_completed_at, excluded.last_completed_at);

  blocks := array(SELECT DISTINCT work_order_operation_id / 1024 FROM unnest(pruned));
  INSERT INTO takt.pruned_operations AS known (company_id, block, revisions)
  SELECT company, place.block, array_agg(coalesce(came.revision, stood.revision) ORDER BY place.rest)
  FROM (
    SELECT block, rest
    FROM unnest(blocks) AS block, generate_series(0, 1023) AS rest
  ) AS place
  LEFT JOIN (
    SELECT work_order_operation_id / 1024 AS block, work_order_operation_id % 1024 AS rest, revision
    FROM unnest(pruned)
  ) AS came USING (block, rest)
  LEFT JOIN (
    SELECT block, ordinality - 1 AS rest, revision
    FROM takt.pruned_operations CROSS JOIN LATERAL unnest(revisions) WITH ORDINALITY AS one (revision)
    WHERE company_id = company AND block = ANY (blocks)
  ) AS stood USING (block, rest)
  GROUP BY place.block
  ON CONFLICT (company_id, block) DO UPDATE SET revisions = excluded.revisions;

  DELETE FROM takt.work_order_operations
  WHERE company_id = company
    AND work_order_operation_id = ANY (array(SELECT work_order_operation_id FROM unnest(pruned)));
  PERFORM takt.note_changes(array[company]);
END $function$;

CREATE OR REPLACE FUNCTION takt.quicken_secret(client integer, slow_proof bytea, given_sha256 bytea)
 RETURNS boolean
 LANGUAGE plpgsql
 STRICT SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  UPDATE takt.api_clients SET secret_sha256 = sha256(given_sha256)
  WHERE api_client_id = client AND disabled_at IS NULL AND (secret).sha256 = sha256(slow_proof);
  RETURN FOUND;
END $function$;

CREATE OR REPLACE FUNCTION takt.rebuild_months(company integer, up_to bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
DECLARE
  done bigint;
  reach bigint := coalesce(up_to, 9223372036854775807);
BEGIN
  PERFORM takt.lock_months(company);
  done := (SELECT rebuilt_to FROM takt.month_zones WHERE company_id = company);
  -- Another run may have rebuilt these already.
  IF done IS NULL OR up_to <= done THEN
    RETURN;
  END IF;
  UPDATE takt.month_zones SET
    rebuilt_to = up_to, time_zone_before = CASE WHEN up_to IS NOT NULL THEN time_zone_before END
  WHERE company_id = company;
  PERFORM takt.rebuild_production_times(company, array(
    SELECT product_structure_version_id FROM takt.monthly_figures
    WHERE company_id = company AND product_structure_version_id > done AND product_structure_version_id <= reach
    UNION
    SELECT product_structure_version_id FROM takt.work_order_operations
    WHERE company_id = company AND product_structure_version_id > done AND product_structure_version_id <= reach));
  PERFORM takt.note_changes(array[company]);
END $function$;

CREATE OR REPLACE FUNCTION takt.rebuild_production_times(company integer, versions bigint[])
 RETURNS SETOF bigint
 LANGUAGE plpgsql
AS $function$
DECLARE
  zones takt.month_zones;
  of_wrong_months bigint[];
  of_wrong_texts bigint[];
  of_wrong_keys bigint[];
BEGIN
  PERFORM takt.share_months(array[company]);
  SELECT * INTO zones FROM takt.month_zones WHERE company_id = company;
  PERFORM takt.lock_figures(company, array(
    SELECT (company, version, NULL, NULL, NULL, NULL, NULL, NULL)::takt.figures_change
    FROM unnest(versions) AS version ORDER BY version));

  WITH kept AS (
    SELECT product_structure_version_id AS id,
      takt.month_of(changed_at, takt.time_zone_in(product_structure_version_id,
        zones.time_zone, zones.time_zone_before, zones.rebuilt_to)) AS month,
      count(run_time) AS run_count, sum(run_time) AS run_sum, sum(run_time * run_time) AS run_squares,
      min(run_time) * 1000000 AS run_min, max(run_time) * 1000000 AS run_max,
      count(setup_time) AS setup_count, sum(setup_time) AS setup_sum, sum(setup_time * setup_time) AS setup_squares,
      min(setup_time) * 1000000 AS setup_min, max(setup_time) * 1000000 AS setup_max,
      count(cleanup_time) AS cleanup_count, sum(cleanup_time) AS cleanup_sum, sum(cleanup_time * cleanup_time) AS cleanup_squares,
      min(cleanup_time) * 1000000 AS cleanup_min, max(cleanup_time) * 1000000 AS cleanup_max,
      max(changed_at) AS last
    FROM takt.work_order_operations
    WHERE company_id = company AND product_structure_version_id = ANY (versions)
    GROUP BY id, month
    UNION ALL
    SELECT product_structure_version_id, month,
      run_time_count, run_time_sum, run_time_sum_of_squares, shortest_run_time * 1000000, longest_run_time * 1000000,
      setup_time_count, setup_time_sum, setup_time_sum_of_squares, shortest_setup_time * 1000000, longest_setup_time * 1000000,
      cleanup_time_count, cleanup_time_sum, cleanup_time_sum_of_squares, shortest_cleanup_time * 1000000, longest_cleanup_time * 1000000,
      last_completed_at
    FROM takt.pruned_figures
    WHERE company_id = company AND product_structure_version_id = ANY (versions)
    UNION ALL
    -- Sets months that have no operations any more to zero.
    SELECT product_structure_version_id, month, 0, 0, 0, NULL, NULL, 0, 0, 0, NULL, NULL, 0, 0, 0, NULL, NULL, NULL
    FROM takt.monthly_figures
    WHERE company_id = company AND product_structure_version_id = ANY (versions)
  ), recomputed AS (
    SELECT id, month,
      sum(run_count) AS run_count, coalesce(sum(run_sum), 0) AS run_sum, coalesce(sum(run_squares), 0) AS run_squares,
      min(run_min) AS run_min, max(run_max) AS run_max,
      sum(setup_count) AS setup_count, coalesce(sum(setup_sum), 0) AS setup_sum, coalesce(sum(setup_squares), 0) AS setup_squares,
      min(setup_min) AS setup_min, max(setup_max) AS setup_max,
      sum(cleanup_count) AS cleanup_count, coalesce(sum(cleanup_sum), 0) AS cleanup_sum, coalesce(sum(cleanup_squares), 0) AS cleanup_squares,
      min(cleanup_min) AS cleanup_min, max(cleanup_max) AS cleanup_max,
      max(last) AS last
    FROM kept
    GROUP BY id, month
  ), written AS (
    INSERT INTO takt.monthly_figures AS figures (company_id, product_structure_version_id, month,
      number_of_completed_operations, run_time_sum, run_time_sum_of_squares, shortest_run_time, longest_run_time,
      setup_time_count, setup_time_sum, setup_time_sum_of_squares, shortest_setup_time, longest_setup_time,
      cleanup_time_count, cleanup_time_sum, cleanup_time_sum_of_squares, shortest_cleanup_time, longest_cleanup_time,
      last_completed_at)
    SELECT company, id, month,
      run_count, run_sum, run_squares, run_min, run_max,
      setup_count, setup_sum, setup_squares, setup_min, setup_max,
      cleanup_count, cleanup_sum, cleanup_squares, cleanup_min, cleanup_max,
      last
    FROM recomputed
    ON CONFLICT (company_id, product_structure_version_id, month) DO UPDATE SET
      number_of_completed_operations = excluded.number_of_completed_operations,
      run_time_sum = excluded.run_time_sum, run_time_sum_of_squares = excluded.run_time_sum_of_squares,
      shortest_run_time = excluded.shortest_run_time, longest_run_time = excluded.longest_run_time,
      setup_time_count = excluded.setup_time_count, setup_time_sum = excluded.setup_time_sum,
      setup_time_sum_of_squares = excluded.setup_time_sum_of_squares,
      shortest_setup_time = excluded.shortest_setup_time, longest_setup_time = excluded.longest_setup_time,
      cleanup_time_count = excluded.cleanup_time_count, cleanup_time_sum = excluded.cleanup_time_sum,
      cleanup_time_sum_of_squares = excluded.cleanup_time_sum_of_squares,
      shortest_cleanup_time = excluded.shortest_cleanup_time, longest_cleanup_time = excluded.longest_cleanup_time,
      last_completed_at = excluded.last_completed_at
    WHERE (
      figures.number_of_completed_operations, figures.run_time_sum, figures.run_time_sum_of_squares,
      figures.shortest_run_time, figures.longest_run_time, figures.setup_time_count, figures.setup_time_sum,
      figures.setup_time_sum_of_squares, figures.shortest_setup_time, figures.longest_setup_time,
      figures.cleanup_time_count, figures.cleanup_time_sum, figures.cleanup_time_sum_of_squares,
      figures.shortest_cleanup_time, figures.longest_cleanup_time, figures.last_completed_at
    ) IS DISTINCT FROM (
      excluded.number_of_completed_operations, excluded.run_time_sum, excluded.run_time_sum_of_squares,
      excluded.shortest_run_time, excluded.longest_run_time, excluded.setup_time_count, excluded.setup_time_sum,
      excluded.setup_time_sum_of_squares, excluded.shortest_setup_time, excluded.longest_setup_time,
      excluded.cleanup_time_count, excluded.cleanup_time_sum, excluded.cleanup_time_sum_of_squares,
      excluded.shortest_cleanup_time, excluded.longest_cleanup_time, excluded.last_completed_at)
    RETURNING figures.product_structure_version_id AS id
  )
  SELECT array_agg(DISTINCT id) INTO of_wrong_months FROM written;

  -- A row of figures that was lost has lost the key with it.
  WITH known AS (
    SELECT listed.product_structure_version_id AS id, own.key COLLATE "und-x-icu" AS key, product.product_key
    FROM takt.product_structure_versions listed
    LEFT JOIN takt.object_keys own ON own.company_id = company AND own.kind = 'version'
      AND own.number = listed.product_structure_version_id
    LEFT JOIN takt.products product ON product.company_id = company AND product.product_id = listed.product_id
    WHERE listed.company_id = company AND listed.product_structure_version_id = ANY (versions)
  ), written AS (
    UPDATE takt.product_structure_versions listed
    SET product_structure_version_key = known.key, product_key = known.product_key
    FROM known
    WHERE listed.company_id = company AND listed.product_structure_version_id = known.id
      AND (listed.product_structure_version_key, listed.product_key) IS DISTINCT FROM (known.key, known.product_key)
    RETURNING listed.product_structure_version_id AS id
  )
  SELECT array_agg(id) INTO of_wrong_keys FROM written;

  WITH searched AS (
    SELECT listed.product_structure_version_id AS id, takt.searched_text(listed.product_name, listed.name,
      listed.product_id, listed.product_structure_version_id, listed.product_key, listed.product_structure_version_key) AS folded
    FROM takt.product_structure_versions listed
    WHERE listed.company_id = company AND listed.product_structure_version_id = ANY (versions)
      AND listed.changed_at IS NOT NULL
  ), written AS (
    INSERT INTO takt.structure_version_texts AS known (company_id, product_structure_version_id, folded)
    SELECT company, id, folded FROM searched
    ON CONFLICT (company_id, product_structure_version_id) DO UPDATE SET folded = excluded.folded
    WHERE known.folded <> excluded.folded
    RETURNING known.product_structure_version_id AS id
  )
  SELECT array_agg(id) INTO of_wrong_texts FROM written;

  RETURN QUERY
  WITH recomputed AS (
    SELECT wanted.id,
      coalesce(sum(number_of_completed_operations), 0) AS run_count, coalesce(sum(run_time_sum), 0) AS run_sum,
      coalesce(sum(run_time_sum_of_squares), 0) AS run_squares,
      min(shortest_run_time) AS run_min, max(longest_run_time) AS run_max,
      coalesce(sum(setup_time_count), 0) AS setup_count, coalesce(sum(setup_time_sum), 0) AS setup_sum,
      coalesce(sum(setup_time_sum_of_squares), 0) AS setup_squares,
      min(shortest_setup_time) AS setup_min, max(longest_setup_time) AS setup_max,
      coalesce(sum(cleanup_time_count), 0) AS cleanup_count, coalesce(sum(cleanup_time_sum), 0) AS cleanup_sum,
      coalesce(sum(cleanup_time_sum_of_squares), 0) AS cleanup_squares,
      min(shortest_cleanup_time) AS cleanup_min, max(longest_cleanup_time) AS cleanup_max
    FROM unnest(versions) AS wanted (id)
    LEFT JOIN takt.monthly_figures months
      ON months.company_id = company AND months.product_structure_version_id = wanted.id
    GROUP BY wanted.id
  ), updated AS (
    UPDATE takt.product_structure_versions AS figures SET
    number_of_completed_operations = run_count, run_time_sum = run_sum, run_time_sum_of_squares = run_squares,
    shortest_run_time = run_min, longest_run_time = run_max,
    setup_time_count = setup_count, setup_time_sum = setup_sum, setup_time_sum_of_squares = setup_squares,
    shortest_setup_time = setup_min, longest_setup_time = setup_max,
    cleanup_time_count = cleanup_count, cleanup_time_sum = cleanup_sum, cleanup_time_sum_of_squares = cleanup_squares,
    shortest_cleanup_time = cleanup_min, longest_cleanup_time = cleanup_max
    FROM recomputed
    WHERE figures.company_id = company AND figures.product_structure_version_id = recomputed.id
      AND (
      figures.number_of_completed_operations, figures.run_time_sum, figures.run_time_sum_of_squares,
      figures.shortest_run_time, figures.longest_run_time,
      figures.setup_time_count, figures.setup_time_sum, figures.setup_time_sum_of_squares,
      figures.shortest_setup_time, figures.longest_setup_time,
      figures.cleanup_time_count, figures.cleanup_time_sum, figures.cleanup_time_sum_of_squares,
      figures.shortest_cleanup_time, figures.longest_cleanup_time
      ) IS DISTINCT FROM (
      run_count, run_sum, run_squares, run_min, run_max,
      setup_count, setup_sum, setup_squares, setup_min, setup_max,
      cleanup_count, cleanup_sum, cleanup_squares, cleanup_min, cleanup_max)
    RETURNING figures.product_structure_version_id AS id
  )
  SELECT unnest(of_wrong_months) UNION SELECT unnest(of_wrong_texts) UNION SELECT unnest(of_wrong_keys)
  UNION SELECT id FROM updated;

  IF FOUND THEN
    PERFORM takt.note_changes(array[company]);
  END IF;
END $function$;

CREATE OR REPLACE FUNCTION takt.refuse_rejections(outcome text)
 RETURNS void
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
BEGIN
  IF outcome NOT IN ('duplicate', 'stale') THEN
    RAISE EXCEPTION 'the batch has a rejected event' USING ERRCODE = 'TK001';
  END IF;
END $function$;

CREATE OR REPLACE FUNCTION takt.remove_company(company integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  emptied text;
  code text := (SELECT known.code FROM takt.companies known WHERE company_id = company);
BEGIN
  -- As takt.decide_naming, so that no event of the company is being applied.
  PERFORM pg_advisory_xact_lock(hashtext('takt months'), company % 64);
  UPDATE takt.api_clients client SET disabled_at = coalesce(disabled_at, now())
  WHERE EXISTS (SELECT FROM takt.api_client_companies own WHERE own.api_client_id = client.api_client_id AND company_id = company)
    AND NOT EXISTS (SELECT FROM takt.api_client_companies own WHERE own.api_client_id = client.api_client_id AND company_id <> company);
  DELETE FROM takt.access_tokens token
  WHERE EXISTS (SELECT FROM takt.access_token_companies own WHERE own.access_token_id = token.access_token_id AND company_id = company)
    AND NOT EXISTS (SELECT FROM takt.access_token_companies own WHERE own.access_token_id = token.access_token_id AND company_id <> company);
  -- Tables whose rows refer to others come first.
  FOREACH emptied IN ARRAY array['access_token_companies', 'api_client_companies', 'user_companies', 'import_changes', 'imports',
    'saved_views', 'application_versions', 'structure_version_texts', 'work_order_operations', 'monthly_figures',
    'pruned_figures', 'pruned_operations', 'prunings', 'month_zones', 'product_structure_versions', 'products', 'object_keys',
    'key_counters', 'list_sizes', 'company_changes', 'rejections', 'event_sources']
  LOOP
    EXECUTE format('DELETE FROM takt.%I WHERE company_id = $1', emptied) USING company;
  END LOOP;
  DELETE FROM takt.refusals WHERE companies <@ ARRAY[code];
  UPDATE takt.refusals SET companies = array_remove(companies, code) WHERE code = ANY (companies);
  DELETE FROM takt.companies WHERE company_id = company;
  PERFORM takt.note_changes('{0}');
  PERFORM takt.note_audit('company-removed', 'company ' || code, '{}');
END $function$;

CREATE OR REPLACE FUNCTION takt.revoke_client_token(client integer, client_proof bytea, given_sha256 bytea, OUT refused text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF NOT takt.is_client(client, client_proof) THEN
    refused := 'invalid_client';
  ELSIF EXISTS (
    SELECT FROM takt.access_tokens token WHERE token.token_sha256 = given_sha256 AND token.api_client_id IS DISTINCT FROM client
    UNION ALL
    SELECT FROM takt.refresh_tokens token JOIN takt.token_families family USING (token_family_id)
    WHERE token.token_sha256 = given_sha256 AND family.api_client_id <> client) THEN
    refused := 'invalid_grant';
  ELSE
    PERFORM set_config('takt.actor', concat_ws(' ', 'client', known.api_client_id, known.name), true)
    FROM takt.api_clients known WHERE known.api_client_id = client;
    PERFORM takt.end_sign_in(given_sha256);
  END IF;
END $function$;

CREATE OR REPLACE FUNCTION takt.revoke_family(family bigint)
 RETURNS void
 LANGUAGE sql
 STRICT
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  UPDATE takt.token_families SET revoked_at = least(revoked_at, now()) WHERE token_family_id = family;
$function$;

CREATE OR REPLACE FUNCTION takt.revoke_token(given_sha256 bytea)
 RETURNS void
 LANGUAGE plpgsql
 STRICT SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM takt.act_as(given_sha256);
  PERFORM takt.end_sign_in(given_sha256);
END $function$;

CREATE OR REPLACE FUNCTION takt.round_width(width double precision)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT min(digit * power)::bigint
  FROM unnest(ARRAY[1, 2, 5, 10]) AS digit, LATERAL (SELECT 10.0 ^ floor(log(width::numeric))) AS decade (power)
  WHERE digit * power >= width::numeric
$function$;

CREATE OR REPLACE FUNCTION takt.same_microhours(hours numeric)
 RETURNS bigint
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
BEGIN
  IF hours < 0 OR hours > 1000000000000 OR hours <> round(hours, 6) THEN
    RETURN -2;
  END IF;
  RETURN hours * 1000000;
END $function$;

CREATE OR REPLACE FUNCTION takt.same_microhours(hours numeric[])
 RETURNS bigint[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
BEGIN
  RETURN array(SELECT takt.same_microhours(value) FROM unnest(hours) AS value);
END $function$;

CREATE OR REPLACE FUNCTION takt.same_units(given numeric[], decimals integer, smallest bigint)
 RETURNS bigint[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
BEGIN
  RETURN array(SELECT takt.same_units(value, decimals, smallest) FROM unnest(given) AS value);
END $function$;

CREATE OR REPLACE FUNCTION takt.same_units(value numeric, decimals integer, smallest bigint)
 RETURNS bigint
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
DECLARE
  units numeric := value * 10::numeric ^ decimals;
BEGIN
  IF units <> trunc(units) OR units < smallest OR units > 9223372036854775807 THEN
    RETURN 9223372036854775807;
  END IF;
  RETURN units;
END $function$;

CREATE OR REPLACE FUNCTION takt.save_view(given_sha256 bytea, company text, view_name text, view_path text, view_query text, shared boolean, OUT refused text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  asker record;
BEGIN
  -- Views that are saved at the same moment are counted one after the other. The rights may end during the wait.
  PERFORM pg_advisory_xact_lock(hashtext('takt saved views'), pid) FROM takt.person_in_company(given_sha256, company);
  SELECT * INTO asker FROM takt.person_in_company(given_sha256, company);
  IF asker.pid IS NULL THEN
    refused := 'no-person';
  ELSIF (
    SELECT count(*) >= 100 FROM takt.saved_views AS known
    WHERE known.company_id = asker.company_id AND known.pid = asker.pid AND known.name <> view_name) THEN
    refused := 'full';
  ELSE
    INSERT INTO takt.saved_views AS known (company_id, pid, name, path, query, is_shared)
    VALUES (asker.company_id, asker.pid, view_name, view_path, view_query, shared)
    ON CONFLICT (company_id, pid, name) DO UPDATE SET
      path = excluded.path, query = excluded.query, is_shared = excluded.is_shared, saved_at = excluded.saved_at;
    PERFORM takt.note_changes(ARRAY[asker.company_id]);
  END IF;
END $function$;

CREATE OR REPLACE FUNCTION takt.searched_text(product_name text, name text, product_id bigint, product_structure_version_id bigint)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT takt.searched_text(product_name, name, product_id, product_structure_version_id, NULL, NULL)
$function$;

CREATE OR REPLACE FUNCTION takt.searched_text(product_name text, name text, product_id bigint, product_structure_version_id bigint, product_key text, product_structure_version_key text)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT takt.spellings(product_name) || E'\n' || takt.spellings(name) || E'\n' || coalesce(takt.spellings(product_key), product_id::text)
    || E'\n' || coalesce(takt.spellings(product_structure_version_key), product_structure_version_id::text)
$function$;

CREATE OR REPLACE FUNCTION takt.session_company()
 RETURNS integer
 LANGUAGE sql
 STABLE PARALLEL SAFE SECURITY DEFINER
AS $function$
  SELECT company_id FROM takt.companies
  WHERE access_key OPERATOR(pg_catalog.=)
    nullif(pg_catalog.current_setting('takt.company_key', true), '')::pg_catalog.uuid
$function$;

CREATE OR REPLACE FUNCTION takt.set_up(secret_sha256 bytea, company text, company_name text, zone text, person_first_name text, person_name text, person_password takt.slow_hash)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  added record;
  first_pid CONSTANT integer := 1001;
BEGIN
  LOCK TABLE takt.users IN SHARE ROW EXCLUSIVE MODE;
  IF NOT takt.may_set_up(secret_sha256, 'set-up-begun') THEN
    RETURN NULL;
  END IF;
  PERFORM set_config('takt.actor', concat_ws(' ', 'person', first_pid, person_first_name, person_name), true);
  INSERT INTO takt.companies (code, name, time_zone) VALUES (company, company_name, zone)
  ON CONFLICT (code) DO NOTHING RETURNING company_id, code, name, time_zone INTO added;
  IF FOUND THEN
    PERFORM takt.note_audit('company-added', 'company ' || added.code,
      jsonb_build_object('name', added.name, 'time_zone', added.time_zone));
    PERFORM takt.begin_time_zone(added.company_id, zone), takt.rebuild_months(added.company_id, NULL);
  END IF;
  INSERT INTO takt.users (pid, first_name, name, roles, password)
  VALUES (first_pid, person_first_name, person_name, '{administrator,planner}', person_password);
  INSERT INTO takt.user_companies (pid, ordinal, company_id)
  SELECT first_pid, row_number() OVER (ORDER BY code <> company, code), company_id FROM takt.companies;
  UPDATE takt.access_tokens SET revoked_at = now() WHERE kind = 'command-line' AND description IN ('set-up', 'set-up-begun')
    AND pid IS NULL AND revoked_at IS NULL;
  RETURN first_pid;
END $function$;

CREATE OR REPLACE FUNCTION takt.set_user_companies(person integer, companies integer[])
 RETURNS boolean
 LANGUAGE plpgsql
 STRICT
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  before text[];
  after text[];
  subject text;
BEGIN
  -- Makes concurrent changes of the same person wait for each other.
  SELECT concat_ws(' ', 'person', pid, first_name, name) INTO subject FROM takt.users WHERE pid = person FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  before := takt.company_codes(person, NULL);
  PERFORM set_config('takt.notes_companies', 'off', true);
  DELETE FROM takt.user_companies WHERE pid = person;
  INSERT INTO takt.user_companies (pid, ordinal, company_id)
  SELECT person, ordinal, id FROM unnest(companies) WITH ORDINALITY AS given (id, ordinal);
  PERFORM set_config('takt.notes_companies', '', true);
  after := takt.company_codes(person, NULL);
  PERFORM takt.note_audit('person-changed', subject,
    jsonb_build_object('companies', jsonb_build_object('from', before, 'to', after)));
  IF NOT before <@ after THEN
    PERFORM takt.end_grants(person, NULL);
  END IF;
  RETURN true;
END $function$;

CREATE OR REPLACE FUNCTION takt.settle_alarm_notice(alarm_notice_id bigint)
 RETURNS void
 LANGUAGE sql
 STRICT SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  DELETE FROM takt.alarm_notices notice WHERE notice.alarm_notice_id = settle_alarm_notice.alarm_notice_id
$function$;

CREATE OR REPLACE FUNCTION takt.shard_cost(shard bigint)
 RETURNS real
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF EXISTS (
    SELECT FROM takt.companies
    JOIN pg_dist_shard ON worker_hash(company_id) BETWEEN shardminvalue::integer AND shardmaxvalue::integer
    WHERE shardid = shard) THEN
    RETURN citus_shard_cost_by_disk_size(shard);
  END IF;
  RETURN 0;
END $function$;

CREATE OR REPLACE FUNCTION takt.share_months(companies integer[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtext('takt months'), place)
  FROM (SELECT DISTINCT company % 64 AS place FROM unnest(companies) AS company ORDER BY place) AS places
  WHERE place IS NOT NULL;
END $function$;

CREATE OR REPLACE FUNCTION takt.sign_in(person integer, password_proof bytea, access_sha256 bytea, OUT refused text, OUT expires_in_s integer)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF NOT takt.is_person(person, password_proof) THEN
    refused := 'invalid_grant';
  ELSIF NOT EXISTS (SELECT FROM takt.companies_in_common(NULL, person)) THEN
    refused := 'unauthorized_client';
  ELSE
    expires_in_s := takt.issue_access_token('page', access_sha256, NULL, person, NULL);
  END IF;
END $function$;

CREATE OR REPLACE FUNCTION takt.sign_in_by_code(given_code_sha256 bytea, access_sha256 bytea, OUT refused text, OUT expires_in_s integer)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  person integer;
BEGIN
  -- A change of the person waits for this lock, and then ends the session too. If it was first, the code has ended.
  PERFORM FROM takt.users known
  WHERE known.pid = (SELECT pid FROM takt.access_tokens WHERE token_sha256 = given_code_sha256) FOR SHARE;
  DELETE FROM takt.access_tokens code
  WHERE code.token_sha256 = given_code_sha256 AND code.kind = 'page' AND code.expires_at > now()
    AND code.revoked_at IS NULL
    AND NOT EXISTS (SELECT FROM takt.access_token_companies WHERE access_token_id = code.access_token_id)
    AND EXISTS (SELECT FROM takt.users known WHERE known.pid = code.pid AND known.disabled_at IS NULL)
    AND EXISTS (SELECT FROM takt.companies_in_common(NULL, code.pid))
  RETURNING code.pid INTO person;
  IF person IS NULL THEN
    refused := 'invalid_grant';
  ELSE
    expires_in_s := takt.issue_access_token('page', access_sha256, NULL, person, NULL);
  END IF;
END $function$;

CREATE OR REPLACE FUNCTION takt.similar_names(sought text, of_products_alone boolean)
 RETURNS text[]
 LANGUAGE plpgsql
 STRICT SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
DECLARE
  company integer := takt.session_company();
  plain text := takt.plain_text(sought);
  trigrams regnamespace := (SELECT extnamespace FROM pg_extension WHERE extname = 'pg_trgm');
  nearness text;
  found text[];
BEGIN
  -- A text of one or two letters is similar to a part of any name.
  IF length(plain) < 3 THEN
    RETURN '{}';
  END IF;
  FOREACH nearness IN ARRAY ARRAY['0.75', '0.6', '0.45', '0.3'] LOOP
    -- Unlike set_config, SET LOCAL also reaches the node that has the company. A STABLE function may not use it.
    EXECUTE format('SET LOCAL pg_trgm.word_similarity_threshold = %s', nearness);
    EXECUTE format($query$
      SELECT array_agg(name ORDER BY nearness DESC, name) FROM (
        SELECT nearest.name, max(nearest.nearness) AS nearness
        FROM (
          SELECT product_structure_version_id FROM takt.structure_version_texts
          WHERE company_id = $1 AND folded OPERATOR(%1$s.%%>) $2 LIMIT 1000
        ) AS near
        JOIN takt.product_structure_versions AS listed
          ON listed.company_id = $1 AND listed.product_structure_version_id = near.product_structure_version_id,
        LATERAL (
          SELECT named.name, %1$s.word_similarity($2, takt.spellings(named.name)) AS nearness
          FROM (VALUES (1, listed.product_name), (2, listed.name)) AS named (place, name)
          WHERE place = 1 OR NOT $3
          ORDER BY nearness DESC, place LIMIT 1
        ) AS nearest
        WHERE nearest.nearness >= $4::real AND position($2 IN takt.spellings(nearest.name)) = 0
        GROUP BY nearest.name ORDER BY nearness DESC, count(*) DESC, name LIMIT 5
      ) AS found
    $query$, trigrams) INTO found USING company, plain, of_products_alone, nearness;
    EXIT WHEN found IS NOT NULL;
  END LOOP;
  RETURN coalesce(found, '{}');
END $function$;

CREATE OR REPLACE FUNCTION takt.spellings(whole text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  SELECT CASE
    WHEN octet_length(whole) = length(whole) THEN casefold(whole COLLATE "und-x-icu")
    ELSE concat_ws(E'\n',
      casefold(whole COLLATE "und-x-icu"),
      nullif(takt.plain_text(whole), casefold(whole COLLATE "und-x-icu")),
      nullif(takt.plain_text(replace(replace(replace(replace(replace(normalize(casefold(whole COLLATE "und-x-icu"), NFC),
        'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'ø', 'oe'), 'å', 'aa')), takt.plain_text(whole)))
  END
$function$;

CREATE OR REPLACE FUNCTION takt.sum_of_known(run numeric, setup numeric, cleanup numeric)
 RETURNS numeric
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
BEGIN
  IF coalesce(run, setup, cleanup) IS NOT NULL THEN
    RETURN coalesce(run, 0) + coalesce(setup, 0) + coalesce(cleanup, 0);
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION takt.sweep_expired_tokens()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('takt.sweep_expired_tokens', 0)) THEN
    RETURN;
  END IF;
  DELETE FROM takt.access_tokens WHERE access_token_id IN (
    SELECT access_token_id FROM takt.access_tokens WHERE expires_at <= now()
    ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED);
  DELETE FROM takt.refresh_tokens WHERE refresh_token_id IN (
    SELECT refresh_token_id FROM takt.refresh_tokens WHERE expires_at <= now()
    ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED);
  DELETE FROM takt.authorization_codes WHERE authorization_code_id IN (
    SELECT authorization_code_id FROM takt.authorization_codes WHERE expires_at <= now() - interval '1 day'
    ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED);
  DELETE FROM takt.token_families WHERE token_family_id IN (
    SELECT token_family_id FROM takt.token_families WHERE expires_at <= now()
    ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED);
END $function$;

CREATE OR REPLACE FUNCTION takt.t_quantile(degrees bigint)
 RETURNS numeric
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
DECLARE
  quantiles CONSTANT numeric[] := ARRAY[
    12.7062047361747046460216800, 4.3026527297494638523209439, 3.1824463052837095927232254, 2.7764451051977943578031048,
    2.5705818356363155146962462, 2.4469118511449699710712968, 2.3646242515927853416809015, 2.3060041352041666832951210,
    2.2621571627982055426077696, 2.2281388519862747483954907, 2.2009851600916398678772004, 2.1788128296672288663263444,
    2.1603686564627925015306782, 2.1447866879178038286714122, 2.1314495455597756821450726, 2.1199052992212546744557014,
    2.1098155778333170859295551, 2.1009220402410384880608716, 2.0930240544083097691773153, 2.0859634472658648427173609,
    2.0796138447276803951216625, 2.0738730679040261658464783, 2.0686576104190486515085248, 2.0638985616280258492457841,
    2.0595385527532977488929091, 2.0555294386428732135420168, 2.0518305164802855561520905, 2.0484071417952451598938844,
    2.0452296421327042981937722, 2.0422724563012383099580422, 2.0395134463964084878504008, 2.0369333434601019587983354,
    2.0345152974493386961935632, 2.0322445093177189644763274, 2.0301079282503431796342920, 2.0280940009804509302452224,
    2.0261924630291097749232888, 2.0243941639119696444054203, 2.0226909200367611356318476, 2.0210753903062734213011319,
    2.0195409704413760434456232, 2.0180817028184446814703049, 2.0166921992278243886352128, 2.0153675744437638177409748,
    2.0141033888808466951513192, 2.0128955989194292214285454, 2.0117405137297658670609942, 2.0106347576242322275699980,
    2.0095752371292396722597929, 2.0085591121007611054905321, 2.0075837703158360368564616, 2.0066468050616883428301963,
    2.0057459953178689944998571, 2.0048792881880570383650236, 2.0040447832891458987502232, 2.0032407188478721792281819,
    2.0024654592910073278184033, 2.0017174841452361123193479, 2.0009953780882677059805369, 2.0002978220142605045034727,
    1.9996235849949397004137434, 1.9989715170333789609476607, 1.9983405425207415782150436, 1.9977296543176929715741653,
    1.9971379083920040771409492, 1.9965644189523119740901496, 1.9960083540252966725473342, 1.9954689314298439399730839,
    1.9949454151072380125165092, 1.9944371117711865634845677, 1.9939433678456257869697319, 1.9934635666618724101870428,
    1.9929971258898551416278768, 1.9925434951809327016343638, 1.9921021540022421115070723, 1.9916726096446645018026548,
    1.9912543953883849564109256, 1.9908470688116909263165964, 1.9904502102301289409325399, 1.9900634212544461673864193,
    1.9896863234569029030699563, 1.9893185571365725498898633, 1.9889597801751627780316804, 1.9886096669757091174395865,
    1.9882679074772219976634323, 1.9879342062390206321668328, 1.9876082815890711277077179, 1.9872898648311696672474207,
    1.9869786995062814543893062, 1.9866745407037683542228248, 1.9863771544186181164158902, 1.9860863169511303769357606,
    1.9858018143458234028542086, 1.9855234418666043828109629, 1.9852510035054981629784571, 1.9849843115224575040649725,
    1.9847231860139846847505267, 1.9844674545084818132569238, 1.9842169515864174951046221, 1.9839715185235522865951849];
  inverse numeric;
  x float8;
  small float8;
BEGIN
  IF degrees <= 100 THEN
    RETURN quantiles[degrees];
  END IF;
  inverse := 1.000000000000000000000000000000 / degrees;
  x := inverse;
  small := 0.627480460951074 + x * (0.128812853596197 + x * (-1.71392818262352 + x * (1.94252138698390 + x * (14.200505962072
    + x * (-30.256689397252 + x * (-152.7835408970 + x * (524.006648216 + x * 2231.14279452)))))));
  RETURN round(1.959963984540054235524594430521 + inverse * (2.3722712302985627752453875526 + inverse * (2.82249861573961180392587408
    + inverse * (2.555849679507723325777918 + inverse * (1.5895340533938235407910 + inverse * (0.73289821198160569788
    + inverse * small::numeric))))), 25);
END $function$;

CREATE OR REPLACE FUNCTION takt.take_alarm_notices()
 RETURNS TABLE(alarm_notice_id bigint, is_end boolean, attempts integer, name text, subject text, facts json, begun_at timestamp with time zone, ended_at timestamp with time zone)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  WITH due AS (
    SELECT notice.alarm_notice_id FROM takt.alarm_notices notice
    WHERE notice.next_attempt_at <= now()
      AND NOT EXISTS (SELECT FROM takt.alarm_notices earlier
        WHERE earlier.alarm_id = notice.alarm_id AND earlier.alarm_notice_id < notice.alarm_notice_id)
    ORDER BY notice.alarm_notice_id LIMIT 20 FOR UPDATE SKIP LOCKED
  )
  UPDATE takt.alarm_notices taken
  SET attempts = taken.attempts + 1,
    next_attempt_at = now() + make_interval(secs => least(300, 2 ^ (taken.attempts + 1)))
  FROM due, takt.alarms alarm
  WHERE taken.alarm_notice_id = due.alarm_notice_id AND alarm.alarm_id = taken.alarm_id
  RETURNING taken.alarm_notice_id, taken.is_end, taken.attempts, alarm.name, alarm.subject, alarm.facts,
    alarm.begun_at, alarm.ended_at
$function$;

CREATE OR REPLACE FUNCTION takt.time_zone_in(version bigint, time_zone text, time_zone_before text, rebuilt_to bigint)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT CASE WHEN version > rebuilt_to THEN time_zone_before ELSE coalesce(time_zone, 'UTC') END
$function$;

CREATE OR REPLACE FUNCTION takt.time_zone_of(company integer, version bigint)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
BEGIN
  RETURN coalesce(
    (SELECT takt.time_zone_in(version, time_zone, time_zone_before, rebuilt_to)
      FROM takt.month_zones WHERE company_id = company),
    'UTC');
END $function$;

CREATE OR REPLACE FUNCTION takt.verdict_of_mean(n bigint, total numeric, squares numeric, deviation bigint, over_plan bigint, planned bigint)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT CASE WHEN planned IS NULL OR n = 0 THEN NULL WHEN n < 5 THEN 'unsure' ELSE
    CASE width_bucket(
      over_plan::float8 / n
        / nullif(greatest((1.96 + 2.396 / (n::float8 - 2.065)) * deviation::float8 / sqrt(n::float8 - 1), 200), 200),
      '{-1.01,-0.99,0.99,1.01}'::float8[])
    WHEN 0 THEN 'under' WHEN 2 THEN 'unsure' WHEN 4 THEN 'over'
    ELSE CASE WHEN takt.mean_bound(n, total, squares, -1) > planned THEN 'over'
      WHEN takt.mean_bound(n, total, squares, 1) < planned THEN 'under' ELSE 'unsure' END
    END
  END
$function$;

CREATE OR REPLACE FUNCTION takt.walk_naming(only_company integer, companies integer[], kinds text[], keys text[], decides boolean)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
DECLARE
  event record;
  kind_of text;
  named text;
  slot text;
  fits boolean;
  is_open boolean;
  decided jsonb := '{}';
BEGIN
  FOR event IN
    SELECT company, array[first, second, third] AS keys
    FROM ROWS FROM (unnest(companies), unnest(keys[1:1]), unnest(keys[2:2]), unnest(keys[3:3])) WITH ORDINALITY
      AS given (company, first, second, third, ordinality)
    WHERE company IS NOT NULL ORDER BY ordinality
  LOOP
    fits := true;
    is_open := false;
    -- The naming of work orders is looked up last: without any number of an order, all of the ledger is read for it.
    FOR kind_of, named IN
      SELECT kind, key FROM unnest(kinds, event.keys) AS object (kind, key) WHERE key IS NOT NULL ORDER BY kind = 'order'
    LOOP
      slot := event.company || '/' || kind_of;
      IF NOT decided ? slot THEN
        decided := decided || jsonb_build_object(slot, takt.is_named_by_key(coalesce(only_company, event.company), kind_of));
      END IF;
      fits := (decided ->> slot)::boolean IS DISTINCT FROM (named = '');
      EXIT WHEN NOT fits;
      is_open := is_open OR decided ->> slot IS NULL;
    END LOOP;
    CONTINUE WHEN NOT (fits AND is_open);
    IF NOT decides THEN
      RETURN true;
    END IF;
    FOR kind_of, named IN
      SELECT kind, key FROM unnest(kinds, event.keys) AS object (kind, key) WHERE key IS NOT NULL
    LOOP
      slot := event.company || '/' || kind_of;
      CONTINUE WHEN decided ->> slot IS NOT NULL;
      decided := decided || jsonb_build_object(slot, named <> '');
      IF named <> '' THEN
        INSERT INTO takt.key_counters (company_id, kind) SELECT coalesce(only_company, event.company), kind_of;
      END IF;
    END LOOP;
  END LOOP;
  RETURN false;
END $function$;

CREATE OR REPLACE FUNCTION takt.within_bigint(value numeric)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT CASE WHEN value IS NOT NULL THEN greatest(least(value, 9000000000000000000), -9000000000000000000)::bigint END
$function$;

CREATE OR REPLACE FUNCTION takt.without_misnamed(companies integer[], misnamed text[])
 RETURNS integer[]
 LANGUAGE sql
 IMMUTABLE
RETURN (SELECT array_agg(CASE WHEN (event.kind IS NULL) THEN event.company ELSE NULL::integer END ORDER BY event.ordinality) AS array_agg FROM UNNEST(without_misnamed.companies, without_misnamed.misnamed) WITH ORDINALITY event(company, kind, ordinality));

CREATE OR REPLACE FUNCTION takt.without_pruned(companies integer[], pruned bigint[])
 RETURNS integer[]
 LANGUAGE sql
 IMMUTABLE
RETURN (SELECT array_agg(CASE WHEN (event.revision IS NULL) THEN event.company ELSE NULL::integer END ORDER BY event.ordinality) AS array_agg FROM UNNEST(without_pruned.companies, without_pruned.pruned) WITH ORDINALITY event(company, revision, ordinality));

CREATE OR REPLACE FUNCTION takt.write_to_ledger(companies integer[], events json, numbers bigint[], keys text[], zone text, OUT changes takt.figures_change[], OUT written_companies integer[], OUT written_operations bigint[])
 RETURNS record
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
BEGIN
  -- RETURNING old and new gives the exact change of each operation: rows with sign -1 leave the figures, rows with sign
  -- 1 enter them. ON CONFLICT cannot update a row twice, so only the newest revision of each operation is inserted.
  WITH written AS (
    INSERT INTO takt.work_order_operations AS ledger (company_id, work_order_operation_id, revision,
      product_structure_version_id, work_order_id, changed_at, run_time, setup_time, cleanup_time,
      work_order_operation_key, work_order_key, event_source, event_id, event_time)
    SELECT company, operation, revision, coalesce(version, product_structure_version_id), coalesce("order", work_order_id),
      changed_at, run_time, setup_time, cleanup_time,
      nullif(operation_key, ''), nullif(order_key, ''), event_source, event_id, event_time
    FROM (
      SELECT DISTINCT ON (company, operation) *, coalesce(operation_number, work_order_operation_id) AS operation
      FROM ROWS FROM (unnest(companies), unnest(numbers[1:1]), unnest(numbers[2:2]), unnest(numbers[3:3]),
          unnest(keys[2:2]), unnest(keys[3:3]), json_populate_recordset(NULL::takt.work_order_operations, events))
        WITH ORDINALITY AS event (company, version, "order", operation_number, order_key, operation_key)
      WHERE company IS NOT NULL
      ORDER BY company, operation, revision DESC, ordinality
    ) AS newest
    ORDER BY company, operation
    ON CONFLICT (company_id, work_order_operation_id) DO UPDATE SET
      revision = excluded.revision,
      product_structure_version_id = excluded.product_structure_version_id,
      work_order_id = excluded.work_order_id,
      changed_at = excluded.changed_at,
      run_time = excluded.run_time,
      setup_time = excluded.setup_time,
      cleanup_time = excluded.cleanup_time,
      work_order_key = excluded.work_order_key,
      event_source = excluded.event_source,
      event_id = excluded.event_id,
      event_time = excluded.event_time
    WHERE ledger.revision < excluded.revision
    RETURNING new.company_id, new.work_order_operation_id,
      old.product_structure_version_id AS old_version, old.changed_at AS old_changed_at,
      old.run_time AS old_run, old.setup_time AS old_setup, old.cleanup_time AS old_cleanup,
      new.product_structure_version_id AS new_version, new.changed_at AS new_changed_at,
      new.run_time AS new_run, new.setup_time AS new_setup, new.cleanup_time AS new_cleanup
  ), signed AS (
    SELECT company_id, old_version AS version,
      takt.month_of(old_changed_at, coalesce(zone, takt.time_zone_of(company_id, old_version))) AS month,
      -1.0 AS sign, old_run AS run, old_setup AS setup, old_cleanup AS cleanup, old_changed_at AS completed_at
    FROM written WHERE old_version IS NOT NULL
    UNION ALL
    SELECT company_id, new_version, takt.month_of(new_changed_at, coalesce(zone, takt.time_zone_of(company_id, new_version))),
      1.0, new_run, new_setup, new_cleanup, new_changed_at
    FROM written WHERE new_version IS NOT NULL
  ), change AS (
    SELECT (company_id, version,
      (sum(sign) FILTER (WHERE run IS NOT NULL), sum(sign * run), sum(sign * run * run),
        min(run) FILTER (WHERE sign > 0), max(run) FILTER (WHERE sign > 0),
        min(run) FILTER (WHERE sign < 0), max(run) FILTER (WHERE sign < 0))::takt.time_change,
      (sum(sign) FILTER (WHERE setup IS NOT NULL), sum(sign * setup), sum(sign * setup * setup),
        min(setup) FILTER (WHERE sign > 0), max(setup) FILTER (WHERE sign > 0),
        min(setup) FILTER (WHERE sign < 0), max(setup) FILTER (WHERE sign < 0))::takt.time_change,
      (sum(sign) FILTER (WHERE cleanup IS NOT NULL), sum(sign * cleanup), sum(sign * cleanup * cleanup),
        min(cleanup) FILTER (WHERE sign > 0), max(cleanup) FILTER (WHERE sign > 0),
        min(cleanup) FILTER (WHERE sign < 0), max(cleanup) FILTER (WHERE sign < 0))::takt.time_change,
      month, max(completed_at) FILTER (WHERE sign > 0), max(completed_at) FILTER (WHERE sign < 0)
    )::takt.figures_change AS change
    FROM signed
    GROUP BY company_id, version, month
    ORDER BY company_id, version, month
  )
  SELECT (SELECT array_agg(change) FROM change), array_agg(company_id), array_agg(work_order_operation_id)
  INTO changes, written_companies, written_operations
  FROM written;
END $function$;

-- Views

CREATE VIEW takt.plan_suggestions WITH (security_invoker=true) AS
 SELECT listed.company_id,
    (((listed.product_structure_version_id || '-'::text) || "time".kind) COLLATE "und-x-icu") AS suggestion,
    ("time".kind COLLATE "und-x-icu") AS kind,
    listed.product_structure_version_id,
    listed.status,
    listed.name,
    listed.version,
    listed.revision,
    listed.product_id,
    listed.product_name,
        CASE "time".kind
            WHEN 'run'::text THEN listed.run_time
            WHEN 'setup'::text THEN listed.setup_time
            ELSE listed.cleanup_time
        END AS planned,
        CASE "time".kind
            WHEN 'run'::text THEN listed.average_run_time
            WHEN 'setup'::text THEN listed.average_setup_time
            ELSE listed.average_cleanup_time
        END AS suggested,
        CASE "time".kind
            WHEN 'run'::text THEN listed.run_time_over_plan_percent
            WHEN 'setup'::text THEN listed.setup_time_over_plan_percent
            ELSE listed.cleanup_time_over_plan_percent
        END AS over_plan_percent,
        CASE "time".kind
            WHEN 'run'::text THEN listed.number_of_completed_operations
            WHEN 'setup'::text THEN listed.setup_time_count
            ELSE listed.cleanup_time_count
        END AS operations,
        CASE "time".kind
            WHEN 'run'::text THEN listed.run_time_hours_over_plan
            WHEN 'setup'::text THEN listed.setup_time_hours_over_plan
            ELSE listed.cleanup_time_hours_over_plan
        END AS hours_over_plan,
    (GREATEST(('-9000000000000000000'::bigint)::numeric, LEAST(('9000000000000000000'::bigint)::numeric, ((
        CASE "time".kind
            WHEN 'run'::text THEN (listed.average_run_time - listed.run_time)
            WHEN 'setup'::text THEN (listed.average_setup_time - listed.setup_time)
            ELSE (listed.average_cleanup_time - listed.cleanup_time)
        END)::numeric * COALESCE(( SELECT
                CASE "time".kind
                    WHEN 'run'::text THEN sum(figures.number_of_completed_operations)
                    WHEN 'setup'::text THEN sum(figures.setup_time_count)
                    ELSE sum(figures.cleanup_time_count)
                END AS sum
           FROM takt.monthly_figures figures
          WHERE ((figures.company_id = listed.company_id) AND (figures.product_structure_version_id = listed.product_structure_version_id) AND (figures.month > ( SELECT ((newest.month - '1 year'::interval))::date AS date
                   FROM takt.monthly_figures newest
                  WHERE ((newest.company_id = listed.company_id) AND (newest.product_structure_version_id = listed.product_structure_version_id) AND (newest.number_of_completed_operations > 0))
                  ORDER BY newest.month DESC
                 LIMIT 1)))), (0)::numeric)))))::bigint AS hours_a_year,
        CASE "time".kind
            WHEN 'run'::text THEN takt.mean_bound(listed.number_of_completed_operations, listed.run_time_sum, listed.run_time_sum_of_squares, '-1'::integer)
            WHEN 'setup'::text THEN takt.mean_bound(listed.setup_time_count, listed.setup_time_sum, listed.setup_time_sum_of_squares, '-1'::integer)
            ELSE takt.mean_bound(listed.cleanup_time_count, listed.cleanup_time_sum, listed.cleanup_time_sum_of_squares, '-1'::integer)
        END AS mean_low,
        CASE "time".kind
            WHEN 'run'::text THEN takt.mean_bound(listed.number_of_completed_operations, listed.run_time_sum, listed.run_time_sum_of_squares, 1)
            WHEN 'setup'::text THEN takt.mean_bound(listed.setup_time_count, listed.setup_time_sum, listed.setup_time_sum_of_squares, 1)
            ELSE takt.mean_bound(listed.cleanup_time_count, listed.cleanup_time_sum, listed.cleanup_time_sum_of_squares, 1)
        END AS mean_high,
    (
        CASE "time".kind
            WHEN 'run'::text THEN takt.verdict_of_mean(listed.number_of_completed_operations, listed.run_time_sum, listed.run_time_sum_of_squares, listed.deviation_run_time, listed.run_time_hours_over_plan, listed.run_time)
            WHEN 'setup'::text THEN takt.verdict_of_mean(listed.setup_time_count, listed.setup_time_sum, listed.setup_time_sum_of_squares, listed.deviation_setup_time, listed.setup_time_hours_over_plan, listed.setup_time)
            ELSE takt.verdict_of_mean(listed.cleanup_time_count, listed.cleanup_time_sum, listed.cleanup_time_sum_of_squares, listed.deviation_cleanup_time, listed.cleanup_time_hours_over_plan, listed.cleanup_time)
        END COLLATE "und-x-icu") AS verdict,
    listed.product_structure_version_key,
    listed.product_key
   FROM (takt.product_structure_versions listed
     CROSS JOIN ( VALUES ('run'::text), ('setup'::text), ('cleanup'::text)) "time"(kind))
  WHERE ((listed.changed_at IS NOT NULL) AND
        CASE "time".kind
            WHEN 'run'::text THEN (listed.average_run_time <> listed.run_time)
            WHEN 'setup'::text THEN (listed.average_setup_time <> listed.setup_time)
            ELSE (listed.average_cleanup_time <> listed.cleanup_time)
        END);

-- Triggers

CREATE CONSTRAINT TRIGGER note_new_client AFTER INSERT ON takt.api_clients DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION takt.note_row('client', 'api_client_id', '{name,is_public,redirect_uris,permissions,roles,duties,disabled_at}', '');
CREATE CONSTRAINT TRIGGER note_new_person AFTER INSERT ON takt.users DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION takt.note_row('person', 'pid', '{first_name,name,roles,duties,disabled_at}', '');
CREATE CONSTRAINT TRIGGER note_new_token AFTER INSERT ON takt.access_tokens DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.kind = 'command-line'::text)) EXECUTE FUNCTION takt.note_row('token', 'access_token_id', '{description,expires_at,api_client_id,pid,duties,may_publish}', '');
CREATE TRIGGER end_grants AFTER UPDATE OF roles, duties, disabled_at ON takt.users FOR EACH ROW EXECUTE FUNCTION takt.end_grants_of_person();
CREATE TRIGGER end_grants AFTER UPDATE OF roles, duties, permissions, disabled_at ON takt.api_clients FOR EACH ROW EXECUTE FUNCTION takt.end_grants_of_client();
CREATE TRIGGER note_client AFTER DELETE OR UPDATE ON takt.api_clients FOR EACH ROW EXECUTE FUNCTION takt.note_row('client', 'api_client_id', '{name,is_public,redirect_uris,permissions,roles,duties,disabled_at}', 'secret');
CREATE TRIGGER note_client_secret AFTER UPDATE ON takt.api_clients FOR EACH ROW WHEN (((old.secret_sha256 IS DISTINCT FROM new.secret_sha256) AND (old.secret_sha256 IS NOT NULL) AND (NOT (old.secret IS DISTINCT FROM new.secret)))) EXECUTE FUNCTION takt.note_row('client', 'api_client_id', '{}', 'secret_sha256');
CREATE TRIGGER note_company_of_client AFTER INSERT OR DELETE OR UPDATE ON takt.api_client_companies FOR EACH ROW EXECUTE FUNCTION takt.note_company_of('client', 'api_client_id', 'api_clients');
CREATE TRIGGER note_company_of_person AFTER INSERT OR DELETE OR UPDATE ON takt.user_companies FOR EACH ROW EXECUTE FUNCTION takt.note_company_of('person', 'pid', 'users');
CREATE TRIGGER note_company_of_token AFTER INSERT OR DELETE OR UPDATE ON takt.access_token_companies FOR EACH ROW EXECUTE FUNCTION takt.note_company_of('token', 'access_token_id', 'access_tokens');
CREATE TRIGGER note_person AFTER DELETE OR UPDATE ON takt.users FOR EACH ROW EXECUTE FUNCTION takt.note_row('person', 'pid', '{first_name,name,roles,duties,disabled_at}', 'password');
CREATE TRIGGER note_role AFTER INSERT OR DELETE OR UPDATE ON takt.roles FOR EACH ROW EXECUTE FUNCTION takt.note_row('role', 'role', '{role,duties,description}', '');
CREATE TRIGGER note_token AFTER UPDATE ON takt.access_tokens FOR EACH ROW WHEN (((('command-line'::text = old.kind) OR ('command-line'::text = new.kind)) AND ((((((((old.kind IS DISTINCT FROM new.kind) OR (old.description IS DISTINCT FROM new.description)) OR (old.token_sha256 IS DISTINCT FROM new.token_sha256)) OR (old.duties IS DISTINCT FROM new.duties)) OR (old.may_publish IS DISTINCT FROM new.may_publish)) OR (old.expires_at IS DISTINCT FROM new.expires_at)) OR (old.pid IS DISTINCT FROM new.pid)) OR (old.api_client_id IS DISTINCT FROM new.api_client_id)))) EXECUTE FUNCTION takt.note_row('token', 'access_token_id', '{kind,description,expires_at,api_client_id,pid,duties,may_publish}', 'token_sha256');
CREATE TRIGGER note_token_end AFTER UPDATE ON takt.access_tokens FOR EACH ROW WHEN (((new.kind = 'command-line'::text) AND ((old.revoked_at IS NULL) <> (new.revoked_at IS NULL)))) EXECUTE FUNCTION takt.note_token_end();
CREATE TRIGGER note_token_removal AFTER DELETE ON takt.access_tokens FOR EACH ROW WHEN (((old.kind = 'command-line'::text) AND (old.revoked_at IS NULL) AND (old.expires_at > now()))) EXECUTE FUNCTION takt.note_row('token', 'access_token_id', '{}', '');

-- Policies

CREATE POLICY of_all_companies ON takt.application_versions AS PERMISSIVE FOR ALL TO takt_worker
  USING (true)
  WITH CHECK (true);

CREATE POLICY of_all_companies ON takt.company_changes AS PERMISSIVE FOR ALL TO takt_worker
  USING (true)
  WITH CHECK (true);

CREATE POLICY of_all_companies ON takt.list_sizes AS PERMISSIVE FOR ALL TO takt_worker
  USING (true)
  WITH CHECK (true);

CREATE POLICY of_all_companies ON takt.month_zones AS PERMISSIVE FOR ALL TO takt_worker
  USING (true)
  WITH CHECK (true);

CREATE POLICY of_all_companies ON takt.monthly_figures AS PERMISSIVE FOR ALL TO takt_worker
  USING (true)
  WITH CHECK (true);

CREATE POLICY of_all_companies ON takt.product_structure_versions AS PERMISSIVE FOR ALL TO takt_worker
  USING (true)
  WITH CHECK (true);

CREATE POLICY of_all_companies ON takt.products AS PERMISSIVE FOR ALL TO takt_worker
  USING (true)
  WITH CHECK (true);

CREATE POLICY of_all_companies ON takt.work_order_operations AS PERMISSIVE FOR ALL TO takt_worker
  USING (true)
  WITH CHECK (true);

CREATE POLICY of_all_companies_on_dashboard ON takt.product_structure_versions AS PERMISSIVE FOR SELECT TO takt_dashboard
  USING (true);

CREATE POLICY of_all_companies_on_dashboard ON takt.products AS PERMISSIVE FOR SELECT TO takt_dashboard
  USING (true);

CREATE POLICY of_all_companies_on_dashboard ON takt.work_order_operations AS PERMISSIVE FOR SELECT TO takt_dashboard
  USING (true);

CREATE POLICY of_session_company ON takt.application_versions AS PERMISSIVE FOR SELECT TO takt_api
  USING ((company_id = takt.session_company()));

CREATE POLICY of_session_company ON takt.company_changes AS PERMISSIVE FOR SELECT TO takt_api
  USING (((company_id = 0) OR (company_id = takt.session_company())));

CREATE POLICY of_session_company ON takt.list_sizes AS PERMISSIVE FOR SELECT TO takt_api
  USING ((company_id = takt.session_company()));

CREATE POLICY of_session_company ON takt.month_zones AS PERMISSIVE FOR SELECT TO takt_api
  USING ((company_id = takt.session_company()));

CREATE POLICY of_session_company ON takt.monthly_figures AS PERMISSIVE FOR SELECT TO takt_api
  USING ((company_id = takt.session_company()));

CREATE POLICY of_session_company ON takt.product_structure_versions AS PERMISSIVE FOR SELECT TO takt_api
  USING ((company_id = takt.session_company()));

CREATE POLICY of_session_company ON takt.products AS PERMISSIVE FOR SELECT TO takt_api
  USING ((company_id = takt.session_company()));

CREATE POLICY of_session_company ON takt.saved_views AS PERMISSIVE FOR SELECT TO takt_api
  USING ((company_id = takt.session_company()));

CREATE POLICY of_session_company ON takt.work_order_operations AS PERMISSIVE FOR SELECT TO takt_api
  USING ((company_id = takt.session_company()));

-- Comments

COMMENT ON COLUMN takt.access_token_companies.ordinal IS
  'from 1; the first company is the default of the token';

COMMENT ON COLUMN takt.access_tokens.description IS
  'purpose of the token, in the words of its creator';

COMMENT ON COLUMN takt.access_tokens.duties IS
  'limit of the duties; null for all duties of the client or person';

COMMENT ON COLUMN takt.access_tokens.expires_at IS
  'first instant at which the token is no longer valid';

COMMENT ON COLUMN takt.access_tokens.kind IS
  'command-line: created there; client: a client acts for itself; person: a client acts for a person; page: session of a browser';

COMMENT ON COLUMN takt.access_tokens.may_publish IS
  'right of a token without a client; a client has it by its permissions';

COMMENT ON COLUMN takt.access_tokens.token_sha256 IS
  'SHA-256 of the whole token as it is sent, with its prefix';

COMMENT ON COLUMN takt.alarm_notices.is_end IS
  'false for the beginning of the alarm, true for its end';

COMMENT ON COLUMN takt.alarms.acknowledged_by IS
  'name of the person';

COMMENT ON COLUMN takt.alarms.ended_at IS
  'null while the alarm lasts';

COMMENT ON COLUMN takt.alarms.facts IS
  'values of the text at the worst moment';

COMMENT ON COLUMN takt.alarms.found_at IS
  'instant at which the alarm was last found';

COMMENT ON COLUMN takt.alarms.measure IS
  'severity at its worst, comparable only between alarms of one name';

COMMENT ON COLUMN takt.alarms.name IS
  'name in docs/operating/alarms.md';

COMMENT ON COLUMN takt.alarms.subject IS
  'queue or node; empty if the alarm is about neither';

COMMENT ON COLUMN takt.api_clients.duties IS
  'duties, besides those of the roles, for requests that the client makes for itself';

COMMENT ON COLUMN takt.api_clients.is_public IS
  'shows the dashboard, which may not read secrets, that the client has none';

COMMENT ON COLUMN takt.api_clients.secret IS
  'null for a public client, which cannot keep a secret; otherwise needed only if secret_sha256 is null';

COMMENT ON COLUMN takt.api_clients.secret_sha256 IS
  'SHA-256 of the SHA-256 of the secret, which has 256 random bits, so a quick hash protects it; null for a public client, and for a client that an early version stored until it authenticates';

COMMENT ON COLUMN takt.application_versions.changed_at IS
  'instant of the newest applied application-version.changed.v1';

COMMENT ON COLUMN takt.application_versions.field_order IS
  'CustomFieldOrder.FieldOrder: JSON as its writer sent it; Takt does not parse it';

COMMENT ON COLUMN takt.audit_log.action IS
  'e.g. person-changed';

COMMENT ON COLUMN takt.audit_log.actor IS
  'a person with PID, a token without a person, or the user of the command line';

COMMENT ON COLUMN takt.audit_log.details IS
  'by field: the value, or an object with from and to; for a secret only that it was renewed';

COMMENT ON COLUMN takt.audit_log.subject IS
  'changed object, e.g. person 7 Nora Nilsen';

COMMENT ON COLUMN takt.audit_runs.at IS
  'end of the audit';

COMMENT ON COLUMN takt.audit_runs.database IS
  'code of the only audited company; null for all companies';

COMMENT ON COLUMN takt.authorization_codes.code_challenge IS
  'base64url of the SHA-256 of the verifier (PKCE S256)';

COMMENT ON COLUMN takt.authorization_codes.token_family_id IS
  'family of the tokens that were issued for the code; null before its use';

COMMENT ON COLUMN takt.companies.access_key IS
  'secret that a session sets as takt.company_key to see the rows of the company';

COMMENT ON COLUMN takt.companies.code IS
  'name of the company in events and in $db, e.g. TEM-NO';

COMMENT ON COLUMN takt.companies.disabled_at IS
  'if not null, no token reaches the company, and its events are rejected';

COMMENT ON COLUMN takt.companies.is_demo IS
  'true if takt start created the company for its demo; it creates tokens without a request only for these';

COMMENT ON COLUMN takt.companies.time_zone IS
  'IANA name; figures by month follow it after they were rebuilt';

COMMENT ON COLUMN takt.company_changes.company_id IS
  '0 for all companies';

COMMENT ON COLUMN takt.company_changes.period IS
  'tens of seconds since 1970';

COMMENT ON COLUMN takt.company_changes.slot IS
  'process id of the writing connection';

COMMENT ON COLUMN takt.domain_values.priority IS
  'position of the value in a list, from 1';

COMMENT ON COLUMN takt.error_messages.created_by IS
  'person identifier (PID)';

COMMENT ON COLUMN takt.error_messages.message IS
  'English, with {0}, {1}, ... for the parameters';

COMMENT ON COLUMN takt.error_messages.translations IS
  'message by three-letter language';

COMMENT ON COLUMN takt.event_sources.last_event_at IS
  'publication of the job with the event';

COMMENT ON COLUMN takt.flow_history.applied IS
  'events of all workers in the slot, like duplicate, stale and rejected';

COMMENT ON COLUMN takt.flow_history.completion_lag_seconds IS
  'largest median that a worker reported in the slot; null without applied events';

COMMENT ON COLUMN takt.flow_history.publishing_lag_seconds IS
  'like completion_lag_seconds, from the publication of the job';

COMMENT ON COLUMN takt.flow_history.slot IS
  'position in the ring of slots with this length, from 0';

COMMENT ON COLUMN takt.flow_history.waiting_jobs IS
  'largest number that a worker counted; null if none could count';

COMMENT ON COLUMN takt.import_changes.before IS
  'the state before (packages/import, stored-states.ts); null if there was none';

COMMENT ON COLUMN takt.import_changes.data IS
  'data of the event; its source is /takt/import/<import_id>, its id <import_id>-<place>';

COMMENT ON COLUMN takt.imports.file_hash IS
  'SHA-256 in hexadecimal digits';

COMMENT ON COLUMN takt.imports.import_id IS
  'unique among all companies';

COMMENT ON COLUMN takt.imports.mapping IS
  'the mapping as YAML, which the dashboard proposes for the next file with the same headings; null if not kept';

COMMENT ON COLUMN takt.imports.number_of_faulty IS
  'rows that were left out';

COMMENT ON COLUMN takt.imports.published_at IS
  'when the last event was in the queue; null if the import runs or was interrupted';

COMMENT ON COLUMN takt.imports.undo_times IS
  'changedAt of the events of each undo';

COMMENT ON COLUMN takt.imports.undone_at IS
  'when it was undone last; set before the first event that undoes it';

COMMENT ON COLUMN takt.key_counters.last_number IS
  'the number of the newest key';

COMMENT ON COLUMN takt.list_sizes.product_structure_versions IS
  'rows with changed_at; no row means 0';

COMMENT ON COLUMN takt.month_zones.rebuilt_to IS
  'while months are rebuilt: structure versions above this id still have months in time_zone_before';

COMMENT ON COLUMN takt.monthly_figures.last_completed_at IS
  'newest completion in the ledger or among pruned operations; null if all were pruned before the completions were recorded';

COMMENT ON COLUMN takt.monthly_figures.month IS
  'first day of the month';

COMMENT ON COLUMN takt.monthly_figures.number_of_completed_operations IS
  '0 if all operations left; the month is then not served';

COMMENT ON COLUMN takt.product_structure_versions.average_cleanup_time IS
  'microhours; null if none was reported';

COMMENT ON COLUMN takt.product_structure_versions.average_run_time IS
  'microhours; null if none was reported';

COMMENT ON COLUMN takt.product_structure_versions.average_setup_time IS
  'microhours; null if none was reported';

COMMENT ON COLUMN takt.product_structure_versions.changed_at IS
  'instant of the newest applied product-structure-version.changed.v1; null if the row has only figures and is not listed';

COMMENT ON COLUMN takt.product_structure_versions.cleanup_time IS
  'planned microhours';

COMMENT ON COLUMN takt.product_structure_versions.cleanup_time_difference IS
  'microhours: average minus plan; null without an average or a plan';

COMMENT ON COLUMN takt.product_structure_versions.cleanup_time_hours_over_plan IS
  'microhours: sum of the actual times minus count times plan; null without a plan';

COMMENT ON COLUMN takt.product_structure_versions.cleanup_time_over_plan_percent IS
  'hundredths of a percent; null without an average or a plan, and for a plan of 0';

COMMENT ON COLUMN takt.product_structure_versions.deviation_cleanup_time IS
  'microhours; null if none was reported';

COMMENT ON COLUMN takt.product_structure_versions.deviation_run_time IS
  'microhours; null if none was reported';

COMMENT ON COLUMN takt.product_structure_versions.deviation_setup_time IS
  'microhours; null if none was reported';

COMMENT ON COLUMN takt.product_structure_versions.hours_over_plan IS
  'microhours: sum of the actual times minus count times plan; null without a plan';

COMMENT ON COLUMN takt.product_structure_versions.longest_cleanup_time IS
  'microhours; null if none was reported';

COMMENT ON COLUMN takt.product_structure_versions.longest_run_time IS
  'microhours; null if none was reported';

COMMENT ON COLUMN takt.product_structure_versions.longest_setup_time IS
  'microhours; null if none was reported';

COMMENT ON COLUMN takt.product_structure_versions.product_key IS
  'copy of products.product_key';

COMMENT ON COLUMN takt.product_structure_versions.product_name IS
  'copy of products.name, kept equal by apply_product_structure_version_changes, so that one index has it with the figures';

COMMENT ON COLUMN takt.product_structure_versions.removed_at IS
  'changedAt of the newest event, if it removed the structure version; older changes do not list it again';

COMMENT ON COLUMN takt.product_structure_versions.run_time IS
  'planned microhours';

COMMENT ON COLUMN takt.product_structure_versions.run_time_difference IS
  'microhours: average minus plan; null without an average or a plan';

COMMENT ON COLUMN takt.product_structure_versions.run_time_hours_over_plan IS
  'microhours: sum of the actual times minus count times plan; null without a plan';

COMMENT ON COLUMN takt.product_structure_versions.run_time_over_plan_percent IS
  'hundredths of a percent; null without an average or a plan, and for a plan of 0';

COMMENT ON COLUMN takt.product_structure_versions.setup_time IS
  'planned microhours';

COMMENT ON COLUMN takt.product_structure_versions.setup_time_difference IS
  'microhours: average minus plan; null without an average or a plan';

COMMENT ON COLUMN takt.product_structure_versions.setup_time_hours_over_plan IS
  'microhours: sum of the actual times minus count times plan; null without a plan';

COMMENT ON COLUMN takt.product_structure_versions.setup_time_over_plan_percent IS
  'hundredths of a percent; null without an average or a plan, and for a plan of 0';

COMMENT ON COLUMN takt.product_structure_versions.shortest_cleanup_time IS
  'microhours; null if none was reported';

COMMENT ON COLUMN takt.product_structure_versions.shortest_run_time IS
  'microhours; null if none was reported';

COMMENT ON COLUMN takt.product_structure_versions.shortest_setup_time IS
  'microhours; null if none was reported';

COMMENT ON COLUMN takt.products.folded_name IS
  'name without regard to case, which filters compare with';

COMMENT ON COLUMN takt.pruned_figures.last_completed_at IS
  'newest completion; null if all operations were pruned before completions were recorded';

COMMENT ON COLUMN takt.pruned_figures.month IS
  'first day of the month, in the time zone that months had when the operations were pruned';

COMMENT ON COLUMN takt.pruned_operations.block IS
  'work_order_operation_id / 1024; revisions[1 + remainder] is the revision of the operation';

COMMENT ON COLUMN takt.prunings.pruned_before IS
  'day of the newest pruning; operations that were completed on this day or later (UTC) were not pruned';

COMMENT ON COLUMN takt.refusals.companies IS
  'codes of the companies of the token; who may see none of them does not see the row';

COMMENT ON COLUMN takt.refusals.day IS
  'in UTC';

COMMENT ON COLUMN takt.refusals.error IS
  'the reason as code, field and rule, from which pages make it in the language of their reader';

COMMENT ON COLUMN takt.refusals.producer IS
  'name of the client or person of the token, otherwise its description';

COMMENT ON COLUMN takt.refusals.reason IS
  'code of the error; for events with field and rule, in English';

COMMENT ON COLUMN takt.refusals.times IS
  'refused events, or refused requests if the error is not of one event';

COMMENT ON COLUMN takt.rejected_events.content_sha256 IS
  'SHA-256 of queue, job id and data, so that a job that is moved again after a crash stays one row';

COMMENT ON COLUMN takt.rejected_events.data IS
  'data of the job as JSON text, usually one event';

COMMENT ON COLUMN takt.rejected_events.event_source IS
  'source of the event; null if it has none that is a text';

COMMENT ON COLUMN takt.rejections.company IS
  'company code as the event has it; null if it has none that is a text';

COMMENT ON COLUMN takt.rejections.company_id IS
  '0 if the event names no registered company, so that such rows have a place on a cluster too';

COMMENT ON COLUMN takt.rejections.content_sha256 IS
  'SHA-256 of queue and event, so that an event that is delivered or published again stays one row';

COMMENT ON COLUMN takt.rejections.data IS
  'the event as received, usually JSON';

COMMENT ON COLUMN takt.rejections.problems IS
  'the broken rules as phrases and their values, from which pages make the reason in the language of their reader';

COMMENT ON COLUMN takt.rejections.reason IS
  'the reason in English, with the values of the event';

COMMENT ON COLUMN takt.rejections.rejection_id IS
  'unique among all companies';

COMMENT ON COLUMN takt.rejections.replacement_job_id IS
  'job with the corrected event';

COMMENT ON COLUMN takt.rejections.rule IS
  'the reason in English without the values of the event';

COMMENT ON COLUMN takt.rejections.run IS
  'groups rejections that were resolved together';

COMMENT ON COLUMN takt.rejections.times IS
  'how often the event was rejected';

COMMENT ON COLUMN takt.resolved_rejections.replacement_job_id IS
  'job with the corrected event';

COMMENT ON COLUMN takt.resolved_rejections.run IS
  'groups rejections that were resolved together';

COMMENT ON COLUMN takt.saved_views.is_shared IS
  'if true, everybody of the company sees the view; only the person who saved it can change it';

COMMENT ON COLUMN takt.token_families.expires_at IS
  'expiry of the newest refresh token of the family';

COMMENT ON COLUMN takt.user_companies.ordinal IS
  'from 1; the first company is the default';

COMMENT ON COLUMN takt.users.duties IS
  'duties besides those of the roles';

COMMENT ON COLUMN takt.users.known_networks IS
  'keyed hashes of the networks from which the person signed in, newest first, so that guesses from elsewhere do not lock the person out; see functions/known_networks.sql';

COMMENT ON COLUMN takt.work_order_operations.changed_at IS
  'completedAt or reopenedAt of the event';

COMMENT ON COLUMN takt.work_order_operations.event_source IS
  'with event_id and event_time: the newest event of the operation; null if it was applied before these were recorded';

COMMENT ON COLUMN takt.work_order_operations.product_structure_version_id IS
  'null if the operation was reopened, and does not count';

COMMENT ON COLUMN takt.worker_reports.applied IS
  'events since the start of the worker, like duplicate, stale and rejected';

COMMENT ON COLUMN takt.worker_reports.applied_before IS
  'applied in the previous report, so that one look shows a rate; null in the first report';

COMMENT ON COLUMN takt.worker_reports.completion_lag_seconds IS
  'median time from the completion to the commit, of the events applied since the previous report; null without events';

COMMENT ON COLUMN takt.worker_reports.publishing_lag_seconds IS
  'median time from the publication of the job to the commit, of the same events';

COMMENT ON COLUMN takt.worker_reports.waiting_jobs IS
  'waiting jobs of the queue; null if the worker could not count them';

COMMENT ON TABLE takt.alarms IS
  'alarms of the last 30 days, at most 500';

COMMENT ON TABLE takt.api_client_companies IS
  'companies of a client; a client without companies has those of the person who signs in, and cannot act for itself';

COMMENT ON TABLE takt.audit_log IS
  'entries are never deleted';

COMMENT ON TABLE takt.company_changes IS
  'written by takt.note_changes, which every change of served data calls';

COMMENT ON TABLE takt.event_sources IS
  'newest event of each source; the 1,000 most recent sources of a company';

COMMENT ON TABLE takt.resolved_rejections IS
  'rejections that were resolved in the last 30 days; older rows are deleted when the next is added';

COMMENT ON TABLE takt.worker_reports IS
  'one row per worker and queue; a restarted worker has another worker_id';

-- Grants

GRANT DELETE, INSERT, SELECT ON TABLE takt.rejected_events TO takt_dashboard;
GRANT DELETE, INSERT, SELECT ON TABLE takt.rejected_events TO takt_worker;
GRANT DELETE, INSERT, SELECT ON TABLE takt.resolved_rejections TO takt_dashboard;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE takt.company_changes TO takt_worker;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE takt.structure_version_texts TO takt_worker;
GRANT DELETE, SELECT ON TABLE takt.resolved_rejections TO takt_worker;
GRANT DELETE, SELECT, UPDATE ON TABLE takt.rejections TO takt_dashboard;
GRANT EXECUTE ON FUNCTION takt.acknowledge_alarm(bigint,text,text) TO takt_dashboard;
GRANT EXECUTE ON FUNCTION takt.add_to_figures(integer,takt.figures_change[]) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.add_to_monthly_figures(integer,takt.figures_change[],text) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.add_up_months(takt.figures_change[]) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.administer(bytea,text,bigint,integer[]) TO takt_dashboard;
GRANT EXECUTE ON FUNCTION takt.all_by_number(json) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.apply_application_version_changes(integer,integer[],json) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.apply_application_version_changes(text[],json) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.apply_product_structure_version_changes(integer,integer[],json) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.apply_product_structure_version_changes(text[],json) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.apply_work_order_operation_events(integer,integer[],json) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.apply_work_order_operation_events(integer,integer[],json,text[]) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.apply_work_order_operation_events(text[],json) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.are_few_keys(text,text) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.are_few_products(text) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.are_few_structure_versions(text[]) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.average_microhours(bigint,numeric) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.average_microhours(bigint,numeric) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.begin_set_up(bytea,bytea) TO takt_dashboard;
GRANT EXECUTE ON FUNCTION takt.bounded_microhours(numeric) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.ceiling_microhours(numeric) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.ceiling_units(numeric,integer) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.change_view(bytea,text,bigint,boolean) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.check_client(integer,bytea) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.count_structure_versions(text[]) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.decide_naming(integer,integer[],text[],text[]) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.differs_from_plan(bigint,bigint,bigint,numeric) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.differs_from_plan(bigint,bigint,numeric) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.distribution_of_times(integer,bigint,text) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.distribution_of_times(integer,bigint,text,date,date) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.duties_with_roles(text[],text[]) TO takt_dashboard;
GRANT EXECUTE ON FUNCTION takt.explain_ineffective_events(integer,integer[],json,bigint[],text[],integer[],bigint[],bigint[]) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.find_access_token(bytea) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.find_access_token(bytea) TO takt_dashboard;
GRANT EXECUTE ON FUNCTION takt.find_access_token(bytea) TO takt_intake;
GRANT EXECUTE ON FUNCTION takt.find_api_client(integer) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.find_companies(text[]) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.find_keys(text,text) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.find_numbers(integer,integer[],text,text[]) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.find_products(text) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.find_pruned(integer,integer[],json,bigint[]) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.find_scrypt_parameters(integer) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.find_scrypt_parameters(integer) TO takt_dashboard;
GRANT EXECUTE ON FUNCTION takt.find_structure_versions(text[]) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.floor_microhours(numeric) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.floor_units(numeric,integer) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.folded_key(text) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.folded_key(text) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.free_naming(integer) TO takt_dashboard;
GRANT EXECUTE ON FUNCTION takt.grant_authorization_code(integer,bytea,bytea,text,text,bytea,bytea) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.grant_client_credentials(integer,bytea,bytea) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.grant_password(integer,bytea,integer,bytea,bytea,bytea) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.grant_refresh_token(integer,bytea,bytea,bytea,bytea) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.has_keys(text) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.has_lost_longest(takt.time_change,bigint) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.has_lost_shortest(takt.time_change,bigint) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.impossible_from() TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.is_cluster() TO takt_api;
GRANT EXECUTE ON FUNCTION takt.is_cluster() TO takt_dashboard;
GRANT EXECUTE ON FUNCTION takt.is_cluster() TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.is_known_network(integer,text) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.is_known_network(integer,text) TO takt_dashboard;
GRANT EXECUTE ON FUNCTION takt.is_named_by_key(integer,text) TO takt_dashboard;
GRANT EXECUTE ON FUNCTION takt.is_named_by_key(integer,text) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.issue_authorization_code(bytea,integer,text,text,bytea) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.last_numbers(integer,integer[],text) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.lock_figures(integer,takt.figures_change[]) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.look_up_monthly_extremes(integer,takt.figures_change[],text) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.may_set_up(bytea,text) TO takt_dashboard;
GRANT EXECUTE ON FUNCTION takt.mean_bound(bigint,numeric,numeric,integer) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.microhours_over_plan(bigint,numeric,bigint) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.microhours_over_plan(bigint,numeric,bigint) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.month_of(timestamp with time zone,text) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.month_of(timestamp with time zone,text) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.note_alarms(json,boolean) TO takt_dashboard;
GRANT EXECUTE ON FUNCTION takt.note_audit_of(bytea,text,text,jsonb) TO takt_dashboard;
GRANT EXECUTE ON FUNCTION takt.note_changes(integer[],integer[],integer[]) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.note_known_network(integer,text) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.note_known_network(integer,text) TO takt_dashboard;
GRANT EXECUTE ON FUNCTION takt.note_network_of_sign_in(bytea,text) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.note_network_of_sign_in(bytea,text) TO takt_dashboard;
GRANT EXECUTE ON FUNCTION takt.note_refusals(json) TO takt_intake;
GRANT EXECUTE ON FUNCTION takt.note_token_use(bigint[]) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.note_token_use(bigint[]) TO takt_dashboard;
GRANT EXECUTE ON FUNCTION takt.note_token_use(bigint[]) TO takt_intake;
GRANT EXECUTE ON FUNCTION takt.note_use_of_tokens(bytea[]) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.note_use_of_tokens(bytea[]) TO takt_dashboard;
GRANT EXECUTE ON FUNCTION takt.note_use_of_tokens(bytea[]) TO takt_intake;
GRANT EXECUTE ON FUNCTION takt.note_worker_report(json,json) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.number_keys(integer,integer[],text,text[]) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.number_objects(integer,integer[],text[],text[]) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.only_time_zone(integer[]) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.page_secret() TO takt_dashboard;
GRANT EXECUTE ON FUNCTION takt.part_of_text(text,numeric,numeric) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.percent_change(bigint,numeric,bigint,numeric) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.percent_over_plan(bigint,numeric,bigint) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.percent_over_plan(bigint,numeric,bigint) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.place_in_text(text,text) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.plain_text(text) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.plain_text(text) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.plan_suggestions(bigint,numeric) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.planned_of_few(bigint,bigint,bigint,bigint,bigint,bigint) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.planned_of_many(bigint,bigint,bigint,bigint,bigint,bigint) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.population_deviation_microhours(bigint,numeric,numeric) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.population_deviation_microhours(bigint,numeric,numeric) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.product_production_times() TO takt_api;
GRANT EXECUTE ON FUNCTION takt.quicken_secret(integer,bytea,bytea) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.refuse_rejections(text) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.revoke_client_token(integer,bytea,bytea) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.revoke_token(bytea) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.revoke_token(bytea) TO takt_dashboard;
GRANT EXECUTE ON FUNCTION takt.round_width(double precision) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.same_microhours(numeric) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.same_microhours(numeric[]) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.same_units(numeric,integer,bigint) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.same_units(numeric[],integer,bigint) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.save_view(bytea,text,text,text,text,boolean) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.searched_text(text,text,bigint,bigint,text,text) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.session_company() TO takt_api;
GRANT EXECUTE ON FUNCTION takt.set_up(bytea,text,text,text,text,text,takt.slow_hash) TO takt_dashboard;
GRANT EXECUTE ON FUNCTION takt.settle_alarm_notice(bigint) TO takt_dashboard;
GRANT EXECUTE ON FUNCTION takt.share_months(integer[]) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.sign_in(integer,bytea,bytea) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.sign_in(integer,bytea,bytea) TO takt_dashboard;
GRANT EXECUTE ON FUNCTION takt.sign_in_by_code(bytea,bytea) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.similar_names(text,boolean) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.spellings(text) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.spellings(text) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.sum_of_known(numeric,numeric,numeric) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.t_quantile(bigint) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.take_alarm_notices() TO takt_dashboard;
GRANT EXECUTE ON FUNCTION takt.time_zone_in(bigint,text,text,bigint) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.time_zone_in(bigint,text,text,bigint) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.time_zone_of(integer,bigint) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.time_zone_of(integer,bigint) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.verdict_of_mean(bigint,numeric,numeric,bigint,bigint,bigint) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.walk_naming(integer,integer[],text[],text[],boolean) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.within_bigint(numeric) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.without_misnamed(integer[],text[]) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.without_pruned(integer[],bigint[]) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.write_to_ledger(integer[],json,bigint[],text[],text) TO takt_worker;
GRANT INSERT, SELECT ON TABLE takt.import_changes TO takt_dashboard;
GRANT INSERT, SELECT ON TABLE takt.imports TO takt_dashboard;
GRANT INSERT, SELECT ON TABLE takt.object_keys TO takt_worker;
GRANT INSERT, SELECT, UPDATE ON TABLE takt.application_versions TO takt_worker;
GRANT INSERT, SELECT, UPDATE ON TABLE takt.key_counters TO takt_worker;
GRANT INSERT, SELECT, UPDATE ON TABLE takt.list_sizes TO takt_worker;
GRANT INSERT, SELECT, UPDATE ON TABLE takt.monthly_figures TO takt_worker;
GRANT INSERT, SELECT, UPDATE ON TABLE takt.product_structure_versions TO takt_worker;
GRANT INSERT, SELECT, UPDATE ON TABLE takt.products TO takt_worker;
GRANT INSERT, SELECT, UPDATE ON TABLE takt.work_order_operations TO takt_worker;
GRANT INSERT, UPDATE ON TABLE takt.rejections TO takt_worker;
GRANT SELECT (access_token_id) ON TABLE takt.access_tokens TO takt_dashboard;
GRANT SELECT (api_client_id) ON TABLE takt.access_tokens TO takt_dashboard;
GRANT SELECT (api_client_id) ON TABLE takt.api_clients TO takt_dashboard;
GRANT SELECT (code) ON TABLE takt.companies TO takt_dashboard;
GRANT SELECT (code) ON TABLE takt.companies TO takt_worker;
GRANT SELECT (company_id) ON TABLE takt.companies TO takt_dashboard;
GRANT SELECT (company_id) ON TABLE takt.companies TO takt_worker;
GRANT SELECT (company_id) ON TABLE takt.rejections TO takt_worker;
GRANT SELECT (content_sha256) ON TABLE takt.rejections TO takt_worker;
GRANT SELECT (created_at) ON TABLE takt.access_tokens TO takt_dashboard;
GRANT SELECT (created_at) ON TABLE takt.api_clients TO takt_dashboard;
GRANT SELECT (created_at) ON TABLE takt.users TO takt_dashboard;
GRANT SELECT (description) ON TABLE takt.access_tokens TO takt_dashboard;
GRANT SELECT (disabled_at) ON TABLE takt.api_clients TO takt_dashboard;
GRANT SELECT (disabled_at) ON TABLE takt.companies TO takt_dashboard;
GRANT SELECT (disabled_at) ON TABLE takt.companies TO takt_worker;
GRANT SELECT (disabled_at) ON TABLE takt.users TO takt_dashboard;
GRANT SELECT (duties) ON TABLE takt.access_tokens TO takt_dashboard;
GRANT SELECT (duties) ON TABLE takt.api_clients TO takt_dashboard;
GRANT SELECT (duties) ON TABLE takt.users TO takt_dashboard;
GRANT SELECT (expires_at) ON TABLE takt.access_tokens TO takt_dashboard;
GRANT SELECT (first_name) ON TABLE takt.users TO takt_dashboard;
GRANT SELECT (is_public) ON TABLE takt.api_clients TO takt_dashboard;
GRANT SELECT (kind) ON TABLE takt.access_tokens TO takt_dashboard;
GRANT SELECT (last_at) ON TABLE takt.rejections TO takt_worker;
GRANT SELECT (last_used_at) ON TABLE takt.access_tokens TO takt_dashboard;
GRANT SELECT (may_publish) ON TABLE takt.access_tokens TO takt_dashboard;
GRANT SELECT (name) ON TABLE takt.api_clients TO takt_dashboard;
GRANT SELECT (name) ON TABLE takt.users TO takt_dashboard;
GRANT SELECT (permissions) ON TABLE takt.api_clients TO takt_dashboard;
GRANT SELECT (pid) ON TABLE takt.access_tokens TO takt_dashboard;
GRANT SELECT (pid) ON TABLE takt.users TO takt_dashboard;
GRANT SELECT (problems) ON TABLE takt.rejections TO takt_worker;
GRANT SELECT (reason) ON TABLE takt.rejections TO takt_worker;
GRANT SELECT (redirect_uris) ON TABLE takt.api_clients TO takt_dashboard;
GRANT SELECT (revoked_at) ON TABLE takt.access_tokens TO takt_dashboard;
GRANT SELECT (revoked_at) ON TABLE takt.token_families TO takt_dashboard;
GRANT SELECT (roles) ON TABLE takt.api_clients TO takt_dashboard;
GRANT SELECT (roles) ON TABLE takt.users TO takt_dashboard;
GRANT SELECT (rule) ON TABLE takt.rejections TO takt_worker;
GRANT SELECT (time_zone) ON TABLE takt.companies TO takt_dashboard;
GRANT SELECT (times) ON TABLE takt.rejections TO takt_worker;
GRANT SELECT (token_family_id) ON TABLE takt.access_tokens TO takt_dashboard;
GRANT SELECT (token_family_id) ON TABLE takt.token_families TO takt_dashboard;
GRANT SELECT ON TABLE takt.access_token_companies TO takt_dashboard;
GRANT SELECT ON TABLE takt.alarms TO takt_dashboard;
GRANT SELECT ON TABLE takt.api_client_companies TO takt_dashboard;
GRANT SELECT ON TABLE takt.application_versions TO takt_api;
GRANT SELECT ON TABLE takt.audit_log TO takt_dashboard;
GRANT SELECT ON TABLE takt.audit_runs TO takt_dashboard;
GRANT SELECT ON TABLE takt.company_changes TO takt_api;
GRANT SELECT ON TABLE takt.domain_values TO takt_api;
GRANT SELECT ON TABLE takt.error_messages TO takt_api;
GRANT SELECT ON TABLE takt.event_sources TO takt_dashboard;
GRANT SELECT ON TABLE takt.flow_history TO takt_dashboard;
GRANT SELECT ON TABLE takt.key_counters TO takt_dashboard;
GRANT SELECT ON TABLE takt.list_sizes TO takt_api;
GRANT SELECT ON TABLE takt.month_zones TO takt_api;
GRANT SELECT ON TABLE takt.month_zones TO takt_worker;
GRANT SELECT ON TABLE takt.monthly_figures TO takt_api;
GRANT SELECT ON TABLE takt.object_keys TO takt_dashboard;
GRANT SELECT ON TABLE takt.plan_suggestions TO takt_api;
GRANT SELECT ON TABLE takt.product_structure_versions TO takt_api;
GRANT SELECT ON TABLE takt.product_structure_versions TO takt_dashboard;
GRANT SELECT ON TABLE takt.products TO takt_api;
GRANT SELECT ON TABLE takt.products TO takt_dashboard;
GRANT SELECT ON TABLE takt.pruned_figures TO takt_worker;
GRANT SELECT ON TABLE takt.pruned_operations TO takt_dashboard;
GRANT SELECT ON TABLE takt.pruned_operations TO takt_worker;
GRANT SELECT ON TABLE takt.prunings TO takt_worker;
GRANT SELECT ON TABLE takt.refusals TO takt_dashboard;
GRANT SELECT ON TABLE takt.roles TO takt_dashboard;
GRANT SELECT ON TABLE takt.saved_views TO takt_api;
GRANT SELECT ON TABLE takt.schema_functions TO takt_api;
GRANT SELECT ON TABLE takt.schema_functions TO takt_dashboard;
GRANT SELECT ON TABLE takt.schema_functions TO takt_intake;
GRANT SELECT ON TABLE takt.schema_functions TO takt_worker;
GRANT SELECT ON TABLE takt.schema_migrations TO takt_api;
GRANT SELECT ON TABLE takt.schema_migrations TO takt_dashboard;
GRANT SELECT ON TABLE takt.schema_migrations TO takt_intake;
GRANT SELECT ON TABLE takt.schema_migrations TO takt_worker;
GRANT SELECT ON TABLE takt.user_companies TO takt_dashboard;
GRANT SELECT ON TABLE takt.work_order_operations TO takt_api;
GRANT SELECT ON TABLE takt.work_order_operations TO takt_dashboard;
GRANT SELECT ON TABLE takt.worker_reports TO takt_dashboard;
GRANT UPDATE (number_of_changed) ON TABLE takt.imports TO takt_dashboard;
GRANT UPDATE (number_of_faulty) ON TABLE takt.imports TO takt_dashboard;
GRANT UPDATE (number_of_new) ON TABLE takt.imports TO takt_dashboard;
GRANT UPDATE (number_of_unchanged) ON TABLE takt.imports TO takt_dashboard;
GRANT UPDATE (published_at) ON TABLE takt.imports TO takt_dashboard;
GRANT UPDATE (undo_times) ON TABLE takt.imports TO takt_dashboard;
GRANT UPDATE (undone_at) ON TABLE takt.imports TO takt_dashboard;
GRANT UPDATE (undone_by) ON TABLE takt.imports TO takt_dashboard;
GRANT USAGE ON SCHEMA takt TO takt_api;
GRANT USAGE ON SCHEMA takt TO takt_dashboard;
GRANT USAGE ON SCHEMA takt TO takt_intake;
GRANT USAGE ON SCHEMA takt TO takt_worker;
GRANT USAGE ON TABLE takt.imports_import_id_seq TO takt_dashboard;
GRANT USAGE ON TABLE takt.rejections_rejection_id_seq TO takt_worker;
