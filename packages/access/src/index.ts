export * from './administration.js';
export { type ClientCheck, type ClientCredentials, checkClient, quickenSecret } from './api-clients.js';
export {
  type ApiClientFacts,
  type CodeExchange,
  type CodeRequest,
  findApiClient,
  type GrantError,
  type GrantResult,
  grantAuthorizationCode,
  grantClientCredentials,
  grantPassword,
  grantRefreshToken,
  type IssuedTokens,
  issueAuthorizationCode,
  type PersonCredentials,
  revokeClientToken,
  revokeToken,
  signIn,
  signInByCode,
} from './grants.js';
export {
  acceptInvitation,
  addPerson,
  findInvited,
  type InvitedPerson,
  invitePerson,
} from './invitations.js';
export { bearerTokenOf } from './secrets.js';
export {
  forgetSession,
  isOpened,
  isOwnPost,
  mayUseCode,
  operatorSession,
  readSession,
  returnAddress,
  SESSION_COOKIE,
  type Session,
  type SessionPlace,
  writeSession,
} from './sessions.js';
export { beginSetUp, type FirstPerson, maySetUp, setUp } from './set-up.js';
export {
  type Attempt,
  createSignInGuard,
  type KnownNetworks,
  knownNetworksOf,
  type PutOff,
  type SignInGuard,
} from './sign-in-guard.js';
export { type SignInAttempt, type SignInFailure, signInPerson } from './sign-in-person.js';
export { type FindToken, limitRequests, openTokens } from './token-decorators.js';
