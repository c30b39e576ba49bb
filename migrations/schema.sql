-- What the migrations add up to, written by npm run schema:dump. To be read and compared, not to be run.

-- Types

CREATE TYPE takt.product_structure_version_change AS (
  ordinal bigint,
  company_id integer,
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
  cleanup_time numeric(13,6)
);

CREATE TYPE takt.production_time_change AS (
  company_id integer,
  product_structure_version_id bigint,
  run_count bigint,
  run_sum numeric,
  run_squares numeric,
  run_came_min numeric,
  run_came_max numeric,
  run_left_min numeric,
  run_left_max numeric,
  setup_count bigint,
  setup_sum numeric,
  setup_squares numeric,
  setup_came_min numeric,
  setup_came_max numeric,
  setup_left_min numeric,
  setup_left_max numeric,
  cleanup_count bigint,
  cleanup_sum numeric,
  cleanup_squares numeric,
  cleanup_came_min numeric,
  cleanup_came_max numeric,
  cleanup_left_min numeric,
  cleanup_left_max numeric
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
  revoked_at timestamp with time zone
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

CREATE TABLE takt.companies (
  company_id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  code text NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now()
);

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

CREATE TABLE takt.list_sizes (
  company_id integer NOT NULL,
  product_structure_versions bigint NOT NULL
) WITH (fillfactor=50);

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
  run_time numeric(13,6),
  setup_time numeric(13,6),
  cleanup_time numeric(13,6),
  number_of_completed_operations bigint NOT NULL DEFAULT 0,
  run_time_sum numeric NOT NULL DEFAULT 0,
  run_time_sum_of_squares numeric NOT NULL DEFAULT 0,
  shortest_run_time numeric(13,6),
  longest_run_time numeric(13,6),
  average_run_time numeric(13,6) GENERATED ALWAYS AS (takt.average_hours(number_of_completed_operations, run_time_sum)) STORED,
  deviation_run_time numeric(13,6) GENERATED ALWAYS AS (takt.population_deviation_hours(number_of_completed_operations, run_time_sum, run_time_sum_of_squares)) STORED,
  setup_time_count bigint NOT NULL DEFAULT 0,
  setup_time_sum numeric NOT NULL DEFAULT 0,
  setup_time_sum_of_squares numeric NOT NULL DEFAULT 0,
  shortest_setup_time numeric(13,6),
  longest_setup_time numeric(13,6),
  average_setup_time numeric(13,6) GENERATED ALWAYS AS (takt.average_hours(setup_time_count, setup_time_sum)) STORED,
  deviation_setup_time numeric(13,6) GENERATED ALWAYS AS (takt.population_deviation_hours(setup_time_count, setup_time_sum, setup_time_sum_of_squares)) STORED,
  cleanup_time_count bigint NOT NULL DEFAULT 0,
  cleanup_time_sum numeric NOT NULL DEFAULT 0,
  cleanup_time_sum_of_squares numeric NOT NULL DEFAULT 0,
  shortest_cleanup_time numeric(13,6),
  longest_cleanup_time numeric(13,6),
  average_cleanup_time numeric(13,6) GENERATED ALWAYS AS (takt.average_hours(cleanup_time_count, cleanup_time_sum)) STORED,
  deviation_cleanup_time numeric(13,6) GENERATED ALWAYS AS (takt.population_deviation_hours(cleanup_time_count, cleanup_time_sum, cleanup_time_sum_of_squares)) STORED
);

CREATE TABLE takt.products (
  company_id integer NOT NULL,
  product_id bigint NOT NULL,
  status integer NOT NULL,
  name text COLLATE "und-x-icu" NOT NULL,
  type text NOT NULL,
  description text NOT NULL,
  changed_at timestamp with time zone NOT NULL,
  folded_name text COLLATE "und-x-icu" GENERATED ALWAYS AS (casefold(name)) STORED
);

CREATE TABLE takt.schema_migrations (
  number integer NOT NULL,
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamp with time zone NOT NULL DEFAULT now()
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
  cleanup_time numeric(13,6)
);

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

ALTER TABLE takt.access_tokens ADD CONSTRAINT access_tokens_check
  CHECK ((expires_at > created_at));

ALTER TABLE takt.access_tokens ADD CONSTRAINT access_tokens_pkey
  PRIMARY KEY (access_token_id);

ALTER TABLE takt.access_tokens ADD CONSTRAINT access_tokens_token_sha256_check
  CHECK ((octet_length(token_sha256) = 32));

ALTER TABLE takt.access_tokens ADD CONSTRAINT access_tokens_token_sha256_key
  UNIQUE (token_sha256);

ALTER TABLE takt.application_versions ADD CONSTRAINT application_versions_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES takt.companies(company_id);

ALTER TABLE takt.application_versions ADD CONSTRAINT application_versions_pkey
  PRIMARY KEY (company_id, application_version_id);

ALTER TABLE takt.companies ADD CONSTRAINT companies_code_check
  CHECK ((code ~ '^[A-Z0-9][A-Z0-9-]{0,19}$'::text));

ALTER TABLE takt.companies ADD CONSTRAINT companies_code_key
  UNIQUE (code);

ALTER TABLE takt.companies ADD CONSTRAINT companies_pkey
  PRIMARY KEY (company_id);

ALTER TABLE takt.domain_values ADD CONSTRAINT domain_values_pkey
  PRIMARY KEY (object, field, key);

ALTER TABLE takt.error_messages ADD CONSTRAINT error_messages_error_message_id_check
  CHECK ((error_message_id >= 100000));

ALTER TABLE takt.error_messages ADD CONSTRAINT error_messages_http_status_code_check
  CHECK ((http_status_code = ANY (ARRAY[400, 403, 404, 500])));

ALTER TABLE takt.error_messages ADD CONSTRAINT error_messages_pkey
  PRIMARY KEY (error_message_id);

ALTER TABLE takt.list_sizes ADD CONSTRAINT list_sizes_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES takt.companies(company_id);

ALTER TABLE takt.list_sizes ADD CONSTRAINT list_sizes_pkey
  PRIMARY KEY (company_id);

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

ALTER TABLE takt.schema_migrations ADD CONSTRAINT schema_migrations_pkey
  PRIMARY KEY (number);

ALTER TABLE takt.work_order_operations ADD CONSTRAINT work_order_operations_check
  CHECK (((product_structure_version_id IS NULL) = (run_time IS NULL)));

ALTER TABLE takt.work_order_operations ADD CONSTRAINT work_order_operations_pkey
  PRIMARY KEY (company_id, work_order_operation_id);

-- Indexes

CREATE INDEX by_average_cleanup_time ON takt.product_structure_versions USING btree (company_id, COALESCE(average_cleanup_time, ('-1'::integer)::numeric), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_average_run_time ON takt.product_structure_versions USING btree (company_id, COALESCE(average_run_time, ('-1'::integer)::numeric), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_average_setup_time ON takt.product_structure_versions USING btree (company_id, COALESCE(average_setup_time, ('-1'::integer)::numeric), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_cleanup_time ON takt.product_structure_versions USING btree (company_id, COALESCE(cleanup_time, ('-1'::integer)::numeric), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_deviation_cleanup_time ON takt.product_structure_versions USING btree (company_id, COALESCE(deviation_cleanup_time, ('-1'::integer)::numeric), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_deviation_run_time ON takt.product_structure_versions USING btree (company_id, COALESCE(deviation_run_time, ('-1'::integer)::numeric), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_deviation_setup_time ON takt.product_structure_versions USING btree (company_id, COALESCE(deviation_setup_time, ('-1'::integer)::numeric), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_longest_cleanup_time ON takt.product_structure_versions USING btree (company_id, COALESCE(longest_cleanup_time, ('-1'::integer)::numeric), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_longest_run_time ON takt.product_structure_versions USING btree (company_id, COALESCE(longest_run_time, ('-1'::integer)::numeric), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_longest_setup_time ON takt.product_structure_versions USING btree (company_id, COALESCE(longest_setup_time, ('-1'::integer)::numeric), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_number_of_completed_operations ON takt.product_structure_versions USING btree (company_id, number_of_completed_operations, product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_product_name ON takt.product_structure_versions USING btree (company_id, product_name, product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_run_time ON takt.product_structure_versions USING btree (company_id, COALESCE(run_time, ('-1'::integer)::numeric), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_setup_time ON takt.product_structure_versions USING btree (company_id, COALESCE(setup_time, ('-1'::integer)::numeric), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_shortest_cleanup_time ON takt.product_structure_versions USING btree (company_id, COALESCE(shortest_cleanup_time, ('-1'::integer)::numeric), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_shortest_run_time ON takt.product_structure_versions USING btree (company_id, COALESCE(shortest_run_time, ('-1'::integer)::numeric), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX by_shortest_setup_time ON takt.product_structure_versions USING btree (company_id, COALESCE(shortest_setup_time, ('-1'::integer)::numeric), product_structure_version_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX product_structure_versions_of_product ON takt.product_structure_versions USING btree (company_id, product_id) WHERE (changed_at IS NOT NULL);
CREATE INDEX products_by_folded_name ON takt.products USING gin (folded_name public.gin_trgm_ops);
CREATE INDEX work_order_operations_of_structure_version ON takt.work_order_operations USING btree (company_id, product_structure_version_id) INCLUDE (run_time, setup_time, cleanup_time) WHERE (product_structure_version_id IS NOT NULL);

-- Statistics

CREATE STATISTICS takt.spread_of_average_cleanup_time ON COALESCE(average_cleanup_time, '-1'::integer::numeric) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_average_run_time ON COALESCE(average_run_time, '-1'::integer::numeric) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_average_setup_time ON COALESCE(average_setup_time, '-1'::integer::numeric) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_cleanup_time ON COALESCE(cleanup_time, '-1'::integer::numeric) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_deviation_cleanup_time ON COALESCE(deviation_cleanup_time, '-1'::integer::numeric) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_deviation_run_time ON COALESCE(deviation_run_time, '-1'::integer::numeric) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_deviation_setup_time ON COALESCE(deviation_setup_time, '-1'::integer::numeric) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_longest_cleanup_time ON COALESCE(longest_cleanup_time, '-1'::integer::numeric) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_longest_run_time ON COALESCE(longest_run_time, '-1'::integer::numeric) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_longest_setup_time ON COALESCE(longest_setup_time, '-1'::integer::numeric) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_run_time ON COALESCE(run_time, '-1'::integer::numeric) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_setup_time ON COALESCE(setup_time, '-1'::integer::numeric) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_shortest_cleanup_time ON COALESCE(shortest_cleanup_time, '-1'::integer::numeric) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_shortest_run_time ON COALESCE(shortest_run_time, '-1'::integer::numeric) FROM takt.product_structure_versions;
CREATE STATISTICS takt.spread_of_shortest_setup_time ON COALESCE(shortest_setup_time, '-1'::integer::numeric) FROM takt.product_structure_versions;

-- Functions

CREATE OR REPLACE FUNCTION takt.add_to_list_size(of_company integer, listed bigint)
 RETURNS void
 LANGUAGE sql
BEGIN ATOMIC
 INSERT INTO takt.list_sizes AS known (company_id, product_structure_versions)
   VALUES (add_to_list_size.of_company, add_to_list_size.listed) ON CONFLICT(company_id) DO UPDATE SET product_structure_versions = (known.product_structure_versions + excluded.product_structure_versions);
END;

CREATE OR REPLACE FUNCTION takt.apply_application_version_changes(events json)
 RETURNS TABLE("position" integer, outcome text)
 LANGUAGE sql
BEGIN ATOMIC
 WITH event AS (
          SELECT item.ordinality AS ordinal,
             company.company_id AS known_company_id,
             change.company_id,
             change.application_version_id,
             change.application_id,
             change.changed_at,
             change.status,
             change.type,
             change.name,
             change.descriptive_name,
             change.description,
             change.namespace,
             change.master_url,
             change.lookup_key,
             change.lookup_priority,
             change.content_type,
             change.change_description,
             change.created_at,
             change.created_by_user_id,
             change.created_by_first_name,
             change.created_by_name,
             change.restricted_to_company_id,
             change.restricted_to_database,
             change.permission_id,
             change.permission_name,
             change.scope,
             change.is_changed,
             change.changed_by_user_id,
             change.changed_by_first_name,
             change.changed_by_name,
             change.is_pending_deployment,
             change.field_order
            FROM ((json_array_elements(apply_application_version_changes.events) WITH ORDINALITY item(value, ordinality)
              LEFT JOIN takt.companies company ON ((company.code = (item.value ->> 'database'::text))))
              CROSS JOIN LATERAL json_populate_record(NULL::takt.application_versions, item.value) change(company_id, application_version_id, application_id, changed_at, status, type, name, descriptive_name, description, namespace, master_url, lookup_key, lookup_priority, content_type, change_description, created_at, created_by_user_id, created_by_first_name, created_by_name, restricted_to_company_id, restricted_to_database, permission_id, permission_name, scope, is_changed, changed_by_user_id, changed_by_first_name, changed_by_name, is_pending_deployment, field_order))
         ), newest AS (
          SELECT DISTINCT ON (event_1.known_company_id, event_1.application_version_id) event_1.ordinal,
             event_1.known_company_id,
             event_1.company_id,
             event_1.application_version_id,
             event_1.application_id,
             event_1.changed_at,
             event_1.status,
             event_1.type,
             event_1.name,
             event_1.descriptive_name,
             event_1.description,
             event_1.namespace,
             event_1.master_url,
             event_1.lookup_key,
             event_1.lookup_priority,
             event_1.content_type,
             event_1.change_description,
             event_1.created_at,
             event_1.created_by_user_id,
             event_1.created_by_first_name,
             event_1.created_by_name,
             event_1.restricted_to_company_id,
             event_1.restricted_to_database,
             event_1.permission_id,
             event_1.permission_name,
             event_1.scope,
             event_1.is_changed,
             event_1.changed_by_user_id,
             event_1.changed_by_first_name,
             event_1.changed_by_name,
             event_1.is_pending_deployment,
             event_1.field_order
            FROM event event_1
           WHERE (event_1.known_company_id IS NOT NULL)
           ORDER BY event_1.known_company_id, event_1.application_version_id, event_1.changed_at DESC, event_1.ordinal
         ), written AS (
          INSERT INTO takt.application_versions AS known (company_id, application_version_id, application_id, changed_at, status, type, name, descriptive_name, description, namespace, master_url, lookup_key, lookup_priority, content_type, change_description, created_at, created_by_user_id, created_by_first_name, created_by_name, restricted_to_company_id, restricted_to_database, permission_id, permission_name, scope, is_changed, changed_by_user_id, changed_by_first_name, changed_by_name, is_pending_deployment, field_order)  SELECT newest.known_company_id,
                     newest.application_version_id,
                     newest.application_id,
                     newest.changed_at,
                     newest.status,
                     newest.type,
                     newest.name,
                     newest.descriptive_name,
                     newest.description,
                     newest.namespace,
                     newest.master_url,
                     newest.lookup_key,
                     newest.lookup_priority,
                     newest.content_type,
                     newest.change_description,
                     newest.created_at,
                     newest.created_by_user_id,
                     newest.created_by_first_name,
                     newest.created_by_name,
                     newest.restricted_to_company_id,
                     newest.restricted_to_database,
                     newest.permission_id,
                     newest.permission_name,
                     newest.scope,
                     newest.is_changed,
                     newest.changed_by_user_id,
                     newest.changed_by_first_name,
                     newest.changed_by_name,
                     newest.is_pending_deployment,
                     newest.field_order
                    FROM newest
                   ORDER BY newest.known_company_id, newest.application_version_id ON CONFLICT(company_id, application_version_id) DO UPDATE SET application_id = excluded.application_id, changed_at = excluded.changed_at, status = excluded.status, type = excluded.type, name = excluded.name, descriptive_name = excluded.descriptive_name, description = excluded.description, namespace = excluded.namespace, master_url = excluded.master_url, lookup_key = excluded.lookup_key, lookup_priority = excluded.lookup_priority, content_type = excluded.content_type, change_description = excluded.change_description, created_at = excluded.created_at, created_by_user_id = excluded.created_by_user_id, created_by_first_name = excluded.created_by_first_name, created_by_name = excluded.created_by_name, restricted_to_company_id = excluded.restricted_to_company_id, restricted_to_database = excluded.restricted_to_database, permission_id = excluded.permission_id, permission_name = excluded.permission_name, scope = excluded.scope, is_changed = excluded.is_changed, changed_by_user_id = excluded.changed_by_user_id, changed_by_first_name = excluded.changed_by_first_name, changed_by_name = excluded.changed_by_name, is_pending_deployment = excluded.is_pending_deployment, field_order = excluded.field_order
           WHERE (known.changed_at < excluded.changed_at)
           RETURNING new.company_id,
             new.application_version_id
         )
  SELECT ((event.ordinal - 1))::integer AS int4,
         CASE
             WHEN (event.known_company_id IS NULL) THEN 'unknown-company'::text
             ELSE 'stale'::text
         END AS "case"
    FROM event
   WHERE (NOT (EXISTS ( SELECT
            FROM (newest
              JOIN written ON (((written.company_id = newest.known_company_id) AND (written.application_version_id = newest.application_version_id))))
           WHERE (newest.ordinal = event.ordinal))))
   ORDER BY event.ordinal;
END;

CREATE OR REPLACE FUNCTION takt.apply_product_structure_version_changes(events json)
 RETURNS TABLE("position" integer, outcome text)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
DECLARE
  changes takt.product_structure_version_change[];
  written bigint[];
BEGIN
  SELECT array_agg((e.ordinal, company.company_id, e.changed_at, e.structure_version, e.status, e.name, e.version,
    e.revision, e.product_id, e.product_status, e.product_name, e.product_type, e.product_description,
    e.run_time, e.setup_time, e.cleanup_time)::takt.product_structure_version_change ORDER BY e.ordinal)
  INTO changes
  FROM ROWS FROM (json_to_recordset(events) AS (
    database text, "changedAt" timestamptz, "structureVersion" bigint, status integer, name text, version integer,
    revision text, "productId" bigint, "productStatus" integer, "productName" text, "productType" text,
    "productDescription" text, "runTime" numeric(13,6), "setupTime" numeric(13,6), "cleanupTime" numeric(13,6)
  )) WITH ORDINALITY AS e (database, changed_at, structure_version, status, name, version, revision, product_id,
    product_status, product_name, product_type, product_description, run_time, setup_time, cleanup_time, ordinal)
  LEFT JOIN takt.companies company ON company.code = e.database;

  INSERT INTO takt.products AS known (company_id, product_id, status, name, type, description, changed_at)
  SELECT DISTINCT ON (company_id, product_id)
    company_id, product_id, product_status, product_name, product_type, product_description, changed_at
  FROM unnest(changes) WHERE company_id IS NOT NULL
  ORDER BY company_id, product_id, changed_at DESC, ordinal
  ON CONFLICT (company_id, product_id) DO UPDATE SET
    status = excluded.status, name = excluded.name, type = excluded.type,
    description = excluded.description, changed_at = excluded.changed_at
  WHERE known.changed_at < excluded.changed_at;

  INSERT INTO takt.product_structure_versions (company_id, product_structure_version_id)
  SELECT DISTINCT company_id, product_structure_version_id
  FROM unnest(changes) WHERE company_id IS NOT NULL
  ORDER BY company_id, product_structure_version_id
  ON CONFLICT DO NOTHING;

  -- Besides the batch's own rows, those that carry a copy of a product name that may have changed.
  PERFORM FROM takt.product_structure_versions listed
  WHERE EXISTS (
    SELECT FROM unnest(changes) AS change
    WHERE change.company_id = listed.company_id
      AND change.product_structure_version_id = listed.product_structure_version_id)
  OR (listed.company_id, listed.product_id) IN (SELECT company_id, product_id FROM unnest(changes))
  ORDER BY company_id, product_structure_version_id
  FOR NO KEY UPDATE;

  WITH newest AS (
    SELECT DISTINCT ON (company_id, product_structure_version_id) *
    FROM unnest(changes) WHERE company_id IS NOT NULL
    ORDER BY company_id, product_structure_version_id, changed_at DESC, ordinal
  ), updated AS (
    UPDATE takt.product_structure_versions AS listed SET
      changed_at = newest.changed_at, status = newest.status, name = newest.name, version = newest.version,
      revision = newest.revision, product_id = newest.product_id, run_time = newest.run_time,
      setup_time = newest.setup_time, cleanup_time = newest.cleanup_time
    FROM newest
    WHERE listed.company_id = newest.company_id
      AND listed.product_structure_version_id = newest.product_structure_version_id
      AND (listed.changed_at IS NULL OR listed.changed_at < newest.changed_at)
    RETURNING newest.ordinal
  )
  SELECT array_agg(ordinal) INTO written FROM updated;

  UPDATE takt.product_structure_versions AS listed SET product_name = product.name
  FROM takt.products product
  WHERE (product.company_id, product.product_id) IN (SELECT company_id, product_id FROM unnest(changes))
    AND listed.company_id = product.company_id AND listed.product_id = product.product_id
    AND listed.changed_at IS NOT NULL
    AND listed.product_name IS DISTINCT FROM product.name;

  RETURN QUERY
  SELECT (ordinal - 1)::integer, CASE WHEN company_id IS NULL THEN 'unknown-company' ELSE 'stale' END
  FROM unnest(changes)
  WHERE NOT EXISTS (SELECT FROM unnest(written) AS done WHERE done = ordinal)
  ORDER BY ordinal;
END $function$;

CREATE OR REPLACE FUNCTION takt.apply_work_order_operation_events(events json)
 RETURNS TABLE("position" integer, outcome text)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
DECLARE
  changes takt.production_time_change[];
  applied integer[];
BEGIN
  -- The ledger first. RETURNING old and new give the exact change of each operation; what is signed -1 leaves
  -- the figures, what is signed 1 comes. ON CONFLICT cannot touch a row twice, so only the newest revision of
  -- each operation goes in.
  WITH event AS (
    SELECT company.company_id, e.*
    FROM ROWS FROM (json_to_recordset(events) AS (
      database text, operation bigint, revision bigint, "structureVersion" bigint, "workOrder" bigint,
      "changedAt" timestamptz, "runTime" numeric(13,6), "setupTime" numeric(13,6), "cleanupTime" numeric(13,6)
    )) WITH ORDINALITY AS e (database, operation, revision, structure_version, work_order, changed_at,
      run_time, setup_time, cleanup_time, ordinal)
    JOIN takt.companies company ON company.code = e.database
  ), newest AS (
    SELECT DISTINCT ON (company_id, operation) *
    FROM event
    ORDER BY company_id, operation, revision DESC, ordinal
  ), written AS (
    INSERT INTO takt.work_order_operations AS ledger (company_id, work_order_operation_id, revision,
      product_structure_version_id, work_order_id, changed_at, run_time, setup_time, cleanup_time)
    SELECT company_id, operation, revision, structure_version, work_order, changed_at,
      run_time, setup_time, cleanup_time
    FROM newest
    ORDER BY company_id, operation
    ON CONFLICT (company_id, work_order_operation_id) DO UPDATE SET
      revision = excluded.revision,
      product_structure_version_id = excluded.product_structure_version_id,
      work_order_id = excluded.work_order_id,
      changed_at = excluded.changed_at,
      run_time = excluded.run_time,
      setup_time = excluded.setup_time,
      cleanup_time = excluded.cleanup_time
    WHERE ledger.revision < excluded.revision
    RETURNING new.company_id, new.work_order_operation_id AS operation,
      old.product_structure_version_id AS old_version,
      old.run_time AS old_run, old.setup_time AS old_setup, old.cleanup_time AS old_cleanup,
      new.product_structure_version_id AS new_version,
      new.run_time AS new_run, new.setup_time AS new_setup, new.cleanup_time AS new_cleanup
  ), signed AS (
    SELECT company_id, old_version AS version, -1 AS sign, old_run AS run, old_setup AS setup, old_cleanup AS cleanup
    FROM written WHERE old_version IS NOT NULL
    UNION ALL
    SELECT company_id, new_version, 1, new_run, new_setup, new_cleanup
    FROM written WHERE new_version IS NOT NULL
  ), change AS (
    SELECT (company_id, version,
      sum(sign), sum(sign * run), sum(sign * run * run),
      min(run) FILTER (WHERE sign = 1), max(run) FILTER (WHERE sign = 1),
      min(run) FILTER (WHERE sign = -1), max(run) FILTER (WHERE sign = -1),
      coalesce(sum(sign) FILTER (WHERE setup IS NOT NULL), 0),
      coalesce(sum(sign * setup), 0), coalesce(sum(sign * setup * setup), 0),
      min(setup) FILTER (WHERE sign = 1), max(setup) FILTER (WHERE sign = 1),
      min(setup) FILTER (WHERE sign = -1), max(setup) FILTER (WHERE sign = -1),
      coalesce(sum(sign) FILTER (WHERE cleanup IS NOT NULL), 0),
      coalesce(sum(sign * cleanup), 0), coalesce(sum(sign * cleanup * cleanup), 0),
      min(cleanup) FILTER (WHERE sign = 1), max(cleanup) FILTER (WHERE sign = 1),
      min(cleanup) FILTER (WHERE sign = -1), max(cleanup) FILTER (WHERE sign = -1)
    )::takt.production_time_change AS change
    FROM signed
    GROUP BY company_id, version
    ORDER BY company_id, version
  )
  SELECT
    (SELECT array_agg(change) FROM change),
    CASE WHEN (SELECT count(*) FROM written) < json_array_length(events) THEN
      (SELECT coalesce(array_agg((newest.ordinal - 1)::integer), '{}')
       FROM newest JOIN written USING (company_id, operation))
    END
  INTO changes, applied;

  -- The figures' rows: made where missing, then locked in key order.
  INSERT INTO takt.product_structure_versions (company_id, product_structure_version_id)
  SELECT change.company_id, change.product_structure_version_id
  FROM unnest(changes) AS change
  WHERE NOT EXISTS (
    SELECT FROM takt.product_structure_versions known
    WHERE known.company_id = change.company_id
      AND known.product_structure_version_id = change.product_structure_version_id)
  ORDER BY change.company_id, change.product_structure_version_id
  ON CONFLICT DO NOTHING;

  PERFORM FROM takt.product_structure_versions figures
  JOIN unnest(changes) AS change USING (company_id, product_structure_version_id)
  ORDER BY figures.company_id, figures.product_structure_version_id
  FOR NO KEY UPDATE OF figures;

  -- A new statement, so a new snapshot, taken after the locks: whoever changed these figures before us has
  -- committed and is seen by the look-up of an extreme that left. In the statement that takes the lock, the
  -- look-up would still see the ledger as it was before the wait. It is spared where a value came that is at
  -- least as extreme as what left.
  UPDATE takt.product_structure_versions AS figures SET
    number_of_completed_operations = number_of_completed_operations + run_count,
    run_time_sum = run_time_sum + run_sum,
    run_time_sum_of_squares = run_time_sum_of_squares + run_squares,
    shortest_run_time = CASE
      WHEN run_left_min <= shortest_run_time AND (run_came_min <= shortest_run_time) IS NOT TRUE THEN (
        SELECT min(o.run_time) FROM takt.work_order_operations o
        WHERE o.company_id = figures.company_id
          AND o.product_structure_version_id = figures.product_structure_version_id)
      ELSE least(shortest_run_time, run_came_min) END,
    longest_run_time = CASE
      WHEN run_left_max >= longest_run_time AND (run_came_max >= longest_run_time) IS NOT TRUE THEN (
        SELECT max(o.run_time) FROM takt.work_order_operations o
        WHERE o.company_id = figures.company_id
          AND o.product_structure_version_id = figures.product_structure_version_id)
      ELSE greatest(longest_run_time, run_came_max) END,
    setup_time_count = setup_time_count + setup_count,
    setup_time_sum = setup_time_sum + setup_sum,
    setup_time_sum_of_squares = setup_time_sum_of_squares + setup_squares,
    shortest_setup_time = CASE
      WHEN setup_left_min <= shortest_setup_time AND (setup_came_min <= shortest_setup_time) IS NOT TRUE THEN (
        SELECT min(o.setup_time) FROM takt.work_order_operations o
        WHERE o.company_id = figures.company_id
          AND o.product_structure_version_id = figures.product_structure_version_id)
      ELSE least(shortest_setup_time, setup_came_min) END,
    longest_setup_time = CASE
      WHEN setup_left_max >= longest_setup_time AND (setup_came_max >= longest_setup_time) IS NOT TRUE THEN (
        SELECT max(o.setup_time) FROM takt.work_order_operations o
        WHERE o.company_id = figures.company_id
          AND o.product_structure_version_id = figures.product_structure_version_id)
      ELSE greatest(longest_setup_time, setup_came_max) END,
    cleanup_time_count = cleanup_time_count + cleanup_count,
    cleanup_time_sum = cleanup_time_sum + cleanup_sum,
    cleanup_time_sum_of_squares = cleanup_time_sum_of_squares + cleanup_squares,
    shortest_cleanup_time = CASE
      WHEN cleanup_left_min <= shortest_cleanup_time AND (cleanup_came_min <= shortest_cleanup_time) IS NOT TRUE THEN (
        SELECT min(o.cleanup_time) FROM takt.work_order_operations o
        WHERE o.company_id = figures.company_id
          AND o.product_structure_version_id = figures.product_structure_version_id)
      ELSE least(shortest_cleanup_time, cleanup_came_min) END,
    longest_cleanup_time = CASE
      WHEN cleanup_left_max >= longest_cleanup_time AND (cleanup_came_max >= longest_cleanup_time) IS NOT TRUE THEN (
        SELECT max(o.cleanup_time) FROM takt.work_order_operations o
        WHERE o.company_id = figures.company_id
          AND o.product_structure_version_id = figures.product_structure_version_id)
      ELSE greatest(longest_cleanup_time, cleanup_came_max) END
  FROM unnest(changes) AS change
  WHERE figures.company_id = change.company_id
    AND figures.product_structure_version_id = change.product_structure_version_id;

  -- applied is null when every event of the batch was written: the usual case, with nothing to tell.
  IF applied IS NULL THEN
    RETURN;
  END IF;

  RETURN QUERY
  SELECT (e.ordinal - 1)::integer,
    CASE
      WHEN company.company_id IS NULL THEN 'unknown-company'
      WHEN e.revision < ledger.revision THEN 'stale'
      WHEN (e.structure_version, e.work_order, e.changed_at, e.run_time, e.setup_time, e.cleanup_time)
        IS NOT DISTINCT FROM (ledger.product_structure_version_id, ledger.work_order_id, ledger.changed_at,
          ledger.run_time, ledger.setup_time, ledger.cleanup_time) THEN 'duplicate'
      ELSE 'conflict'
    END
  FROM ROWS FROM (json_to_recordset(events) AS (
    database text, operation bigint, revision bigint, "structureVersion" bigint, "workOrder" bigint,
    "changedAt" timestamptz, "runTime" numeric(13,6), "setupTime" numeric(13,6), "cleanupTime" numeric(13,6)
  )) WITH ORDINALITY AS e (database, operation, revision, structure_version, work_order, changed_at,
    run_time, setup_time, cleanup_time, ordinal)
  LEFT JOIN takt.companies company ON company.code = e.database
  -- OFFSET 0 keeps this a look-up by the whole key for each event. As a plain join, a young table without
  -- statistics gets a plan that reads all operations of the company for every duplicate.
  LEFT JOIN LATERAL (
    SELECT * FROM takt.work_order_operations known
    WHERE known.company_id = company.company_id AND known.work_order_operation_id = e.operation
    OFFSET 0
  ) AS ledger ON true
  WHERE NOT EXISTS (SELECT FROM unnest(applied) AS done WHERE done = e.ordinal - 1)
  ORDER BY e.ordinal;
END $function$;

CREATE OR REPLACE FUNCTION takt.average_hours(n bigint, total numeric)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN CASE WHEN (n > 0) THEN (div((((2000000)::numeric * total) + (n)::numeric), ((2 * n))::numeric) * 0.000001) ELSE NULL::numeric END;

CREATE OR REPLACE FUNCTION takt.count_deleted_structure_versions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM takt.add_to_list_size(company_id, -listed) FROM (
    SELECT company_id, count(*) AS listed FROM changed WHERE changed_at IS NOT NULL
    GROUP BY company_id ORDER BY company_id) AS by_company;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION takt.count_inserted_structure_versions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM takt.add_to_list_size(company_id, listed) FROM (
    SELECT company_id, count(*) AS listed FROM changed WHERE changed_at IS NOT NULL
    GROUP BY company_id ORDER BY company_id) AS by_company;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION takt.count_updated_structure_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM takt.add_to_list_size(NEW.company_id, CASE WHEN NEW.changed_at IS NULL THEN -1 ELSE 1 END);
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION takt.find_access_token(token_sha256 bytea)
 RETURNS TABLE(access_token_id bigint, expires_at timestamp with time zone, companies json)
 LANGUAGE sql
 STABLE STRICT SECURITY DEFINER ROWS 1
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT token.access_token_id, token.expires_at,
    json_agg(json_build_object('company_id', company.company_id, 'code', company.code, 'name', company.name)
      ORDER BY granted.ordinal)
  FROM takt.access_tokens token
  JOIN takt.access_token_companies granted ON granted.access_token_id = token.access_token_id
  JOIN takt.companies company ON company.company_id = granted.company_id
  WHERE token.token_sha256 = find_access_token.token_sha256
    AND token.expires_at > statement_timestamp()
    AND token.revoked_at IS NULL
  GROUP BY token.access_token_id
$function$;

CREATE OR REPLACE FUNCTION takt.forget_list_sizes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE takt.list_sizes SET product_structure_versions = 0;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION takt.population_deviation_hours(n bigint, total numeric, sum_of_squares numeric)
 RETURNS numeric
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
  RETURN div(root + n, 2 * n) * 0.000001;
END $function$;

CREATE OR REPLACE FUNCTION takt.rebuild_production_times(company integer, versions bigint[])
 RETURNS SETOF bigint
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO takt.product_structure_versions (company_id, product_structure_version_id)
  SELECT company, version FROM unnest(versions) AS version ORDER BY version
  ON CONFLICT DO NOTHING;

  PERFORM FROM takt.product_structure_versions
  WHERE company_id = company AND product_structure_version_id = ANY (versions)
  ORDER BY product_structure_version_id
  FOR NO KEY UPDATE;

  RETURN QUERY
  WITH recomputed AS (
    SELECT wanted.id,
      count(o.run_time) AS run_count, coalesce(sum(o.run_time), 0) AS run_sum,
      coalesce(sum(o.run_time * o.run_time), 0) AS run_squares, min(o.run_time) AS run_min, max(o.run_time) AS run_max,
      count(o.setup_time) AS setup_count, coalesce(sum(o.setup_time), 0) AS setup_sum,
      coalesce(sum(o.setup_time * o.setup_time), 0) AS setup_squares, min(o.setup_time) AS setup_min, max(o.setup_time) AS setup_max,
      count(o.cleanup_time) AS cleanup_count, coalesce(sum(o.cleanup_time), 0) AS cleanup_sum,
      coalesce(sum(o.cleanup_time * o.cleanup_time), 0) AS cleanup_squares, min(o.cleanup_time) AS cleanup_min, max(o.cleanup_time) AS cleanup_max
    FROM unnest(versions) AS wanted (id)
    LEFT JOIN takt.work_order_operations o ON o.company_id = company AND o.product_structure_version_id = wanted.id
    GROUP BY wanted.id
  )
  UPDATE takt.product_structure_versions AS figures SET
    number_of_completed_operations = run_count, run_time_sum = run_sum, run_time_sum_of_squares = run_squares,
    shortest_run_time = run_min, longest_run_time = run_max,
    setup_time_count = setup_count, setup_time_sum = setup_sum, setup_time_sum_of_squares = setup_squares,
    shortest_setup_time = setup_min, longest_setup_time = setup_max,
    cleanup_time_count = cleanup_count, cleanup_time_sum = cleanup_sum, cleanup_time_sum_of_squares = cleanup_squares,
    shortest_cleanup_time = cleanup_min, longest_cleanup_time = cleanup_max
  FROM recomputed
  WHERE figures.company_id = company AND figures.product_structure_version_id = recomputed.id
    AND (number_of_completed_operations, run_time_sum, run_time_sum_of_squares, shortest_run_time, longest_run_time,
      setup_time_count, setup_time_sum, setup_time_sum_of_squares, shortest_setup_time, longest_setup_time,
      cleanup_time_count, cleanup_time_sum, cleanup_time_sum_of_squares, shortest_cleanup_time, longest_cleanup_time)
    IS DISTINCT FROM (run_count, run_sum, run_squares, run_min, run_max,
      setup_count, setup_sum, setup_squares, setup_min, setup_max,
      cleanup_count, cleanup_sum, cleanup_squares, cleanup_min, cleanup_max)
  RETURNING figures.product_structure_version_id;
END $function$;

-- Triggers

CREATE TRIGGER count_deleted AFTER DELETE ON takt.product_structure_versions REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION takt.count_deleted_structure_versions();
CREATE TRIGGER count_inserted AFTER INSERT ON takt.product_structure_versions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION takt.count_inserted_structure_versions();
CREATE TRIGGER count_updated AFTER UPDATE OF changed_at ON takt.product_structure_versions FOR EACH ROW WHEN (((old.changed_at IS NULL) <> (new.changed_at IS NULL))) EXECUTE FUNCTION takt.count_updated_structure_version();
CREATE TRIGGER forget_sizes AFTER TRUNCATE ON takt.product_structure_versions FOR EACH STATEMENT EXECUTE FUNCTION takt.forget_list_sizes();

-- Comments

COMMENT ON COLUMN takt.access_token_companies.ordinal IS
  'from 1; the first company is the default of the token';

COMMENT ON COLUMN takt.access_tokens.description IS
  'what the token is for, in the words of whoever made it';

COMMENT ON COLUMN takt.access_tokens.expires_at IS
  'the first instant at which the token is no longer valid';

COMMENT ON COLUMN takt.access_tokens.token_sha256 IS
  'SHA-256 of the whole token as it is sent, with its prefix';

COMMENT ON COLUMN takt.application_versions.changed_at IS
  'newest application-version.changed.v1 taken in';

COMMENT ON COLUMN takt.application_versions.field_order IS
  'CustomFieldOrder.FieldOrder: JSON as its writer sent it, never parsed here';

COMMENT ON COLUMN takt.companies.code IS
  'what events and $db call the company, e.g. TEM-NO';

COMMENT ON COLUMN takt.domain_values.priority IS
  'order of the values in a list, from 1';

COMMENT ON COLUMN takt.error_messages.created_by IS
  'person identifier (PID)';

COMMENT ON COLUMN takt.error_messages.message IS
  'English, with {0}, {1}, ... for the parameters';

COMMENT ON COLUMN takt.error_messages.translations IS
  'message by three-letter language';

COMMENT ON COLUMN takt.list_sizes.product_structure_versions IS
  'rows with changed_at set; a missing row means none';

COMMENT ON COLUMN takt.product_structure_versions.changed_at IS
  'newest product-structure-version.changed.v1 taken in; null: only figures so far, not listed';

COMMENT ON COLUMN takt.product_structure_versions.cleanup_time IS
  'planned hours';

COMMENT ON COLUMN takt.product_structure_versions.product_name IS
  'copy of products.name, kept equal by apply_product_structure_version_changes, so that it can be indexed with the figures';

COMMENT ON COLUMN takt.product_structure_versions.run_time IS
  'planned hours';

COMMENT ON COLUMN takt.product_structure_versions.setup_time IS
  'planned hours';

COMMENT ON COLUMN takt.products.folded_name IS
  'what filters compare with: the name without regard to case';

COMMENT ON COLUMN takt.work_order_operations.changed_at IS
  'completedAt or reopenedAt of the event';

COMMENT ON COLUMN takt.work_order_operations.product_structure_version_id IS
  'null: reopened, does not count';

-- Grants

GRANT EXECUTE ON FUNCTION takt.add_to_list_size(integer,bigint) TO PUBLIC;
GRANT EXECUTE ON FUNCTION takt.apply_application_version_changes(json) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.apply_product_structure_version_changes(json) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.apply_work_order_operation_events(json) TO takt_worker;
GRANT EXECUTE ON FUNCTION takt.average_hours(bigint,numeric) TO PUBLIC;
GRANT EXECUTE ON FUNCTION takt.count_deleted_structure_versions() TO PUBLIC;
GRANT EXECUTE ON FUNCTION takt.count_inserted_structure_versions() TO PUBLIC;
GRANT EXECUTE ON FUNCTION takt.count_updated_structure_version() TO PUBLIC;
GRANT EXECUTE ON FUNCTION takt.find_access_token(bytea) TO takt_api;
GRANT EXECUTE ON FUNCTION takt.forget_list_sizes() TO PUBLIC;
GRANT EXECUTE ON FUNCTION takt.population_deviation_hours(bigint,numeric,numeric) TO PUBLIC;
GRANT INSERT, SELECT, UPDATE ON TABLE takt.application_versions TO takt_worker;
GRANT INSERT, SELECT, UPDATE ON TABLE takt.list_sizes TO takt_worker;
GRANT INSERT, SELECT, UPDATE ON TABLE takt.product_structure_versions TO takt_worker;
GRANT INSERT, SELECT, UPDATE ON TABLE takt.products TO takt_worker;
GRANT INSERT, SELECT, UPDATE ON TABLE takt.work_order_operations TO takt_worker;
GRANT SELECT ON TABLE takt.application_versions TO takt_api;
GRANT SELECT ON TABLE takt.companies TO takt_api;
GRANT SELECT ON TABLE takt.companies TO takt_worker;
GRANT SELECT ON TABLE takt.domain_values TO takt_api;
GRANT SELECT ON TABLE takt.error_messages TO takt_api;
GRANT SELECT ON TABLE takt.list_sizes TO takt_api;
GRANT SELECT ON TABLE takt.product_structure_versions TO takt_api;
GRANT SELECT ON TABLE takt.products TO takt_api;
GRANT SELECT ON TABLE takt.schema_migrations TO takt_api;
GRANT SELECT ON TABLE takt.schema_migrations TO takt_dashboard;
GRANT SELECT ON TABLE takt.schema_migrations TO takt_worker;
GRANT USAGE ON SCHEMA takt TO takt_api;
GRANT USAGE ON SCHEMA takt TO takt_dashboard;
GRANT USAGE ON SCHEMA takt TO takt_worker;
