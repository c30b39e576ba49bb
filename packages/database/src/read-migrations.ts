import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export interface Migration {
  /** From 1, without gaps. */
  readonly number: number;
  /** The file's name without its ending, e.g. 0001-roles-and-companies. */
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the text: a migration that was applied may never change. */
  readonly checksum: string;
}

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../../../migrations/', import.meta.url));

/** The migrations of a folder in their order. Throws where a number is missing or given twice. */
export async function readMigrations(folder: string = MIGRATIONS_FOLDER): Promise<readonly Migration[]> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}-[a-z0-9-]+\.sql$/.test(file)).sort();
  return Promise.all(
    files.map(async (file, index) => {
      const number = Number(file.slice(0, 4));
      if (number !== index + 1) {
        throw new Error(
          `migrations are numbered without gaps: ${file} stands where number ${index + 1} belongs`,
        );
      }
      const sql = await readFile(`${folder}/${file}`, 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      return { number, name: file.slice(0, -'.sql'.length), sql, checksum };
    }),
  );
}
