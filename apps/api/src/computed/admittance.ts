import type { ClientPermission, Duty } from '@takt/access';
import { describeError } from '@takt/error-catalogue';
import type { Language } from '@takt/texts';
import { type HeldRights, missingRight, type NeededRights, refusalOf } from '../access/establish-identity.js';
import type { Held } from './asked.js';

/** Clients know permissions and rules by numbers, which stay what they are; messages and commands have their names. */
export const permissionIds: Readonly<Record<ClientPermission, number>> = {
  'production-times': 1,
  'error-messages': 2,
  'application-versions': 3,
  'publish-events': 4,
};

export const accessRuleIds: Readonly<Record<Duty, number>> = {
  'read-production-times': 1,
  'read-planned-times': 2,
  'read-error-messages': 3,
  'read-application-versions': 4,
  'read-persons': 5,
  'operate-queues': 6,
};

/** What a request for a resource is refused with for want of a right: nothing where it is admitted. */
export function admittanceOf(held: HeldRights, resource: NeededRights, language: Language): Held {
  const missing = missingRight(held, resource);
  if (missing === undefined) {
    return { AccessDenied: null, AccessRuleId: null, MissingPermissionId: null, ErrorMessageId: null };
  }
  const { translatedMessage, errorMessageId } = describeError(refusalOf(missing), language);
  return {
    AccessDenied: translatedMessage,
    AccessRuleId: missing.kind === 'duty' ? accessRuleIds[missing.name] : null,
    MissingPermissionId: missing.kind === 'permission' ? permissionIds[missing.name] : null,
    ErrorMessageId: errorMessageId,
  };
}
