import { appRoles } from '@takt/database';
import { createTestDatabase, type TestDatabase } from '@takt/database/testing';
import { expect } from 'chai';

/** The right that all four apps need for their checks at start: to read the applied migrations. */
const READ_BY_ALL = ['api', 'dashboard', 'intake', 'worker'].map((app) => `takt_${app} SELECT`);

/** All tables, sequences and views of the schema. For each, the rights of every role except the owner. */
const RELATIONS: Readonly<Record<string, readonly string[]>> = {
  access_token_companies: ['takt_dashboard SELECT'],
  access_tokens: [],
  access_tokens_access_token_id_seq: [],
  alarm_notices: [],
  alarm_notices_alarm_notice_id_seq: [],
  alarms: ['takt_dashboard SELECT'],
  alarms_alarm_id_seq: [],
  api_client_companies: ['takt_dashboard SELECT'],
  api_clients: [],
  api_clients_api_client_id_seq: [],
  application_versions: ['takt_api SELECT', 'takt_worker INSERT, SELECT, UPDATE'],
  audit_log: ['takt_dashboard SELECT'],
  audit_log_audit_entry_id_seq: [],
  audit_runs: ['takt_dashboard SELECT'],
  audit_runs_audit_run_id_seq: [],
  authorization_codes: [],
  authorization_codes_authorization_code_id_seq: [],
  companies: [],
  company_changes: ['takt_api SELECT', 'takt_worker DELETE, INSERT, SELECT, UPDATE'],
  companies_company_id_seq: [],
  domain_values: ['takt_api SELECT'],
  error_messages: ['takt_api SELECT'],
  event_sources: ['takt_dashboard SELECT'],
  flow_history: ['takt_dashboard SELECT'],
  import_changes: ['takt_dashboard INSERT, SELECT'],
  imports: ['takt_dashboard INSERT, SELECT'],
  imports_import_id_seq: ['takt_dashboard USAGE'],
  key_counters: ['takt_dashboard SELECT', 'takt_worker INSERT, SELECT, UPDATE'],
  object_keys: ['takt_dashboard SELECT', 'takt_worker INSERT, SELECT'],
  list_sizes: ['takt_api SELECT', 'takt_worker INSERT, SELECT, UPDATE'],
  month_zones: ['takt_api SELECT', 'takt_worker SELECT'],
  monthly_figures: ['takt_api SELECT', 'takt_worker INSERT, SELECT, UPDATE'],
  plan_suggestions: ['takt_api SELECT'],
  product_structure_versions: [
    'takt_api SELECT',
    'takt_dashboard SELECT',
    'takt_worker INSERT, SELECT, UPDATE',
  ],
  products: ['takt_api SELECT', 'takt_dashboard SELECT', 'takt_worker INSERT, SELECT, UPDATE'],
  pruned_figures: ['takt_worker SELECT'],
  pruned_operations: ['takt_dashboard SELECT', 'takt_worker SELECT'],
  prunings: ['takt_worker SELECT'],
  refresh_tokens: [],
  refresh_tokens_refresh_token_id_seq: [],
  refusals: ['takt_dashboard SELECT'],
  rejected_events: ['takt_dashboard DELETE, INSERT, SELECT', 'takt_worker DELETE, INSERT, SELECT'],
  rejected_events_rejected_event_id_seq: [],
  rejections: ['takt_dashboard DELETE, SELECT, UPDATE', 'takt_worker INSERT, UPDATE'],
  rejections_rejection_id_seq: ['takt_worker USAGE'],
  resolved_rejections: ['takt_dashboard DELETE, INSERT, SELECT', 'takt_worker DELETE, SELECT'],
  resolved_rejections_resolved_rejection_id_seq: [],
  roles: ['takt_dashboard SELECT'],
  salt_secret: [],
  saved_views: ['takt_api SELECT'],
  saved_views_saved_view_id_seq: [],
  schema_functions: READ_BY_ALL,
  schema_migrations: READ_BY_ALL,
  structure_version_texts: ['takt_worker DELETE, INSERT, SELECT, UPDATE'],
  token_families: [],
  token_families_token_family_id_seq: [],
  user_companies: ['takt_dashboard SELECT'],
  users: [],
  work_order_operations: ['takt_api SELECT', 'takt_dashboard SELECT', 'takt_worker INSERT, SELECT, UPDATE'],
  worker_reports: ['takt_dashboard SELECT'],
};

/**
 * Returns the rights of the dashboard on these columns: all columns of people, clients and tokens except the secrets.
 */
const readByDashboard = (table: string, columns: readonly string[]) =>
  Object.fromEntries(columns.map((column) => [`${table}.${column}`, ['takt_dashboard SELECT']]));

/**
 * All columns that have rights of their own: the columns of companies except their keys, and the columns of imports that change
 * after they began.
 */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ['company_id', 'content_sha256', 'times', 'last_at', 'reason', 'rule', 'problems'].map((column) => [
      `rejections.${column}`,
      ['takt_worker SELECT'],
    ]),
  ),
  ...readByDashboard('access_tokens', [
    'access_token_id',
    'api_client_id',
    'created_at',
    'description',
    'duties',
    'expires_at',
    'kind',
    'last_used_at',
    'may_publish',
    'pid',
    'revoked_at',
    'token_family_id',
  ]),
  ...readByDashboard('api_clients', [
    'api_client_id',
    'created_at',
    'disabled_at',
    'duties',
    'is_public',
    'name',
    'permissions',
    'redirect_uris',
    'roles',
  ]),
  ...readByDashboard('token_families', ['revoked_at', 'token_family_id']),
  ...readByDashboard('users', [
    'created_at',
    'disabled_at',
    'duties',
    'email',
    'first_name',
    'name',
    'pid',
    'roles',
  ]),
  'companies.code': ['takt_dashboard SELECT', 'takt_worker SELECT'],
  'companies.disabled_at': ['takt_dashboard SELECT', 'takt_worker SELECT'],
  'companies.company_id': ['takt_dashboard SELECT', 'takt_worker SELECT'],
  'companies.time_zone': ['takt_dashboard SELECT'],
  ...Object.fromEntries(
    ['number_of_changed', 'number_of_faulty', 'number_of_new', 'number_of_unchanged', 'published_at']
      .concat(['undo_times', 'undone_at', 'undone_by'])
      .map((column) => [`imports.${column}`, ['takt_dashboard UPDATE']]),
  ),
};

/**
 * All functions of the schema. For each, the roles that may call it, except the owner. SECURITY DEFINER functions are
 * marked.
 */
const FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  'act_as(bytea)': [],
  'accept_invitation(bytea,slow_hash), as owner': ['takt_dashboard'],
  'add_person(bytea,text,text,text,integer[],text[],bytea), as owner': ['takt_dashboard'],
  'administer(bytea,text,bigint,integer[],jsonb), as owner': ['takt_dashboard'],
  'find_administrator(bytea)': [],
  'find_invited(bytea), as owner': ['takt_dashboard'],
  'invite_person(integer,bytea)': [],
  'may_give_roles(integer[],text[])': [],
  'set_user_email(integer,text)': [],
  'set_user_roles(integer,text[])': [],
  'company_codes(integer,integer)': [],
  'disable_client(integer)': [],
  'disable_person(integer)': [],
  'end_grants(integer,integer)': [],
  'end_token(bigint,bytea)': [],
  'note_audit(text,text,jsonb)': [],
  'note_audit_of(bytea,text,text,jsonb), as owner': ['takt_dashboard'],
  'note_row()': [],
  'audit_subject(text,text,jsonb)': [],
  'note_company_of()': [],
  'note_token_end()': [],
  'end_sign_in(bytea)': [],
  'prove_client(integer,bytea)': [],
  'end_grants_of_person()': [],
  'end_grants_of_client()': [],
  'companies_of_token(bigint)': [],
  'acknowledge_alarm(bigint,text,text), as owner': ['takt_dashboard'],
  'add_to_figures(integer,figures_change[])': ['takt_worker'],
  'add_to_monthly_figures(integer,figures_change[],text)': ['takt_worker'],
  'add_up_months(figures_change[])': ['takt_worker'],
  'apply_application_version_changes(integer,integer[],json)': ['takt_worker'],
  'apply_application_version_changes(text[],json)': ['takt_worker'],
  'all_by_number(json)': ['takt_worker'],
  'apply_product_structure_version_changes(integer,integer[],json)': ['takt_worker'],
  'apply_product_structure_version_changes(text[],json)': ['takt_worker'],
  'apply_work_order_operation_events(integer,integer[],json)': ['takt_worker'],
  'apply_work_order_operation_events(integer,integer[],json,text[])': ['takt_worker'],
  'decide_naming(integer,integer[],text[],text[])': ['takt_worker'],
  'apply_work_order_operation_events(text[],json)': ['takt_worker'],
  'are_few_products(text), as owner': ['takt_api'],
  'are_few_structure_versions(text[]), as owner': ['takt_api'],
  'average_microhours(bigint,numeric)': ['takt_api', 'takt_worker'],
  'begin_time_zone(integer,text)': [],
  'begin_token_family(integer,integer)': [],
  'bounded_microhours(numeric)': ['takt_worker'],
  'ceiling_microhours(numeric)': ['takt_api'],
  'ceiling_units(numeric,integer)': ['takt_api'],
  'change_password(integer,slow_hash)': [],
  'change_view(bytea,text,bigint,boolean), as owner': ['takt_api'],
  'check_client(integer,bytea), as owner': ['takt_api'],
  'companies_concerned(text,bigint)': [],
  'companies_in_common(integer,integer)': [],
  'count_structure_versions(text[]), as owner': ['takt_api'],
  'differs_from_plan(bigint,bigint,bigint,numeric)': ['takt_api'],
  'differs_from_plan(bigint,bigint,numeric)': ['takt_api'],
  'distribution_of_times(integer,bigint,text)': ['takt_api'],
  'distribution_of_times(integer,bigint,text,date,date)': ['takt_api'],
  'duties_with_roles(text[],text[])': ['takt_dashboard'],
  'enable_client(integer)': [],
  'enable_person(integer)': [],
  'explain_ineffective_events(integer,integer[],json,bigint[],text[],integer[],bigint[],bigint[])': [
    'takt_worker',
  ],
  'find_access_token(bytea), as owner': ['takt_api', 'takt_dashboard', 'takt_intake'],
  'find_api_client(integer), as owner': ['takt_api'],
  'find_login(text), as owner': ['takt_api', 'takt_dashboard'],
  'find_companies(text[])': ['takt_worker'],
  'find_products(text), as owner': ['takt_api'],
  'are_few_keys(text,text), as owner': ['takt_api'],
  'find_keys(text,text), as owner': ['takt_api'],
  'find_numbers(integer,integer[],text,text[])': ['takt_worker'],
  'folded_key(text)': ['takt_api', 'takt_worker'],
  'has_keys(text), as owner': ['takt_api'],
  'find_pruned(integer,integer[],json,bigint[])': ['takt_worker'],
  'is_named_by_key(integer,text)': ['takt_dashboard', 'takt_worker'],
  'last_numbers(integer,integer[],text)': ['takt_worker'],
  'match_keys(text,text,bigint), as owner': [],
  'number_keys(integer,integer[],text,text[])': ['takt_worker'],
  'number_objects(integer,integer[],text[],text[])': ['takt_worker'],
  'find_scrypt_parameters(integer), as owner': ['takt_api', 'takt_dashboard'],
  'find_structure_versions(text[]), as owner': ['takt_api'],
  'floor_microhours(numeric)': ['takt_api'],
  'floor_units(numeric,integer)': ['takt_api'],
  'free_naming(integer), as owner': ['takt_dashboard'],
  'grant_authorization_code(integer,bytea,bytea,text,text,bytea,bytea), as owner': ['takt_api'],
  'grant_client_credentials(integer,bytea,bytea), as owner': ['takt_api'],
  'grant_password(integer,bytea,integer,bytea,bytea,bytea), as owner': ['takt_api'],
  'grant_refresh_token(integer,bytea,bytea,bytea,bytea), as owner': ['takt_api'],
  'has_lost_longest(time_change,bigint)': ['takt_worker'],
  'has_lost_shortest(time_change,bigint)': ['takt_worker'],
  'is_client(integer,bytea)': [],
  'impossible_from()': ['takt_worker'],
  'is_cluster()': ['takt_api', 'takt_dashboard', 'takt_worker'],
  'is_code_usable(timestamp with time zone,boolean,text,text)': [],
  'is_for_company(integer,integer)': [],
  'is_known_network(integer,text), as owner': ['takt_api', 'takt_dashboard'],
  'is_person(integer,bytea)': [],
  'issue_access_token(text,bytea,integer,integer,bigint)': [],
  'issue_authorization_code(bytea,integer,text,text,bytea), as owner': ['takt_api'],
  'issue_refresh_token(bytea,bigint)': [],
  'lock_figures(integer,figures_change[])': ['takt_worker'],
  'lock_months(integer)': [],
  'look_up_monthly_extremes(integer,figures_change[],text)': ['takt_worker'],
  'page_secret(), as owner': ['takt_dashboard'],
  'begin_set_up(bytea,bytea), as owner': ['takt_dashboard'],
  'may_set_up(bytea,text), as owner': ['takt_dashboard'],
  'mean_bound(bigint,numeric,numeric,integer)': ['takt_api'],
  'microhours_over_plan(bigint,numeric,bigint)': ['takt_api', 'takt_worker'],
  'month_of(timestamp with time zone,text)': ['takt_api', 'takt_worker'],
  'narrowed_duties(text[],text[])': [],
  'network_hash(integer,text)': [],
  'note_alarms(json,boolean), as owner': ['takt_dashboard'],
  'note_changes(integer[],integer[],integer[])': ['takt_worker'],
  'note_changes_by_hand()': [],
  'note_known_network(integer,text)': ['takt_api', 'takt_dashboard'],
  'note_network_of_sign_in(bytea,text), as owner': ['takt_api', 'takt_dashboard'],
  'alarm_names()': [],
  'note_refusals(json), as owner': ['takt_intake'],
  'note_token_use(bigint[])': ['takt_api', 'takt_dashboard', 'takt_intake'],
  'note_use_of_tokens(bytea[]), as owner': ['takt_api', 'takt_dashboard', 'takt_intake'],
  'note_worker_report(json,json), as owner': ['takt_worker'],
  'only_time_zone(integer[])': ['takt_worker'],
  'part_of_text(text,numeric,numeric)': ['takt_api'],
  'percent_change(bigint,numeric,bigint,numeric)': ['takt_api'],
  'percent_over_plan(bigint,numeric,bigint)': ['takt_api', 'takt_worker'],
  'person_in_company(bytea,text)': [],
  'place_in_text(text,text)': ['takt_api'],
  'plan_suggestions(bigint,numeric)': ['takt_api'],
  'planned_of_few(bigint,bigint,bigint,bigint,bigint,bigint)': ['takt_api'],
  'planned_of_many(bigint,bigint,bigint,bigint,bigint,bigint)': ['takt_api'],
  'population_deviation_microhours(bigint,numeric,numeric)': ['takt_api', 'takt_worker'],
  'product_production_times()': ['takt_api'],
  'plain_text(text)': ['takt_api', 'takt_worker'],
  'prune_operations(integer,date,bigint)': [],
  'quicken_secret(integer,bytea,bytea), as owner': ['takt_api'],
  'rebuild_months(integer,bigint)': [],
  'rebuild_production_times(integer,bigint[])': [],
  'refuse_rejections(text)': ['takt_worker'],
  'revoke_client_token(integer,bytea,bytea), as owner': ['takt_api'],
  'revoke_family(bigint)': [],
  'remove_company(integer)': [],
  'revoke_token(bytea), as owner': ['takt_api', 'takt_dashboard'],
  'round_width(double precision)': ['takt_api'],
  'same_microhours(numeric)': ['takt_api'],
  'same_microhours(numeric[])': ['takt_api'],
  'same_units(numeric,integer,bigint)': ['takt_api'],
  'same_units(numeric[],integer,bigint)': ['takt_api'],
  'save_view(bytea,text,text,text,text,boolean), as owner': ['takt_api'],
  'searched_text(text,text,bigint,bigint)': [],
  'searched_text(text,text,bigint,bigint,text,text)': ['takt_worker'],
  'session_company(), as owner': ['takt_api'],
  'set_up(bytea,text,text,text,text,text,slow_hash), as owner': ['takt_dashboard'],
  'set_user_companies(integer,integer[])': [],
  'shard_cost(bigint)': [],
  'settle_alarm_notice(bigint), as owner': ['takt_dashboard'],
  'share_months(integer[])': ['takt_worker'],
  'sign_in(integer,bytea,bytea), as owner': ['takt_api', 'takt_dashboard'],
  'sign_in_by_code(bytea,bytea), as owner': ['takt_api'],
  'similar_names(text,boolean), as owner': ['takt_api'],
  'spellings(text)': ['takt_api', 'takt_worker'],
  'sum_of_known(numeric,numeric,numeric)': ['takt_worker'],
  'sweep_expired_tokens()': [],
  't_quantile(bigint)': ['takt_api'],
  'take_alarm_notices(), as owner': ['takt_dashboard'],
  'time_zone_in(bigint,text,text,bigint)': ['takt_api', 'takt_worker'],
  'time_zone_of(integer,bigint)': ['takt_api', 'takt_worker'],
  'verdict_of_mean(bigint,numeric,numeric,bigint,bigint,bigint)': ['takt_api'],
  'within_bigint(numeric)': ['takt_api'],
  'walk_naming(integer,integer[],text[],text[],boolean)': ['takt_worker'],
  'without_misnamed(integer[],text[])': ['takt_worker'],
  'without_pruned(integer[],bigint[])': ['takt_worker'],
  'write_to_ledger(integer[],json,bigint[],text[],text)': ['takt_worker'],
};

/**
 * The condition under which row security shows a row to the API. In some tables it also shows the rows of company 0,
 * which belong to all companies.
 */
const OF_SESSION = 'company_id = ( SELECT session_company() AS session_company)';
const ALSO_OF_ALL: readonly string[] = ['company_changes'];

/** Only the owner may create objects in the schema, so all apps have only USAGE. */
const SCHEMA = ['takt_api USAGE', 'takt_dashboard USAGE', 'takt_intake USAGE', 'takt_worker USAGE'];

describe('the rights in the schema', () => {
  let test: TestDatabase;

  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.close());

  async function readRights(sql: string): Promise<Readonly<Record<string, readonly string[]>>> {
    const { rows } = await test.database.pool.query<{ name: string; rights: string[] }>(sql);
    return Object.fromEntries(rows.map(({ name, rights }) => [name, rights]));
  }

  it('for tables, sequences and columns are exactly those that this test lists', async () => {
    const granted = await readRights(
      `SELECT relname AS name, ${grantsOf('relacl', 'relowner')} AS rights FROM pg_class
       WHERE relnamespace = 'takt'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S', 'f')`,
    );
    expect(granted).to.deep.equal(RELATIONS);
    const ofColumns = await readRights(
      `SELECT relname || '.' || attname AS name, ${grantsOf('attacl', 'relowner')} AS rights
       FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
       WHERE relnamespace = 'takt'::regnamespace AND attacl IS NOT NULL`,
    );
    expect(ofColumns).to.deep.equal(COLUMNS);
  });

  it('for functions are exactly those that this test lists', async () => {
    const granted = await readRights(
      `SELECT oid::regprocedure::text || CASE WHEN prosecdef THEN ', as owner' ELSE '' END AS name,
         (SELECT coalesce(array_agg(coalesce(rolname::text, 'PUBLIC') ORDER BY rolname), '{}')
          FROM aclexplode(coalesce(proacl, acldefault('f', proowner))) LEFT JOIN pg_roles role ON role.oid = grantee
          WHERE grantee <> proowner) AS rights
       FROM pg_proc WHERE pronamespace = 'takt'::regnamespace`,
    );
    expect(granted).to.deep.equal(FUNCTIONS);
  });

  it('of functions that run as the owner cannot be abused by objects in other schemas', async () => {
    const { rows } = await test.database.pool.query(
      `SELECT proname FROM pg_proc WHERE pronamespace = 'takt'::regnamespace AND prosecdef
         AND NOT coalesce(proconfig @> ARRAY['search_path=pg_catalog, pg_temp'], false)`,
    );
    // The body of this function has only qualified names, because a search path would slow down every scan.
    expect(rows).to.deep.equal([{ proname: 'session_company' }]);
  });

  it('include only USAGE of the schema itself, and no right to bypass row security', async () => {
    expect(
      await readRights(
        `SELECT nspname AS name, ${grantsOf('nspacl', 'nspowner')} AS rights FROM pg_namespace WHERE nspname = 'takt'`,
      ),
    ).to.deep.equal({ takt: SCHEMA });
    const { rows } = await test.database.pool.query(
      `SELECT rolname FROM pg_roles role
       WHERE rolname = ANY ($1) AND (rolcanlogin OR rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb
         OR EXISTS (SELECT FROM pg_auth_members WHERE member = role.oid))`,
      [Object.values(appRoles)],
    );
    expect(rows).to.deep.equal([]);
  });
});

interface SecuredTable {
  readonly name: string;
  readonly isSecured: boolean;
  readonly isOfItsTables: boolean;
  readonly isOfApi: boolean;
  /** The policies for the API, each with its command, its condition, and true if it is permissive. */
  readonly policies: readonly string[];
}

describe('row security of every table with a company', () => {
  it('shows the API only the rows of the company of its session, or no rows', async () => {
    const test = await createTestDatabase();
    const { rows } = await test.database.pool.query<SecuredTable>(
      `SELECT relname AS name, relrowsecurity AS "isSecured",
         has_any_column_privilege('takt_api', pg_class.oid, 'SELECT, INSERT, UPDATE, REFERENCES')
           OR has_table_privilege('takt_api', pg_class.oid, 'DELETE, TRUNCATE, TRIGGER, MAINTAIN') AS "isOfApi",
         (SELECT coalesce(array_agg(concat_ws(' ', polcmd, pg_get_expr(polqual, polrelid), polpermissive)), '{}')
          FROM pg_policy WHERE polrelid = pg_class.oid
            AND polroles && ARRAY[0, 'takt_api'::regrole]::oid[]) AS policies,
         -- The policies of its tables apply to whoever reads such a view.
         relkind = 'v' AND reloptions @> ARRAY['security_invoker=true'] AS "isOfItsTables"
       FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
       WHERE relnamespace = 'takt'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f') AND attname = 'company_id'
       ORDER BY relname`,
    );
    await test.close();
    const served = rows.filter(({ isOfApi }) => isOfApi);
    for (const { name, isSecured, policies, isOfItsTables } of served) {
      if (isOfItsTables) continue;
      const shown = ALSO_OF_ALL.includes(name) ? `((company_id = 0) OR (${OF_SESSION}))` : `(${OF_SESSION})`;
      const held = [`r ${shown} t`];
      expect({ isSecured, policies }, name).to.deep.equal({ isSecured: true, policies: held });
    }
    expect(served.map(({ name }) => name)).to.include.members(['products', 'list_sizes']);
    expect(rows.length).to.be.above(served.length);
  });
});

/** Returns an SQL expression for the rights of each role except the owner, as `ROLE RIGHT, RIGHT`. */
function grantsOf(acl: string, owner: string): string {
  return `(SELECT coalesce(array_agg(one ORDER BY one), '{}') FROM (
      SELECT coalesce(rolname, 'PUBLIC') || ' ' || string_agg(privilege_type, ', ' ORDER BY privilege_type) AS one
      FROM aclexplode(${acl}) LEFT JOIN pg_roles role ON role.oid = grantee
      WHERE grantee <> ${owner} GROUP BY rolname) AS by_role)`;
}
