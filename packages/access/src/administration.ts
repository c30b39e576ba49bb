// The functions that only the command line uses. They have an entry point of their own, so that other apps do not load
// them.

export {
  type ClientPermission,
  clientPermissions,
  type Duty,
  duties,
  holds,
  type Rights,
  readingDuties,
} from '@takt/catalogue/rights';
export {
  type AccessTokenRequest,
  type AccessTokenSummary,
  BeyondLimitsError,
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
  enableApiClient,
  listApiClients,
  type NewApiClient,
  RedirectUriError,
  renewClientSecret,
} from './api-clients.js';
export {
  type AccessChange,
  type AuditEntry,
  type AuditQuery,
  administer,
  describeDetails,
  listAuditEntries,
  noteOperatorEntry,
  noteOwnerEntry,
  type OperatorEntry,
  type RefusedChange,
} from './audit-log.js';
export { type AccessGrant, findAccessToken, type GrantedCompany } from './find-access-token.js';
export { createInvitation, INVITATION_DAYS } from './invitations.js';
export type { NameChanges } from './names.js';
export { listRoles, type NameKind, UnknownNamesError } from './names.js';
export { CODE_LIFETIME_MS, createOpeningCode, createSetUpCode } from './opening-codes.js';
export { changeView, savedViewLimits, saveView, type ViewToSave } from './saved-views.js';
export {
  changePassword,
  changeUserDuties,
  changeUserRoles,
  createUser,
  disableUser,
  EmailError,
  enableUser,
  isLongEnough,
  listUsers,
  MIN_PASSWORD_CHARACTERS,
  type NewUser,
  PasswordError,
  PidTakenError,
  setUserCompanies,
  setUserEmail,
  type UserSummary,
} from './users.js';
