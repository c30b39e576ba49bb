import { createTestDatabase } from '@takt/database/testing';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { addCompany, CompanyCodeError, listCompanies } from '../../src/master-data/index.js';

describe('the code of a company', () => {
  const test = opened(createTestDatabase);

  it('has 1 to 20 capital letters, digits and hyphens', async () => {
    for (const code of ['7', 'A'.repeat(20), 'A-', '0-9']) {
      expect(await addCompany(test.database, code, 'Right'), code).to.equal(true);
    }
    for (const code of ['', 'A'.repeat(21), '-A', 'a', 'A B', 'A\n', 'Å', 'A_B']) {
      const refusal = await addCompany(test.database, code, 'Wrong').catch((error: unknown) => error);
      expect(refusal, JSON.stringify(code)).to.be.instanceOf(CompanyCodeError);
    }
    expect(await listCompanies(test.database)).to.have.lengthOf(4);
  });
});
