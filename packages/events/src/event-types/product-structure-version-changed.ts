import * as z from 'zod';
import { code, hours, identifier, instant, int32, line, name, prose } from '../kinds.js';
import { defineEvent, objectOf } from './define-event.js';

export const productStructureVersionChanged = defineEvent({
  type: 'product-structure-version.changed.v1',
  queue: 'reference-data',
  about: 'A product structure version, its product or its planned production times were created or changed.',
  data: {
    database: code.describe('short code of a registered company'),
    changedAt: instant.describe('the newest wins'),
    productStructureVersionId: identifier.describe('with `database`, the identity of the version'),
    status: int32.describe('status of the product structure version (domain value)'),
    name: name.describe('name of the product structure version'),
    version: int32.describe('version number, a minor change'),
    revision: line.describe('revision, typically a major change'),
    product: objectOf({
      productId: identifier.describe('identifier of the product'),
      status: int32.describe('status of the product (domain value)'),
      name: name.describe('name of the product'),
      type: name.describe('type of the product (domain value)'),
      description: prose.describe('description of the product'),
    }).describe('the product that the version makes'),
    plannedProductionTimes: objectOf({
      runTime: z.nullable(hours).describe('planned run time without changeover'),
      setupTime: z.nullable(hours).describe('planned changeover before'),
      cleanupTime: z.nullable(hours).describe('planned changeover after'),
    }).describe('the plan to compare with'),
  },
  flatten: (data) => data,
});
