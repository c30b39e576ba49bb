import { COLUMN_DEFINITIONS, GRANTEES } from './fragments.js';

/** A part of the dump: a heading and a query whose rows each hold one `statement`. */
export interface Section {
  readonly title: string;
  readonly query: string;
}

const TYPES = `
  SELECT format(E'CREATE TYPE %s AS (\\n%s\\n);', c.oid::regclass, columns.definitions) AS statement
  FROM pg_class c CROSS JOIN LATERAL (${COLUMN_DEFINITIONS}) columns
  WHERE c.relnamespace = 'takt'::regnamespace AND c.relkind = 'c'`;

const TABLES = `
  SELECT format(E'CREATE %sTABLE %s (\\n%s\\n)%s;%s%s',
    CASE c.relpersistence WHEN 'u' THEN 'UNLOGGED ' END, c.oid::regclass, columns.definitions,
    ' WITH (' || array_to_string(c.reloptions, ', ') || ')',
    CASE WHEN c.relrowsecurity THEN format(E'\\nALTER TABLE %s ENABLE ROW LEVEL SECURITY;', c.oid::regclass) END,
    CASE WHEN c.relforcerowsecurity THEN format(E'\\nALTER TABLE %s FORCE ROW LEVEL SECURITY;', c.oid::regclass) END
  ) AS statement
  FROM pg_class c CROSS JOIN LATERAL (${COLUMN_DEFINITIONS}) columns
  WHERE c.relnamespace = 'takt'::regnamespace AND c.relkind = 'r'`;

// NOT NULL is a constraint of its own since PostgreSQL 18; here it stands at its column.
const CONSTRAINTS = `
  SELECT format(E'ALTER TABLE %s ADD CONSTRAINT %I\\n  %s;',
    conrelid::regclass, conname, pg_get_constraintdef(oid)) AS statement
  FROM pg_constraint
  WHERE connamespace = 'takt'::regnamespace AND conrelid <> 0 AND contype <> 'n'`;

const INDEXES = `
  SELECT pg_get_indexdef(c.oid) || ';' AS statement
  FROM pg_class c
  WHERE c.relnamespace = 'takt'::regnamespace AND c.relkind = 'i'
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = c.oid AND contype IN ('p', 'u', 'x'))`;

const STATISTICS = `
  SELECT pg_get_statisticsobjdef(oid) || ';' AS statement
  FROM pg_statistic_ext
  WHERE stxnamespace = 'takt'::regnamespace`;

const FUNCTIONS = `
  SELECT rtrim(pg_get_functiondef(oid), E'\\n') || ';' AS statement
  FROM pg_proc
  WHERE pronamespace = 'takt'::regnamespace AND prokind IN ('f', 'p')`;

const TRIGGERS = `
  SELECT pg_get_triggerdef(t.oid) || ';' AS statement
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
  WHERE c.relnamespace = 'takt'::regnamespace AND NOT t.tgisinternal`;

const POLICIES = `
  SELECT format(E'CREATE POLICY %I ON %s AS %s FOR %s TO %s%s%s;', policyname, polrelid::regclass, permissive, cmd,
    array_to_string(roles, ', '), E'\\n  USING (' || qual || ')', E'\\n  WITH CHECK (' || with_check || ')') AS statement
  FROM pg_policies
  JOIN pg_policy ON polname = policyname AND polrelid = format('%I.%I', schemaname, tablename)::regclass
  WHERE schemaname = 'takt'`;

// Triggers and policies have no schema of their own, but their identity ends in that of their table. The last word
// of a type such as "table column" is what COMMENT ON wants.
const COMMENTS = `
  SELECT format(E'COMMENT ON %s %s IS\\n  %L;', upper(substring(object.type FROM '[a-z]+$')), object.identity,
    d.description) AS statement
  FROM pg_description d CROSS JOIN LATERAL pg_identify_object(d.classoid, d.objoid, d.objsubid) object
  WHERE object.schema = 'takt' OR object.identity LIKE '% on takt.%' OR object.identity = 'takt'`;

const GRANTS = `
  SELECT format('GRANT %s ON %s TO %s%s;', string_agg(privilege_type || columns, ', ' ORDER BY privilege_type),
    object, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END,
    CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END) AS statement
  FROM (
    SELECT 'SCHEMA ' || nspname AS object, '' AS columns, nspowner AS owner, nspacl AS acl
    FROM pg_namespace WHERE nspname = 'takt'
    UNION ALL
    SELECT 'TABLE ' || oid::regclass, '', relowner, relacl
    FROM pg_class WHERE relnamespace = 'takt'::regnamespace
    UNION ALL
    SELECT 'TABLE ' || attrelid::regclass, format(' (%I)', attname), relowner, attacl
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid WHERE relnamespace = 'takt'::regnamespace
    UNION ALL
    SELECT 'TYPE ' || oid::regtype, '', typowner, typacl
    FROM pg_type WHERE typnamespace = 'takt'::regnamespace
    UNION ALL
    -- A function without any GRANT or REVOKE may be called by everybody: acldefault says so.
    SELECT 'FUNCTION ' || oid::regprocedure, '', proowner, coalesce(proacl, acldefault('f', proowner))
    FROM pg_proc WHERE pronamespace = 'takt'::regnamespace
  ) granted CROSS JOIN LATERAL aclexplode(acl)
  WHERE ${GRANTEES}
  GROUP BY object, columns, grantee, is_grantable`;

export const SECTIONS: readonly Section[] = [
  { title: 'Types', query: TYPES },
  { title: 'Tables', query: TABLES },
  { title: 'Constraints', query: CONSTRAINTS },
  { title: 'Indexes', query: INDEXES },
  { title: 'Statistics', query: STATISTICS },
  { title: 'Functions', query: FUNCTIONS },
  { title: 'Triggers', query: TRIGGERS },
  { title: 'Policies', query: POLICIES },
  { title: 'Comments', query: COMMENTS },
  { title: 'Grants', query: GRANTS },
];
