import type { AccessGrant, GrantedCompany } from '@takt/access';

/** What a token with every right grants that is valid for another hour. */
export function grantFor(
  companies: readonly GrantedCompany[],
  limited: Partial<AccessGrant> = {},
): AccessGrant {
  return {
    tokenId: 1,
    expiresAt: new Date(Date.now() + 3_600_000),
    companies,
    clientId: null,
    pid: null,
    personName: '',
    permissions: 'all',
    duties: 'all',
    ...limited,
  };
}
