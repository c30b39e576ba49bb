// A handler that a good team would write for this one list: Fastify, pg, prepared statements, keyset pages, JSON.stringify.
import fastify from 'fastify';
import pg from 'pg';
import { documentOf, FIELDS } from './by-hand-document.js';

const { DATABASE_URL, CONNECTIONS, PORT, TOKEN = '', COMPANY_ID } = process.env;

const INT8 = 20;
pg.types.setTypeParser(INT8, Number);
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: Number(CONNECTIONS), options: '-c jit=off' });
pool.on('error', (error) => process.stderr.write(`${error}\n`));

/** Tokens that are known, looked up once before. */
const tokens = new Map([[TOKEN, { companyId: Number(COMPANY_ID) }]]);

const MOST_ROWS = 80;
/** The values that the indexes hold: nothing is the least. */
const isCount = (field) => field === 'NumberOfCompletedProductionWorkOrders';
const keyOf = (field) => (isCount(field) ? `v.${FIELDS.get(field)}` : `greatest(v.${FIELDS.get(field)}, -1)`);
const unitsPer = (field) => (isCount(field) ? 1 : 1_000_000);
const OPERATORS = new Map([
  ['gt', '>'],
  ['lt', '<'],
]);

const COLUMNS = [
  ...['product_structure_version_id', 'status', 'name', 'version', 'revision', 'product_id', 'product_name'],
  ...FIELDS.values(),
].map((column) => `v.${column}`);
const ID = 'v.product_structure_version_id';

/** One text for each form that a question has, each prepared once on every connection. */
const statements = new Map();
function statementOf({ top, order, descends, filter, operator, isBackward, hasKey }) {
  const form = [top, order, descends, filter, operator, isBackward, hasKey].join(' ');
  const known = statements.get(form);
  if (known !== undefined) return known;
  const key = keyOf(order);
  const [direction, beyond] = descends === isBackward ? ['ASC', '>'] : ['DESC', '<'];
  const conditions = ['v.company_id = $1', 'v.changed_at IS NOT NULL'];
  let parameters = 1;
  if (filter !== undefined) {
    conditions.push(`${keyOf(filter)} ${OPERATORS.get(operator)} $${++parameters}`);
    if (operator === 'lt') conditions.push(`v.${FIELDS.get(filter)} IS NOT NULL`);
  }
  if (hasKey) {
    conditions.push(`(${key}, ${ID}) ${beyond} ($${++parameters}::bigint, $${++parameters}::bigint)`);
  }
  const text = `
    SELECT ${COLUMNS.join(', ')}, ${key} AS sort_key,
      p.status AS product_status, p.type AS product_type, p.description AS product_description
    FROM takt.product_structure_versions v
    JOIN takt.products p ON p.company_id = v.company_id AND p.product_id = v.product_id
    WHERE ${conditions.join(' AND ')}
    ORDER BY ${key} ${direction}, ${ID} ${direction} LIMIT ${top + 1}`;
  const statement = { name: `page ${statements.size}`, text };
  statements.set(form, statement);
  return statement;
}

const app = fastify({ logger: false });

app.get('/health', (_request, reply) => reply.send('ok'));

app.get('/production-times', async (request, reply) => {
  const token = tokens.get(request.headers.authorization?.slice('Bearer '.length) ?? '');
  if (token === undefined) return reply.code(403).send({ error: 'unknown token' });
  const asked = readQuestion(request.query);
  if (asked === undefined) return reply.code(400).send({ error: 'unknown parameter' });
  const { values, key } = asked;
  const { rows } = await pool.query({
    ...statementOf({ ...asked, hasKey: key !== undefined }),
    values: [token.companyId, ...values, ...(key === undefined ? [] : [key.value, key.id])],
  });
  const page = documentOf(rows, asked);
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(page));
});

/** Names are looked up and numbers are numbers, or nothing is asked. */
function readQuestion({ top = '10', order, descends, filter, operator, value, after, before }) {
  const limit = Number(top);
  if (!FIELDS.has(order) || !Number.isInteger(limit) || limit < 1 || limit > MOST_ROWS) return undefined;
  if (filter !== undefined && !(FIELDS.has(filter) && OPERATORS.has(operator))) return undefined;
  const [position = 1, keyValue, id] = (after ?? before ?? '').split(',').map(Number);
  return {
    top: limit,
    order,
    descends: descends === 'true',
    filter,
    operator,
    value,
    values: filter === undefined ? [] : [Math.round(Number(value) * unitsPer(filter))],
    isBackward: before !== undefined,
    key: id === undefined ? undefined : { value: keyValue, id },
    position: id === undefined ? 1 : position,
    baseUrl: `http://127.0.0.1:${PORT}`,
  };
}

await app.listen({ port: Number(PORT), host: '127.0.0.1' });
