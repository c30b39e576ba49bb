import * as z from 'zod';
import {
  applicationIdentifier,
  applicationVersionIdentifier,
  code,
  document,
  flag,
  hours,
  identifier,
  instant,
  int32,
  line,
  name,
  optional,
  pastInstant,
  prose,
} from '../kinds.js';
import { defineEvent, objectOf } from './define-event.js';
import { namedBy } from './object-names.js';

export const productStructureVersionChanged = defineEvent({
  type: 'product-structure-version.changed.v1',
  queue: 'reference-data',
  about: 'A product structure version, its product or its planned production times were created or changed.',
  data: {
    database: code.describe('short code of a registered company'),
    changedAt: pastInstant.describe('the newest wins; at most a day ahead of the clock'),
    ...namedBy('productStructureVersion', 'with `database`, the identity of the version'),
    status: int32.describe('status of the product structure version (domain value)'),
    name: name.describe('name of the product structure version'),
    version: int32.describe('version number, a minor change'),
    revision: line.describe('revision, typically a major change'),
    product: objectOf({
      ...namedBy('product', 'identifier of the product'),
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

export const productStructureVersionRemoved = defineEvent({
  type: 'product-structure-version.removed.v1',
  queue: 'reference-data',
  about:
    'A product structure version was removed. No list shows it until a newer change; its operations stay counted.',
  data: {
    database: code.describe('short code of a registered company'),
    changedAt: pastInstant.describe('the newest change or removal wins; at most a day ahead of the clock'),
    ...namedBy('productStructureVersion', 'with `database`, the identity of the version'),
  },
  flatten: (data) => data,
});

const person = objectOf({
  userId: identifier.describe('identifier of the person'),
  firstName: optional(line).describe('first name'),
  name: optional(line).describe('name'),
});

export const applicationVersionChanged = defineEvent({
  type: 'application-version.changed.v1',
  queue: 'reference-data',
  about: 'A version of an application (a component or widget definition) was created or changed.',
  data: {
    database: code.describe('short code of a registered company'),
    changedAt: pastInstant.describe('the newest wins; at most a day ahead of the clock'),
    applicationVersionId: applicationVersionIdentifier.describe(
      'with `database`, the identity of the version',
    ),
    applicationId: applicationIdentifier.describe('the main application'),
    type: name.describe('type of HTML5 component (domain value)'),
    name: name.describe('name of the application'),
    status: optional(int32).describe('status of the application (domain value)'),
    descriptiveName: optional(line).describe('descriptive name'),
    description: optional(prose).describe('descriptive tag of the application or component'),
    namespace: optional(line).describe('namespace of the application'),
    masterUrl: optional(prose).describe('URL of the application'),
    lookupKey: optional(line).describe('matching keyword'),
    lookupPriority: optional(int32).describe('priority among applications with the same match'),
    contentType: optional(name).describe('content type (domain value)'),
    changeDescription: optional(prose).describe('description of this version'),
    createdAt: optional(instant).describe('when this version was created'),
    createdBy: optional(person).describe('who created it'),
    restrictedToCompany: optional(
      objectOf({
        companyId: identifier.describe('identifier of the company'),
        database: code.describe('short code of the company'),
      }),
    ).describe('the company that the application is restricted to'),
    permission: optional(
      objectOf({
        permissionId: identifier.describe('identifier of the permission'),
        name: optional(line).describe('name of the permission'),
      }),
    ).describe('the permission needed to use the application'),
    scope: optional(name).describe('GLOBAL or LOCAL (domain value)'),
    isChanged: optional(flag).describe('changed locally, ready to be committed to the repository'),
    changedBy: optional(person).describe('who made the change'),
    isPendingDeployment: optional(flag).describe('changed locally, ready to be deployed from the repository'),
    customFieldOrder: optional(
      objectOf({ fieldOrder: document.describe('JSON structure, kept as text') }),
    ).describe('the order of fields that a customer chose'),
  },
  // The application version stays a nested object, because its field `type` would otherwise replace the `type` of the
  // event.
  flatten: ({ database, changedAt, ...applicationVersion }) => ({ database, changedAt, applicationVersion }),
});
