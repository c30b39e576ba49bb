export {
  type AccessTokenRequest,
  type AccessTokenSummary,
  type CreatedAccessToken,
  createAccessToken,
  listAccessTokens,
  MAX_TOKEN_LIFETIME_MS,
  revokeAccessToken,
  UnknownCompanyError,
} from './access-tokens.js';
export { createTokenCache, type FindToken, type TokenCacheOptions } from './create-token-cache.js';
export { type AccessGrant, findAccessToken, type GrantedCompany } from './find-access-token.js';
export { type ClientPermission, clientPermissions, type Duty, duties, holds, type Rights } from './rights.js';
