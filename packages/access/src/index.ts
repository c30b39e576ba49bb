export * from './administration.js';
export { bearerTokenOf } from './bearer-token.js';
export { type ClientCheck, type ClientCredentials, checkClient, quickenSecret } from './check-client.js';
export { createTokenCache, type FindToken, type TokenCacheOptions } from './create-token-cache.js';
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
export { isOwnPost } from './own-post.js';
export { returnAddress } from './return-path.js';
export { forgetSession, readSession, type Session, writeSession } from './session-cookie.js';
export {
  type Attempt,
  createSignInGuard,
  type PutOff,
  type SignInGuard,
} from './sign-in-guard.js';
export { type TokenUseOptions, trackTokenUse } from './track-token-use.js';
