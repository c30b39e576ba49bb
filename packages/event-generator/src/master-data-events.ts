import type { Factory, Product, StructureVersion } from './factory.js';
import type { GeneratedEvent } from './generated-event.js';
import { BEGIN_OF_YEAR } from './production-year.js';
import { APPLICATIONS } from './vocabulary.js';

const FIRST_APPLICATION_ID = 10_001;
const FIRST_APPLICATION_VERSION_ID = 101;

/** What the ERP tells of a factory before the year begins: structure versions with their plans, applications. */
export function* masterDataEvents(factory: Factory): Generator<GeneratedEvent> {
  for (const product of factory.products) {
    for (const structureVersion of product.route) {
      yield structureVersionChanged(factory.company, product, structureVersion);
    }
  }
  for (const [index, name] of APPLICATIONS.entries()) {
    yield applicationVersionChanged(factory.company, index, name);
  }
}

function structureVersionChanged(
  company: string,
  product: Product,
  structureVersion: StructureVersion,
): GeneratedEvent {
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

function applicationVersionChanged(company: string, index: number, name: string): GeneratedEvent {
  const applicationVersionId = FIRST_APPLICATION_VERSION_ID + index;
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
      createdAt: BEGIN_OF_YEAR,
      scope: index % 3 === 0 ? 'LOCAL' : 'GLOBAL',
      isChanged: false,
    },
  };
}
