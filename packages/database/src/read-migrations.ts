import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** An SQL file with the name and the checksum by which a database records it. */
export interface SqlFile {
  /** Name of the file without extension, e.g. 0001-companies-and-access or lock_figures. */
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the text, hexadecimal. */
  readonly checksum: string;
}

/** A migration, which takes the tables to the next version. It must never change once it has been applied. */
export interface Migration extends SqlFile {
  /** Number of the migration. Numbers start at 1 and have no gaps. */
  readonly number: number;
  /**
   * Programs that know fewer migrations than this number do not work with the schema. 0 if the migration breaks no
   * programs.
   */
  readonly breaksBefore: number;
}

const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../../../migrations/', import.meta.url));

/** Reads the migrations of a folder, in order. Throws if a number is missing or occurs twice. */
export async function readMigrations(folder: string = MIGRATIONS_FOLDER): Promise<readonly Migration[]> {
  const files = await readSqlFiles(folder, /^\d{4}-[a-z0-9-]+\.sql$/);
  return files.map((file, index) => {
    const number = Number(file.name.slice(0, 4));
    if (number !== index + 1) {
      throw new Error(
        `migrations are numbered without gaps: ${file.name}.sql stands where number ${index + 1} belongs`,
      );
    }
    return { number, ...file, breaksBefore: readBreaksBefore(file, number) };
  });
}

function readBreaksBefore({ name, sql }: SqlFile, number: number): number {
  const stated = /^-- breaks programs before (\d{4})$/m.exec(sql)?.[1];
  const breaksBefore = Number(stated ?? 0);
  if (breaksBefore > number) {
    throw new Error(
      `${name}.sql states that it breaks programs before ${stated}, which it comes before itself`,
    );
  }
  return breaksBefore;
}

/** Reads the files with functions. They are sorted by name, and applied in that order. */
export function readFunctions(
  folder: string = `${MIGRATIONS_FOLDER}/functions`,
): Promise<readonly SqlFile[]> {
  return readSqlFiles(folder, /^[a-z][a-z0-9_]*\.sql$/);
}

async function readSqlFiles(folder: string, name: RegExp): Promise<readonly SqlFile[]> {
  const files = (await readdir(folder)).filter((file) => name.test(file)).sort();
  return Promise.all(
    files.map(async (file) => {
      const sql = await readFile(`${folder}/${file}`, 'utf8');
      return {
        name: file.slice(0, -'.sql'.length),
        sql,
        checksum: createHash('sha256').update(sql).digest('hex'),
      };
    }),
  );
}
