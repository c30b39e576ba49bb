import type { FindToken } from '@takt/access';
import { ServiceError } from '@takt/error-catalogue';
import { expect } from 'chai';
import { establishIdentity } from '../../src/access/establish-identity.js';
import { grantFor } from '../harness/grant-for.js';

const COMPANY = { companyId: 1, code: 'TEM-NO', name: 'Company', key: '' };
const findValid: FindToken = async (token) =>
  token === 'valid' ? grantFor([COMPANY], { tokenId: 7 }) : undefined;

describe('The identity of a request', () => {
  const identify = (authorization: string | undefined, accessToken: string | undefined) =>
    establishIdentity({ authorization, accessToken, database: undefined }, findValid).then(
      ({ tokenId }) => tokenId,
      (error: unknown) => (error instanceof ServiceError ? error.code : error),
    );

  it('is that of the header, or of the parameter where there is no header', async () => {
    expect(await identify('Bearer valid', undefined)).to.equal(7);
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
    it(`is none with the header “${header}”, whatever valid token the parameter holds`, async () => {
      expect(await identify(header, 'valid')).to.equal('invalidAccessToken');
    });
  }
});
