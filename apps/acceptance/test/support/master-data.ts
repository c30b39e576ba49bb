import { isCarriedBy, parseEvent } from '@takt/events';
import { applyReferenceData, type ReferenceDataEvent } from '@takt/master-data';
import type { TestApi } from './test-api.js';

type Fields = Readonly<Record<string, unknown>>;

const CHANGED_AT = '2026-03-02T12:00:00Z';

function eventOf(type: string, data: Fields): object {
  return { specversion: '1.0', id: '1', source: '/acceptance', type, time: CHANGED_AT, data };
}

/** A structure version as the ERP tells of it. */
export function structureVersion(database: string, identifier: number, fields: Fields = {}): object {
  return eventOf('product-structure-version.changed.v1', {
    database,
    changedAt: CHANGED_AT,
    productStructureVersionId: identifier,
    status: 4,
    name: `Bracket ${identifier} - Milling`,
    version: 2,
    revision: 'B',
    product: {
      productId: 1_000 + identifier,
      status: 4,
      name: `Bracket ${identifier}`,
      type: 'K',
      description: 'Welded',
    },
    plannedProductionTimes: { runTime: '1.25', setupTime: '0.5', cleanupTime: null },
    ...fields,
  });
}

export const APPLICATION_ID = 10_001;

/** An application version as the ERP tells of it, with every field. */
export function applicationVersion(database: string, identifier: number, fields: Fields = {}): object {
  return eventOf('application-version.changed.v1', {
    database,
    changedAt: CHANGED_AT,
    applicationVersionId: identifier,
    applicationId: APPLICATION_ID,
    status: 4,
    type: 'WIDGET',
    name: 'Work order board',
    descriptiveName: 'Board of work orders',
    description: 'Shows what is under way',
    namespace: 'production',
    masterUrl: 'https://apps.example/board',
    lookupKey: 'board',
    lookupPriority: 1,
    contentType: 'HTML5',
    changeDescription: 'First version',
    createdAt: '2026-01-02T03:04:05Z',
    createdBy: { userId: 7, firstName: 'Kari', name: 'Nordmann' },
    restrictedToCompany: { companyId: 1, database },
    permission: { permissionId: 12, name: 'Production' },
    scope: 'GLOBAL',
    isChanged: false,
    changedBy: { userId: 8, firstName: 'Ola', name: 'Nordmann' },
    isPendingDeployment: true,
    customFieldOrder: { fieldOrder: '{"fields":["name","status"]}' },
    ...fields,
  });
}

/** Reads the events as a worker does and takes their effect; throws where one is refused or has none. */
export async function storeMasterData(
  { database }: Pick<TestApi, 'database'>,
  events: readonly object[],
): Promise<void> {
  const outcomes = await applyReferenceData(database.pool, events.map(parseMasterData));
  if (outcomes.size > 0) throw new Error(`without effect: ${[...outcomes.values()].join()}`);
}

function parseMasterData(value: object): ReferenceDataEvent {
  const result = parseEvent(value);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const { event } = result;
  if (isCarriedBy('reference-data', event)) return event;
  throw new Error(`no master data: ${event.type}`);
}
