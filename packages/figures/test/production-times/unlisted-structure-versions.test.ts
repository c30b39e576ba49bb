import { createTestDatabase } from '@takt/database/testing';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import {
  countUnlistedStructureVersions,
  listUnlistedStructureVersions,
} from '../../src/production-times/index.js';
import { registerCompany } from './companies.js';

describe('structure versions without master data', () => {
  const test = opened(createTestDatabase);
  let first: string;
  let second: string;

  before(async () => {
    first = await registerCompany(test.database.pool);
    second = await registerCompany(test.database.pool);
    await add(first, 2_500, 3);
    await add(second, 1_000, 2);
  });

  /** Adds this many structure versions, with ids from 1. Each of them has this many operations. */
  const add = (company: string, versions: number, operations: number) =>
    test.database.pool.query(
      `INSERT INTO takt.product_structure_versions
         (company_id, product_structure_version_id, number_of_completed_operations)
       SELECT company_id, id, $3 FROM takt.companies, generate_series(1, $2) AS id WHERE code = $1`,
      [company, versions, operations],
    );
  const list = async (only?: string) => {
    const found: string[] = [];
    for await (const page of listUnlistedStructureVersions(test.database.pool, { only })) {
      for (const { database, productStructureVersionId: id, operations } of page) {
        found.push(`${database} ${id}: ${operations}`);
      }
    }
    return found;
  };
  const expected = (company: string, versions: number, operations: number) =>
    Array.from({ length: versions }, (_, index) => `${company} ${index + 1}: ${operations}`);

  it('are all listed by company and id, as many as the count states', async () => {
    expect(await list(first)).to.deep.equal(expected(first, 2_500, 3));
    expect(await list(second)).to.deep.equal(expected(second, 1_000, 2));
    expect(await list()).to.have.members([...expected(first, 2_500, 3), ...expected(second, 1_000, 2)]);
    expect(await countUnlistedStructureVersions(test.database.pool)).to.have.deep.members([
      { database: first, structureVersions: 2_500, operations: 7_500 },
      { database: second, structureVersions: 1_000, operations: 2_000 },
    ]);
  });
});
