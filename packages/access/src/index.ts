export {
  type AccessTokenRequest,
  type CreatedAccessToken,
  createAccessToken,
  MAX_TOKEN_LIFETIME_MS,
} from './create-access-token.js';
export { createTokenCache, type FindToken, type TokenCacheOptions } from './create-token-cache.js';
export { type AccessGrant, findAccessToken, type GrantedCompany } from './find-access-token.js';
export { revokeAccessToken } from './revoke-access-token.js';
export { UnknownCompanyError } from './unknown-company-error.js';
