import { inEveryLanguage } from '@takt/texts';
import { isNotNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import * as schema from '../../schema.js';
import { fieldBuilders } from '../field-builders.js';
import { detailResource, listResource, requestedCompany, storedIn } from '../resource.js';
import { planHeadings, headings as timesHeadings } from './aggregated-production-times-headings.js';
import { keyHeadings, keyOptions } from './keys.js';
import { periodParameters, wasInPeriod } from './period.js';
import { headings as versionHeadings } from './product-structure-version.js';
import { ofStructureVersion, plannedOf, headings as versionsHeadings } from './product-structure-versions.js';
import { productionTimes } from './production-months.js';

const headings = {
  ...timesHeadings,
  ...planHeadings,
  ...keyHeadings,
  ...versionHeadings,
  ...versionsHeadings,
  ...inEveryLanguage('work-order-operations', {
    WorkOrderOperations: 'Completed operations',
    WorkOrderOperationsSummary:
      'The completed operations behind the figures of one structure version, newest first.',
    WorkOrderOperationId: 'Operation ID',
    WorkOrderId: 'Work order ID',
    Revision: 'Event revision',
    CompletedAt: 'Completed',
    WorkOrderOperation: 'Completed operation',
    WorkOrderOperationSummary: 'One completed operation, and the event from which its times come.',
    WorkOrderOperationLink: 'Link to the operation',
    NewestEvent: 'Newest event',
    EventId: 'Event ID',
    EventSource: 'Source',
    EventTime: 'Sent',
  }),
};

const { group, hours, instant, integer, link, signedHours, text } = fieldBuilders(headings);

const operation = alias(schema.workOrderOperations, 'listed');

/** SQL for the time of one kind that an operation took, in microhours. */
const tookOf = (kind: 'run' | 'setup' | 'cleanup') => sql`(${operation[`${kind}Time`]} * 1000000)::bigint`;

const operationKey = text(
  'WorkOrderOperationKey',
  'Key of the work order operation; missing if the company names them by numbers.',
  { ...keyOptions(operation.workOrderOperationKey), queryName: true, isUnindexed: true },
);
const workOrderKey = text(
  'WorkOrderKey',
  'Key of the work order; missing if not reported, or if the company names them by numbers.',
  { ...keyOptions(operation.workOrderKey), queryName: true, isUnindexed: true },
);

const key = integer('WorkOrderOperationId', 'Identifier of the work order operation.', {
  from: operation.workOrderOperationId,
  queryName: true,
  keyField: operationKey,
});

const completedAt = instant('CompletedAt', 'Time of completion.', {
  from: operation.changedAt,
  queryName: true,
});

const timesOf = [
  hours('RunTime', 'Run time in hours.', tookOf('run')),
  hours('SetupTime', 'Setup time in hours; missing if not reported.', tookOf('setup')),
  hours('CleanupTime', 'Cleanup time in hours; missing if not reported.', tookOf('cleanup')),
];

const workOrderId = integer('WorkOrderId', 'Identifier of the work order; missing if not reported.', {
  from: operation.workOrderId,
  isNullable: true,
  stored: { decimals: 0, isSigned: true },
  queryName: true,
  keyField: workOrderKey,
});

const revision = integer('Revision', "Highest revision of the operation's events.", {
  from: operation.revision,
  queryName: true,
});

const source = storedIn({
  table: schema.workOrderOperations,
  alias: sql`listed`,
  company: operation.companyId,
});

export const workOrderOperations = listResource({
  identifier: 9018,
  version: 1,
  path: `${ofStructureVersion.path}/work-order-operations`,
  pathParameters: [{ ...ofStructureVersion.parameter, column: operation.productStructureVersionId }],
  parent: productionTimes,
  element: 'WorkOrderOperation',
  container: 'WorkOrderOperations',
  title: headings.WorkOrderOperations,
  summary: headings.WorkOrderOperationsSummary,
  description:
    'The completed work order operations behind the figures of one product structure version, newest first. Pruned operations are part of the figures, but no longer listed. Beyond the specification.',
  clientPermission: productionTimes.clientPermission,
  duty: productionTimes.duty,
  fields: [
    key,
    operationKey,
    workOrderId,
    workOrderKey,
    revision,
    completedAt,
    ...timesOf,
    link('WorkOrderOperationLink', 'Reference to the operation.', '/product/work-order-operations/{}', {
      from: operation.workOrderOperationId,
    }),
    group(
      'PlanComparison',
      'Time of the operation compared with the present plan; missing without a plan or a time.',
      (['Run', 'Setup', 'Cleanup'] as const).map((kind) => {
        const column = kind.toLowerCase() as Lowercase<typeof kind>;
        return signedHours(
          `${kind}TimeDifference`,
          `${kind} time minus the planned one, in hours; negative if less.`,
          sql`(${tookOf(column)} - ${plannedOf(column)})`,
        );
      }),
      { duty: 'read-planned-times', expandedBy: 'PlanComparison' },
    ),
  ],
  parameters: periodParameters,
  source,
  inPeriod: {
    source: {
      ...source,
      condition: wasInPeriod({
        companyId: operation.companyId,
        version: operation.productStructureVersionId,
        completedAt: operation.changedAt,
      }),
    },
  },
  key,
  firstOrder: completedAt,
  keyDirection: 'desc',
  itemPath: '/product/work-order-operations/{}',
});

const version = alias(schema.productStructureVersions, 'version');

const versionKey = text(
  'ProductStructureVersionKey',
  'Key of the product structure version; missing if the company names them by numbers.',
  keyOptions(version.productStructureVersionKey),
);

/** Events were not recorded before Takt 1.1. */
const event = { isNullable: true } as const;

export const workOrderOperation = detailResource({
  identifier: 9022,
  version: 1,
  path: '/product/work-order-operations/{workOrderOperationId}',
  pathParameters: [
    {
      name: 'workOrderOperationId',
      description: 'Identifier of the work order operation.',
      minimum: 1,
      example: 1_000_001,
      column: operation.workOrderOperationId,
    },
  ],
  element: 'WorkOrderOperation',
  title: headings.WorkOrderOperation,
  summary: headings.WorkOrderOperationSummary,
  description:
    'One completed work order operation with its product structure version and its newest event. Beyond the specification.',
  clientPermission: productionTimes.clientPermission,
  duty: productionTimes.duty,
  fields: [
    key,
    operationKey,
    workOrderId,
    workOrderKey,
    completedAt,
    ...timesOf,
    group('ProductStructureVersion', 'The product structure version that the operation made.', [
      integer('ProductStructureVersionId', 'Product structure identifier.', {
        from: operation.productStructureVersionId,
        keyField: versionKey,
      }),
      versionKey,
      text('Name', 'Name of the product structure version; missing until its master data arrive.', {
        from: version.name,
        isNullable: true,
      }),
      link(
        'AggregatedProductionTimesLink',
        'Reference to the actual times.',
        '/product/structure-versions/{}/aggregated-production-times',
        { from: operation.productStructureVersionId },
      ),
    ]),
    group(
      'NewestEvent',
      'The event with the highest revision; missing if applied before events were recorded.',
      [
        text('EventId', 'Identifier of the event at its source.', { from: operation.eventId, ...event }),
        text('EventSource', 'Source of the event.', { from: operation.eventSource, ...event }),
        instant('EventTime', 'Time at which the event was made.', { from: operation.eventTime, ...event }),
        revision,
      ],
    ),
  ],
  source: {
    ...source,
    condition: isNotNull(operation.productStructureVersionId),
    joins: [
      sql`LEFT JOIN ${schema.productStructureVersions} AS version ON ${version.companyId} = ${requestedCompany} AND ${version.productStructureVersionId} = ${operation.productStructureVersionId}`,
    ],
  },
  notFound: 'operationNotFound',
});
