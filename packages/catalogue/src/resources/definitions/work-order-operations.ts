import { inEveryLanguage } from '@takt/texts';
import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import * as schema from '../../schema.js';
import { fieldBuilders } from '../field-builders.js';
import { listResource, storedIn } from '../resource.js';
import { planHeadings, headings as timesHeadings } from './aggregated-production-times-headings.js';
import { keyHeadings, keyOptions } from './keys.js';
import { periodParameters, wasInPeriod } from './period.js';
import { ofStructureVersion, plannedOf } from './product-structure-versions.js';
import { productionTimes } from './production-months.js';

const headings = {
  ...timesHeadings,
  ...planHeadings,
  ...keyHeadings,
  ...inEveryLanguage('work-order-operations', {
    WorkOrderOperations: 'Completed operations',
    WorkOrderOperationsSummary:
      'The completed operations behind the figures of one structure version, newest first.',
    WorkOrderOperationId: 'Operation ID',
    WorkOrderId: 'Work order ID',
    Revision: 'Event revision',
    CompletedAt: 'Completed',
  }),
};

const { group, hours, instant, integer, signedHours, text } = fieldBuilders(headings);

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
    integer('WorkOrderId', 'Identifier of the work order; missing if not reported.', {
      from: operation.workOrderId,
      isNullable: true,
      stored: { decimals: 0, isSigned: true },
      queryName: true,
      keyField: workOrderKey,
    }),
    workOrderKey,
    integer('Revision', "Highest revision of the operation's events.", {
      from: operation.revision,
      queryName: true,
    }),
    completedAt,
    hours('RunTime', 'Run time in hours.', tookOf('run')),
    hours('SetupTime', 'Setup time in hours; missing if not reported.', tookOf('setup')),
    hours('CleanupTime', 'Cleanup time in hours; missing if not reported.', tookOf('cleanup')),
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
});
