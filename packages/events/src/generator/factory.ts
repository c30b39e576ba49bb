import type { EventInput } from '../event-types/event-definitions.js';
import type { Named } from '../event-types/object-names.js';
import { below, createSelector, pick, type Random } from './random.js';

/** The place of a language in a row of the tables: English, Norwegian. */
export type Language = 0 | 1;

const PRODUCTS = [
  ['Gear Housing', 'Girhus'],
  ['Pump Cover', 'Pumpedeksel'],
  ['Drive Shaft', 'Drivaksel'],
  ['Valve Body', 'Ventilhus'],
  ['Cable Drum', 'Kabeltrommel'],
  ['Winch Frame', 'Vinsjramme'],
  ['Guide Rail', 'Føringsskinne'],
  ['Filter Bowl', 'Filterskål'],
  ['Piston Rod', 'Stempelstang'],
  ['Control Cabinet', 'Styreskap'],
  ['Impeller', 'Løpehjul'],
  ['Lifting Eye', 'Løfteøye'],
] as const;
/** The operations in the order of a work order, with their usual run, setup and cleanup times in hours (0: none). */
const OPERATIONS = [
  ['Sawing', 'Saging', 0.3, 0.1, 0.05],
  ['Laser Cutting', 'Laserskjæring', 0.6, 0.25, 0.1],
  ['Bending', 'Bøying', 0.5, 0.35, 0],
  ['Turning', 'Dreiing', 1.4, 0.75, 0.25],
  ['Milling', 'Fresing', 2.1, 1, 0.25],
  ['Deburring', 'Avgrading', 0.4, 0, 0],
  ['Heat Treatment', 'Varmebehandling', 5.5, 0.5, 0.5],
  ['Grinding', 'Sliping', 1.2, 0.6, 0.2],
  ['Welding', 'Sveising', 1.8, 0.4, 0.3],
  ['Painting', 'Lakkering', 0.9, 0.5, 0.75],
  ['Assembly', 'Montering', 1.6, 0.2, 0],
  ['Final Inspection', 'Sluttkontroll', 0.35, 0, 0],
] as const;
const MADE_TO_ORDER = ['made to order', 'laget på bestilling'] as const;
const APPLICATIONS = ['Order Board', 'Time Chart', 'Shift Calendar', 'Product Tree', 'Machines', 'Scrap'];
const AUTHOR = { userId: 501, firstName: 'Kari', name: 'Nordmann' };
const EDITOR = { userId: 502, firstName: 'Erik', name: 'Svensson' };
/** Keys of domain values. The usual key is repeated. */
const PRODUCT_STATUSES = [4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 2, 3, 5, 6, 7, 9];
const PRODUCT_TYPES = ['K', 'K', 'K', 'K', 'K', 'KA', 'KS', 'KM', 'P'];
const STRUCTURE_VERSION_STATUSES = [4, 4, 4, 4, 4, 4, 4, 4, 1, 9];

export type Factory = ReturnType<typeof inventFactory>;
export type Product = Factory['products'][number];
export type StructureVersion = Product['route'][number];

/**
 * Invents the factory of a company, with the given number of structure versions. Ids start at the same number in each
 * company, as they would in separate databases.
 */
export function inventFactory(
  company: string,
  { language, structureVersions, hasKeys }: FactoryOptions,
  random: Random,
) {
  return { company, hasKeys, products: [...inventProducts(language, structureVersions, random)] };
}

interface FactoryOptions {
  readonly language: Language;
  readonly structureVersions: number;
  /** True if its systems name objects by keys. */
  readonly hasKeys: boolean;
}

/** Returns the fields that name an object of a factory: `<name>Key` with a prefix as ERPs have it, or `<name>Id`. */
export function nameIn<Name extends string>(
  { hasKeys }: Pick<Factory, 'hasKeys'>,
  name: Name,
  number: number,
  key = `${number}`,
): Named<Name> {
  return (hasKeys ? { [`${name}Key`]: key } : { [`${name}Id`]: number }) as Named<Name>;
}

function* inventProducts(language: Language, structureVersions: number, random: Random) {
  for (let number = 0, made = 0; made < structureVersions; number++) {
    const name = `${PRODUCTS[number % PRODUCTS.length]?.[language]} ${40 + 10 * Math.floor(number / PRODUCTS.length)}`;
    const size = 0.5 + 2 * random();
    const plan = (hours: number) => Math.max(0.05, Math.round(hours * size * 20) / 20);
    const length = Math.min(2 + below(6, random), structureVersions - made);
    const isInRoute = createSelector(OPERATIONS.length, length, random);
    const route = OPERATIONS.filter(isInRoute).map(([english, norwegian, run, setup, cleanup]) => ({
      fields: {
        productStructureVersionId: 100_001 + made++,
        status: pick(STRUCTURE_VERSION_STATUSES, random),
        name: `${name} - ${[english, norwegian][language]}`,
        version: 1 + below(4, random),
        revision: pick(['A', 'B', 'C', 'D'], random),
        plannedProductionTimes: {
          runTime: plan(run),
          setupTime: setup === 0 ? null : plan(setup),
          cleanupTime: cleanup === 0 ? null : plan(cleanup),
        },
      },
      /** Ratio of the actual to the planned run time at the start of the year. */
      bias: 0.85 + 0.4 * random(),
      /** Change of the bias within the year: people learn, and tools wear. */
      drift: -0.15 + 0.35 * random(),
      /** Standard deviation of the logarithm of the run time. */
      spread: 0.1 + 0.35 * random(),
      /** Share of the operations for which setup and cleanup times are reported. */
      reportingShare: random() < 0.8 ? 0.95 : 0.3,
    }));
    const fields = {
      productId: 10_001 + number,
      status: pick(PRODUCT_STATUSES, random),
      name,
      type: pick(PRODUCT_TYPES, random),
      description: `${name}, ${MADE_TO_ORDER[language]}`,
    };
    yield { fields, route };
  }
}

export function* masterDataEvents(factory: Factory, changedAt: string): Generator<EventInput> {
  const { company, products } = factory;
  const envelope = { specversion: '1.0', source: `/erp/${company}`, time: changedAt } as const;
  for (const { fields: ofProduct, route } of products) {
    const { productId, ...others } = ofProduct;
    const product = { ...nameIn(factory, 'product', productId, `AR-${productId}`), ...others };
    for (const { fields } of route) {
      const id = `product-structure-version-${fields.productStructureVersionId}`;
      const { productStructureVersionId, ...own } = fields;
      const named = nameIn(
        factory,
        'productStructureVersion',
        productStructureVersionId,
        `AR-${productStructureVersionId}`,
      );
      const data = { database: company, changedAt, ...named, ...own, product };
      yield { ...envelope, id, type: 'product-structure-version.changed.v1', data };
    }
  }
  for (const [index, name] of APPLICATIONS.entries()) {
    const isLocal = index % 3 === 0;
    for (let version = 0; version <= index % 3; version++) {
      const applicationVersionId = 101 + index + APPLICATIONS.length * version;
      const data = {
        database: company,
        changedAt,
        applicationVersionId,
        applicationId: 10_001 + index,
        type: index % 2 === 0 ? 'APPLICATION' : 'WIDGET',
        name: name.replaceAll(' ', ''),
        status: 4,
        descriptiveName: name,
        description: `${name} of ${company}`,
        contentType: 'HTML5',
        changeDescription: `Change ${version}`,
        createdAt: changedAt,
        createdBy: AUTHOR,
        restrictedToCompany: isLocal ? { companyId: 1, database: company } : null,
        permission: { permissionId: 21, name: 'Production' },
        scope: isLocal ? 'LOCAL' : 'GLOBAL',
        isChanged: false,
        changedBy: EDITOR,
      };
      const id = `application-version-${applicationVersionId}`;
      yield { ...envelope, id, type: 'application-version.changed.v1', data };
    }
  }
}
