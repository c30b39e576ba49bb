export {
  type AccessTokenRequest,
  type AccessTokenSummary,
  type CreatedAccessToken,
  createAccessToken,
  listAccessTokens,
  MAX_TOKEN_LIFETIME_MS,
  revokeAccessToken,
} from './access-tokens.js';
export {
  type ApiClientSummary,
  type CreatedApiClient,
  changeClientDuties,
  changeClientPermissions,
  createApiClient,
  disableApiClient,
  listApiClients,
  type NewApiClient,
  RedirectUriError,
  renewClientSecret,
} from './api-clients.js';
export { bearerTokenOf } from './bearer-token.js';
export { type ClientCheck, type ClientCredentials, checkClient, quickenSecret } from './check-client.js';
export { createTokenCache, type FindToken, type TokenCacheOptions } from './create-token-cache.js';
export { type AccessGrant, findAccessToken, type GrantedCompany } from './find-access-token.js';
export {
  type ApiClientFacts,
  type CodeExchange,
  type CodeRequest,
  findApiClient,
  type GrantResult,
  grantAuthorizationCode,
  grantClientCredentials,
  grantPassword,
  grantRefreshToken,
  type IssuedTokens,
  issueAuthorizationCode,
  noteTokenUse,
  type PersonCredentials,
  type Refusal,
  revokeClientToken,
  revokeToken,
  signIn,
} from './grants.js';
export { type KnownNetworks, knownNetworksOf } from './known-networks.js';
export { limitRequests } from './limit-requests.js';
export type { NameChanges } from './named-rows.js';
export { isOwnPost } from './own-post.js';
export { returnAddress } from './return-path.js';
export {
  type ClientPermission,
  clientPermissions,
  type Duty,
  duties,
  holds,
  type Rights,
  readingDuties,
} from './rights.js';
export { forgetSession, readSession, type Session, writeSession } from './session-cookie.js';
export {
  type Attempt,
  createSignInGuard,
  type PutOff,
  type SignInGuard,
} from './sign-in-guard.js';
export { BeyondLimitsError } from './token-limits.js';
export { type TokenUseOptions, trackTokenUse } from './track-token-use.js';
export { type NameKind, UnknownNamesError } from './unknown-names.js';
export {
  changePassword,
  changeUserDuties,
  createUser,
  disableUser,
  listUsers,
  MIN_PASSWORD_CHARACTERS,
  type NewUser,
  PasswordError,
  PidTakenError,
  type UserSummary,
} from './users.js';
