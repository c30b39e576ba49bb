import type { AccessGrant, FindToken } from '@takt/access';
import { ServiceError } from '@takt/catalogue/errors';
import { expect } from 'chai';
import { establishIdentity } from '../../src/parse/establish-identity.js';
import { grantFor } from '../support/requests.js';

const COMPANY = {
  companyId: 1,
  code: 'TEM-NO',
  name: 'Company',
  timeZone: 'UTC',
  timeUnit: 'h' as const,
  key: '',
};
const NEEDED = { clientPermission: 'error-messages', duty: 'read-error-messages' } as const;
const findValid: FindToken = async (token) =>
  token === 'valid' ? grantFor([COMPANY], { tokenId: 7 }) : undefined;

/** Returns the code and the parameters of a thrown error. */
const faultOf = (error: unknown) => (error instanceof ServiceError ? [error.code, error.parameters] : error);

describe('The identity of a request', () => {
  const identify = (authorization: string | undefined, accessToken: string | undefined) =>
    establishIdentity({ authorization, accessToken, database: undefined }, NEEDED, findValid).then(
      ({ tokenId }) => tokenId,
      (error: unknown) => (error instanceof ServiceError ? error.code : error),
    );

  it('comes from the header, or from the parameter if the header is missing', async () => {
    expect(await identify('Bearer valid', undefined)).to.equal(7);
    expect(await identify('bearer valid', undefined)).to.equal(7);
    expect(await identify(undefined, 'valid')).to.equal(7);
    expect(await identify('Bearer valid', 'unknown')).to.equal(7);
  });

  for (const header of [
    '',
    'Bearer',
    'Bearer ',
    'Bearer unknown',
    'Basic valid',
    'valid',
    'Bearer valid more',
  ]) {
    it(`is refused with the header “${header}”, even if the parameter holds a valid token`, async () => {
      expect(await identify(header, 'valid')).to.equal('invalidAccessToken');
    });
  }

  const ask = (limited: Partial<AccessGrant>, database?: string) =>
    establishIdentity({ authorization: 'Bearer valid', accessToken: undefined, database }, NEEDED, async () =>
      grantFor([COMPANY], limited),
    ).then(({ company, duties }) => [company.code, duties], faultOf);

  it('needs a permission, a duty and a company; the error names the first missing one', async () => {
    const permissions = ['error-messages'] as const;
    const duties = ['read-error-messages'] as const;
    const missingPermission = ['permissionMissing', ['error-messages']];
    expect(await ask({ permissions: [], duties: [] }, 'OTHER')).to.deep.equal(missingPermission);
    expect(await ask({ permissions: ['production-times'] })).to.deep.equal(missingPermission);
    const missingDuty = ['dutyMissing', ['read-error-messages']];
    expect(await ask({ permissions, duties: [] }, 'OTHER')).to.deep.equal(missingDuty);
    expect(await ask({ duties: ['read-production-times', 'read-persons'] })).to.deep.equal(missingDuty);
    expect(await ask({ permissions, duties }, 'OTHER')).to.deep.equal(['companyNotPermitted', ['OTHER']]);
    expect(await ask({ permissions, duties }, 'tem-no')).to.deep.equal(['TEM-NO', duties]);
    expect(await ask({})).to.deep.equal(['TEM-NO', 'all']);
  });
});
