import { expect } from 'chai';
import { type SQL, sql } from 'drizzle-orm';
import { createStatementCache, type StatementShape } from '../../src/sql/statement-cache.js';

const SHAPES = 10_000;
const MAX_STATEMENTS = 500;

/** Returns a shape whose plan is the same for all values. */
const shapeOf = (key: string, build: () => SQL): StatementShape => ({ key, isPlannedOnce: true, build });

describe('the statement cache', () => {
  it('builds the statement of each shape once', () => {
    const statementOf = createStatementCache();
    let built = 0;
    const build = () => {
      built++;
      return sql`SELECT ${sql.placeholder('value')}::text`;
    };
    const [first, second] = [statementOf(shapeOf('shape', build)), statementOf(shapeOf('shape', build))];
    expect(second).to.equal(first);
    expect(built).to.equal(1);
    expect(first.text).to.equal('SELECT $1::text');
  });

  it('binds values in the order of the placeholders, and repeats a value if necessary', () => {
    const statement = createStatementCache()(
      shapeOf(
        'shape',
        () => sql`SELECT ${sql.placeholder('b')}, ${sql.placeholder('a')}, ${sql.placeholder('b')}`,
      ),
    );
    expect(statement.bind({ a: 1, b: 'two', c: 3 })).to.deep.equal(['two', 1, 'two']);
    expect(statement.bind({ a: null, b: ['x', 'y'] })).to.deep.equal([['x', 'y'], null, ['x', 'y']]);
  });

  it('keeps only a limited number of statements', () => {
    const statementOf = createStatementCache();
    let built = 0;
    const ask = (shape: number) => {
      statementOf(
        shapeOf(`shape ${shape}`, () => {
          built++;
          return sql.raw(`SELECT ${shape}`);
        }),
      );
    };
    for (let shape = 0; shape < SHAPES; shape++) ask(shape);
    expect(built).to.equal(SHAPES);
    // A cached statement is not built again. This test therefore shows that exactly the newest statements up to the
    // limit are cached.
    built = 0;
    for (let shape = SHAPES - 1; shape >= SHAPES - MAX_STATEMENTS; shape--) ask(shape);
    expect(built).to.equal(0);
    for (let shape = 0; shape < SHAPES - MAX_STATEMENTS; shape++) ask(shape);
    expect(built).to.equal(SHAPES - MAX_STATEMENTS);
  });

  it('never gives two texts the same name', () => {
    const statementOf = createStatementCache();
    const texts = new Map<string, Set<string>>();
    for (let turn = 0; turn < 3; turn++) {
      for (let shape = 0; shape < 2 * MAX_STATEMENTS; shape++) {
        const { name, text } = statementOf(shapeOf(`shape ${shape}`, () => sql.raw(`SELECT ${shape}`)));
        if (name !== undefined) texts.set(name, (texts.get(name) ?? new Set()).add(text));
      }
    }
    expect(texts.size).to.be.at.least(1);
    for (const [name, all] of texts) expect([...all], name).to.have.lengthOf(1);
  });
});
