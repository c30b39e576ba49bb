import { type AppName, type Database, openDatabase } from '@takt/database';
import { createTestDatabase, type TestDatabase } from '@takt/test-support';
import { expect } from 'chai';
import pg from 'pg';

const INSUFFICIENT_PRIVILEGE = '42501';

/** Statements that would succeed for the owner. */
const INSERTS = {
  companies: "INSERT INTO companies (code, name) VALUES ('NEW', 'New')",
  products: "INSERT INTO products VALUES (1, 2, 4, 'Frame', 'K', '', now())",
  product_structure_versions:
    'INSERT INTO product_structure_versions (company_id, product_structure_version_id) VALUES (1, 2)',
  monthly_figures: "INSERT INTO monthly_figures VALUES (1, 2, '2024-01-01')",
  work_order_operations: 'INSERT INTO work_order_operations VALUES (1, 2, 1, NULL, NULL, now())',
  application_versions: "INSERT INTO application_versions VALUES (1, 100, 10000, now(), 4, 'WIDGET', 'Name')",
  structure_version_texts: "INSERT INTO structure_version_texts VALUES (1, 2, 'frame')",
  domain_values: "INSERT INTO domain_values VALUES ('A', 'B', 'C', 'D', '{}', 1)",
  error_messages: "INSERT INTO error_messages VALUES (100999, '4', 'system', 500, 'M', 'eng', 1, 'T', '{}')",
  list_sizes: 'INSERT INTO list_sizes VALUES (1, 0)',
  access_tokens: "INSERT INTO access_tokens (token_sha256, expires_at) VALUES (sha256('x'), now())",
  access_token_companies: 'INSERT INTO access_token_companies VALUES (1, 1, 1)',
  api_client_companies: 'INSERT INTO api_client_companies VALUES (1, 1, 1)',
  api_clients: "INSERT INTO api_clients (name) VALUES ('forged')",
  authorization_codes:
    'INSERT INTO authorization_codes (code_sha256, api_client_id, pid, redirect_uri, code_challenge, expires_at) ' +
    "VALUES (sha256('x'), 1, 1, 'u', repeat('A', 43), now())",
  refresh_tokens:
    "INSERT INTO refresh_tokens (token_sha256, token_family_id, expires_at) VALUES (sha256('x'), 1, now())",
  roles: "INSERT INTO roles VALUES ('forged', '{}', '')",
  salt_secret: "INSERT INTO salt_secret (secret) VALUES (sha256('x')) ON CONFLICT DO NOTHING",
  token_families: 'INSERT INTO token_families (api_client_id, pid, expires_at) VALUES (1, 1, now())',
  user_companies: 'INSERT INTO user_companies VALUES (1, 1, 1)',
  users:
    "INSERT INTO users (pid, name, password) VALUES (1, 'forged', ROW(substr(sha256('x'), 1, 16), 2, 1, 1, sha256('x')))",
  pruned_figures:
    'INSERT INTO pruned_figures VALUES (1, 2, current_date, 1, 1, 1, 1, 1, 0, 0, 0, NULL, NULL, 0, 0, 0, NULL, NULL)',
  pruned_operations: "INSERT INTO pruned_operations VALUES (1, 1, '{}')",
  prunings: 'INSERT INTO prunings VALUES (1, current_date, 1)',
  rejected_events:
    'INSERT INTO rejected_events (content_sha256, queue, job_id, job_name, reason, deliveries, data, rejected_at) ' +
    "VALUES (sha256('x'), 'q', 'j', 'n', 'r', 1, 'null', now()) ON CONFLICT DO NOTHING",
  worker_reports:
    "INSERT INTO worker_reports (worker_id, queue, host, pid, version) VALUES (gen_random_uuid(), 'q', 'h', 1, 'v')",
  event_sources: "INSERT INTO event_sources VALUES (1, 's', now(), 'i')",
  audit_runs: 'INSERT INTO audit_runs (structure_versions, differences, seconds) VALUES (1, 0, 1)',
  schema_functions: "INSERT INTO schema_functions VALUES ('x', 'x', '{}')",
  schema_migrations: "INSERT INTO schema_migrations VALUES (99, 'x', 'x')",
} as const;
type Table = keyof typeof INSERTS;
const TABLES = Object.keys(INSERTS).filter((name): name is Table => name in INSERTS);

const UPDATES: Readonly<Record<Table, string>> = {
  companies: 'UPDATE companies SET name = name',
  products: 'UPDATE products SET name = name',
  product_structure_versions: 'UPDATE product_structure_versions SET name = name',
  monthly_figures: 'UPDATE monthly_figures SET month = month',
  work_order_operations: 'UPDATE work_order_operations SET revision = revision',
  application_versions: 'UPDATE application_versions SET name = name',
  structure_version_texts: 'UPDATE structure_version_texts SET folded = folded',
  domain_values: 'UPDATE domain_values SET description = description',
  error_messages: 'UPDATE error_messages SET status = status',
  list_sizes: 'UPDATE list_sizes SET company_id = company_id',
  access_tokens: 'UPDATE access_tokens SET revoked_at = now()',
  access_token_companies: 'UPDATE access_token_companies SET ordinal = ordinal',
  api_client_companies: 'UPDATE api_client_companies SET ordinal = ordinal',
  api_clients: 'UPDATE api_clients SET secret = NULL',
  authorization_codes: 'UPDATE authorization_codes SET used_at = NULL',
  refresh_tokens: 'UPDATE refresh_tokens SET used_at = NULL',
  roles: 'UPDATE roles SET duties = duties',
  salt_secret: 'UPDATE salt_secret SET secret = secret',
  token_families: 'UPDATE token_families SET revoked_at = NULL',
  user_companies: 'UPDATE user_companies SET ordinal = ordinal',
  users: 'UPDATE users SET disabled_at = NULL',
  pruned_figures: 'UPDATE pruned_figures SET run_time_sum = run_time_sum',
  pruned_operations: 'UPDATE pruned_operations SET revisions = revisions',
  prunings: 'UPDATE prunings SET steps = steps',
  rejected_events: 'UPDATE rejected_events SET reason = reason',
  worker_reports: 'UPDATE worker_reports SET pid = pid',
  event_sources: 'UPDATE event_sources SET source = source',
  audit_runs: 'UPDATE audit_runs SET at = at',
  schema_functions: 'UPDATE schema_functions SET name = name',
  schema_migrations: 'UPDATE schema_migrations SET name = name',
};

const FUNCTIONS = [
  "apply_work_order_operation_events('{}', '[]')",
  "apply_product_structure_version_changes('{}', '[]')",
  "apply_application_version_changes('{}', '[]')",
  "find_companies('{}')",
  "write_to_ledger('{}', '[]')",
  "lock_figures('{}')",
  "add_up_months('{}')",
  "add_to_monthly_figures('{}')",
  "look_up_monthly_extremes('{}')",
  "add_to_figures('{}')",
  "explain_ineffective_events('{}', '[]', '{}', '{}')",
  "find_pruned('{}', '[]')",
  "searched_text('x', 'x', 1, 1)",
  "without_pruned('{}', '{}')",
  "rebuild_production_times(1, '{}')",
  "prune_operations(1, '2024-01-01', 0)",
  "find_products('x')",
  "are_few_products('x')",
  'session_company()',
  "find_access_token('\\x00')",
  "part_of_text('text', 1, 2)",
  "place_in_text('text', 'x')",
  'floor_units(1.5, 6)',
  'ceiling_units(1.5, 6)',
  'same_units(1.5, 6, 0)',
  "same_units('{1.5}'::numeric[], 6, 0)",
  "are_few_structure_versions('{x}')",
  "find_structure_versions('{x}')",
  "find_scrypt_parameters('person', 1)",
  'check_client(1, NULL)',
  "quicken_secret(1, '\\x00', '\\x00')",
  'revoke_client_token(1, NULL, NULL)',
  "is_known_network(1, 'x')",
  "note_known_network(1, 'x')",
  'find_api_client(1)',
  'grant_client_credentials(1, NULL, NULL)',
  'grant_password(1, NULL, 1, NULL, NULL, NULL)',
  'sign_in(1, NULL, NULL)',
  'grant_refresh_token(1, NULL, NULL, NULL, NULL)',
  "issue_authorization_code('\\x00', 1, '', '', '\\x00')",
  'grant_authorization_code(1, NULL, NULL, NULL, NULL, NULL, NULL)',
  "revoke_token('\\x00')",
  "note_token_use('{1}')",
  "note_worker_report('{}', '[]')",
] as const;

interface Rights {
  readonly app: AppName;
  readonly reads: readonly Table[];
  readonly inserts: readonly Table[];
  readonly updates: readonly Table[];
  /** None where absent. */
  readonly removes?: readonly Table[];
  readonly calls: readonly string[];
}

const EXPECTED: readonly Rights[] = [
  {
    app: 'worker',
    reads: [
      'companies',
      'products',
      'product_structure_versions',
      'monthly_figures',
      'work_order_operations',
      'application_versions',
      'structure_version_texts',
      'list_sizes',
      'pruned_figures',
      'pruned_operations',
      'prunings',
      'schema_functions',
      'schema_migrations',
    ],
    inserts: [
      'products',
      'product_structure_versions',
      'monthly_figures',
      'work_order_operations',
      'application_versions',
      'structure_version_texts',
      'list_sizes',
      'rejected_events',
    ],
    updates: [
      'products',
      'product_structure_versions',
      'monthly_figures',
      'work_order_operations',
      'application_versions',
      'structure_version_texts',
      'list_sizes',
    ],
    calls: [...FUNCTIONS.slice(0, 14), "note_worker_report('{}', '[]')"],
  },
  {
    app: 'api',
    reads: [
      'products',
      'product_structure_versions',
      'monthly_figures',
      'application_versions',
      'domain_values',
      'error_messages',
      'list_sizes',
      'schema_functions',
      'schema_migrations',
    ],
    inserts: [],
    updates: [],
    calls: FUNCTIONS.slice(16, 43),
  },
  {
    app: 'dashboard',
    reads: [
      'companies',
      'product_structure_versions',
      'rejected_events',
      'schema_functions',
      'schema_migrations',
      'worker_reports',
      'event_sources',
      'audit_runs',
    ],
    inserts: [],
    updates: [],
    removes: ['rejected_events'],
    calls: FUNCTIONS.filter((call) =>
      /^(?:find_access_token|find_scrypt_parameters|is_known_network|note_known_network|sign_in|revoke_token|note_token_use)\b/.test(
        call,
      ),
    ),
  },
  {
    app: 'intake',
    reads: ['schema_functions', 'schema_migrations'],
    inserts: [],
    updates: [],
    calls: FUNCTIONS.filter((call) => /^(?:find_access_token|note_token_use)\b/.test(call)),
  },
];

for (const { app, reads, inserts, updates, removes = [], calls } of EXPECTED) {
  describe(`the log-in of the ${app}`, () => {
    let test: TestDatabase;
    let database: Database;

    before(async () => {
      test = await createTestDatabase();
      await test.database.pool.query("INSERT INTO takt.companies (code, name) VALUES ('TEM-NO', 'Tem')");
      database = openDatabase({ url: test.appUrl(app), applicationName: app });
    });
    after(async () => {
      await database.close();
      await test.close();
    });

    const may = (statement: string) => attempt(database.pool, statement);

    it(`reads ${reads.join(', ')} and nothing else`, async () => {
      expect(await allowed(TABLES, (table) => may(`SELECT FROM ${table}`))).to.have.members(reads);
    });

    it(`adds to ${inserts.join(', ') || 'no table'} and nothing else`, async () => {
      expect(await allowed(TABLES, (table) => may(INSERTS[table]))).to.have.members(inserts);
    });

    it(`calls ${calls.join(', ') || 'none of the functions that write'} and nothing else`, async () => {
      expect(await allowed(FUNCTIONS, (call) => may(`SELECT * FROM ${call}`))).to.have.members(calls);
    });

    it(`updates ${updates.join(', ') || 'no table'} and nothing else`, async () => {
      expect(await allowed(TABLES, (table) => may(UPDATES[table]))).to.have.members(updates);
    });

    it(`removes rows of ${removes.join(', ') || 'no table'} and nothing else, and makes no tables`, async () => {
      expect(await allowed(TABLES, (table) => may(`DELETE FROM ${table}`))).to.deep.equal(removes);
      expect(await allowed(TABLES, (table) => may(`TRUNCATE ${table} CASCADE`))).to.deep.equal([]);
      expect(await may('CREATE TABLE takt.own ()')).to.equal(false);
      expect(await may('CREATE TABLE public.own ()')).to.equal(false);
    });
  });
}

async function allowed<T>(items: readonly T[], may: (item: T) => Promise<boolean>): Promise<readonly T[]> {
  const found: T[] = [];
  for (const item of items) if (await may(item)) found.push(item);
  return found;
}

/** False where the role has no right to; every other failure is an error of the test. The effect is undone. */
async function attempt(pool: pg.Pool, statement: string): Promise<boolean> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(statement);
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE) return false;
    throw error;
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}
