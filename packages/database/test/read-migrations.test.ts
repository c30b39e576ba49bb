import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readMigrations } from '../src/read-migrations.js';

/** The last migration of the first release. There are no older programs that it could break. */
const LAST_OF_FIRST_RELEASE = 6;

describe('readMigrations', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'takt-migrations-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const write = async (...files: readonly string[]) => {
    for (const file of files) await writeFile(join(folder, file), `-- ${file}`);
  };
  const failure = async () => String(await readMigrations(folder).catch(String));

  it('returns the migrations in order, each with its name, text and checksum', async () => {
    await write('0002-second.sql', '0001-first.sql');
    const [first, second, ...others] = await readMigrations(folder);
    expect(first).to.deep.equal({
      number: 1,
      name: '0001-first',
      sql: '-- 0001-first.sql',
      breaksBefore: 0,
      // The checksum as the command sha256sum prints it.
      checksum: '53106a455da45dc581e6688f55b31db67fc577b3db4af10fff4d719d9929b4ac',
    });
    expect(second).to.include({ number: 2, name: '0002-second', sql: '-- 0002-second.sql' });
    expect(others).to.deep.equal([]);
  });

  it('ignores other files', async () => {
    await write('0001-first.sql', 'schema.sql', 'README.md', '0002-Draft.sql', '0002-second.sql.orig');
    expect((await readMigrations(folder)).map(({ name }) => name)).to.deep.equal(['0001-first']);
  });

  it('rejects a gap in the numbers', async () => {
    await write('0001-first.sql', '0003-third.sql');
    expect(await failure()).to.match(/0003-third\.sql stands where number 2 belongs/);
  });

  it('rejects a duplicate number', async () => {
    await write('0001-first.sql', '0002-second.sql', '0002-too.sql');
    expect(await failure()).to.match(/0002-too\.sql stands where number 3 belongs/);
  });

  it('reads the versions that a migration breaks, and rejects a migration that breaks its own version', async () => {
    await write('0001-first.sql');
    const second = join(folder, '0002-second.sql');
    await writeFile(second, '-- Renames.\n-- breaks programs before 0002\nSELECT 1');
    expect((await readMigrations(folder)).map(({ breaksBefore }) => breaksBefore)).to.deep.equal([0, 2]);
    await writeFile(second, '-- breaks programs before 0003');
    expect(await failure()).to.match(/0002-second\.sql states that it breaks programs before 0003/);
  });

  it('finds the versions that are broken by each migration that removes something', async () => {
    const takesAway =
      /\b(DROP|RENAME|REVOKE|TRUNCATE|SET NOT NULL)\b|\bALTER\b[^;]*\bTYPE\b|\bADD (CONSTRAINT|CHECK|UNIQUE)\b/;
    const silent = (await readMigrations()).filter(({ number, sql }) => {
      const statements = sql.replace(/^\s*--.*$/gm, '');
      return (
        number > LAST_OF_FIRST_RELEASE &&
        takesAway.test(statements) &&
        !/^-- breaks (programs before \d{4}|no program)\b/m.test(sql)
      );
    });
    expect(silent.map(({ name }) => name)).to.deep.equal([]);
  });

  it('reads all migrations of the repository', async () => {
    const names = (await readMigrations()).map(({ name }) => name);
    expect(names[0]).to.equal('0001-companies-and-access');
  });
});
