import type { EventInput } from '../event-types/event-definitions.js';
import type { Factory, Product, StructureVersion } from './factory.js';
import { BEGIN_OF_YEAR } from './generated-year.js';
import { APPLICATIONS, PERMISSIONS, PERSONS } from './vocabulary.js';

const FIRST_APPLICATION_ID = 10_001;
const FIRST_APPLICATION_VERSION_ID = 101;
/** Maximum number of versions that an application has. */
const MOST_VERSIONS = 3;
const [FIRST_USER_ID, FIRST_PERMISSION_ID] = [501, 21];
const COMPANY_ID = 1;

/**
 * Generates the master data that exist before the year starts: structure versions with their plans, and applications.
 */
export function* masterDataEvents(factory: Factory): Generator<EventInput> {
  for (const product of factory.products) {
    for (const structureVersion of product.route) {
      yield structureVersionChanged(factory.company, product, structureVersion);
    }
  }
  for (const [index, name] of APPLICATIONS.entries()) {
    for (let version = 0; version <= index % MOST_VERSIONS; version++) {
      yield applicationVersionChanged(factory.company, index, name, version);
    }
  }
}

function structureVersionChanged(
  company: string,
  product: Product,
  structureVersion: StructureVersion,
): EventInput {
  return {
    specversion: '1.0',
    id: `product-structure-version-${structureVersion.id}`,
    source: `/erp/${company}`,
    type: 'product-structure-version.changed.v1',
    time: BEGIN_OF_YEAR,
    data: {
      database: company,
      changedAt: BEGIN_OF_YEAR,
      productStructureVersionId: structureVersion.id,
      status: structureVersion.status,
      name: structureVersion.name,
      version: structureVersion.version,
      revision: structureVersion.revision,
      product: {
        productId: product.id,
        status: product.status,
        name: product.name,
        type: product.type,
        description: `${product.name}, made to order`,
      },
      plannedProductionTimes: structureVersion.plan,
    },
  };
}

/**
 * @param version index of the version within its application, from 0. The versions with index 0 of successive
 * applications have consecutive identifiers.
 */
function applicationVersionChanged(
  company: string,
  index: number,
  name: string,
  version: number,
): EventInput {
  const applicationVersionId = FIRST_APPLICATION_VERSION_ID + index + APPLICATIONS.length * version;
  const isLocal = index % 3 === 0;
  return {
    specversion: '1.0',
    id: `application-version-${applicationVersionId}`,
    source: `/erp/${company}`,
    type: 'application-version.changed.v1',
    time: BEGIN_OF_YEAR,
    data: {
      database: company,
      changedAt: BEGIN_OF_YEAR,
      applicationVersionId,
      applicationId: FIRST_APPLICATION_ID + index,
      type: index % 2 === 0 ? 'APPLICATION' : 'WIDGET',
      name: name.replaceAll(' ', ''),
      status: 4,
      descriptiveName: name,
      description: `${name} of ${company}`,
      contentType: 'HTML5',
      changeDescription: version === 0 ? 'First version' : `Change ${version}`,
      createdAt: BEGIN_OF_YEAR,
      createdBy: person(index),
      restrictedToCompany: isLocal ? { companyId: COMPANY_ID, database: company } : null,
      permission: {
        permissionId: FIRST_PERMISSION_ID + (index % PERMISSIONS.length),
        name: PERMISSIONS[index % PERMISSIONS.length],
      },
      scope: isLocal ? 'LOCAL' : 'GLOBAL',
      isChanged: false,
      changedBy: version === 0 ? null : person(index + version),
    },
  };
}

function person(number: number) {
  const index = number % PERSONS.length;
  return { userId: FIRST_USER_ID + index, ...PERSONS[index] };
}
