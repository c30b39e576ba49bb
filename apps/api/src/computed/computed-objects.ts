import type { ComputedSource } from '@takt/resources';
import type { Asked, Held } from './asked.js';
import { metadataOf } from './metadata.js';

/** What is made where no table holds it; a definition that names another does not compile. Each may throw a ServiceError. */
export const computedObjects: Readonly<Record<ComputedSource['computed'], (asked: Asked) => Held>> = {
  metadata: metadataOf,
  session: sessionOf,
};

/** What the token stands for. Nobody here is a customer, a supplier or a contact. */
function sessionOf({ identity }: Asked): Held {
  const { pid, companies, company, clientId } = identity;
  const [byDefault = company] = companies;
  return {
    Pid: pid,
    CustomerId: null,
    SupplierId: null,
    ContactId: null,
    Database: byDefault.code,
    RamBaseName: null,
    ApiClientId: clientId === null ? null : String(clientId),
  };
}
