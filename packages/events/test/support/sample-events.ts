import type { EventInput } from '@takt/events';
import {
  applicationVersion,
  completion,
  reopening,
  structureVersion,
  structureVersionRemoval,
} from '@takt/test-support';

type Json = Record<string, unknown>;
/** An event whose fields a test may replace by values that break a rule. */
type SampleEvent = EventInput & Json;

/** A completed operation with every optional field. */
export function completedEvent(data: Json = {}, attributes: Json = {}): SampleEvent {
  const optional = { workOrderId: 42, setupTime: 0.5, cleanupTime: null };
  const times = { completedAt: '2024-05-31T16:20:00+02:00', runTime: '2.25' };
  return completion(
    4711,
    { productStructureVersionId: 100240, ...optional, ...times, ...data },
    attributes,
  ) as SampleEvent;
}

export function reopenedEvent(data: Json = {}): SampleEvent {
  return reopening(4711, { reopenedAt: '2024-06-01T00:00:00Z', ...data }) as SampleEvent;
}

export function productStructureVersionEvent(data: Json = {}): SampleEvent {
  return structureVersion(100240, {
    changedAt: '2024-05-01T08:00:00Z',
    plannedProductionTimes: { runTime: '8.25', setupTime: 0, cleanupTime: null },
    ...data,
  }) as SampleEvent;
}

export function structureVersionRemovedEvent(data: Json = {}): SampleEvent {
  return structureVersionRemoval(100240, { changedAt: '2024-05-02T08:00:00Z', ...data }) as SampleEvent;
}

/** An application version that lacks some optional fields. */
export function applicationVersionEvent(data: Json = {}): SampleEvent {
  return {
    ...applicationVersion(100),
    data: {
      ...{ database: 'TEM-NO', changedAt: '2024-05-01T08:00:00Z', applicationVersionId: 100 },
      ...{ applicationId: 10000, type: 'WIDGET', name: 'Production times', status: 4 },
      createdAt: '2024-04-30T12:00:00.5+02:00',
      createdBy: { userId: 7, firstName: 'Kari', name: 'Nordmann' },
      restrictedToCompany: { companyId: 1, database: 'TEM-NO' },
      permission: { permissionId: 12, name: null },
      ...{ scope: 'GLOBAL', isChanged: false, customFieldOrder: { fieldOrder: '["a","b"]' } },
      ...data,
    },
  } as SampleEvent;
}

/** One valid event of each type. */
export const sampleEvents: readonly SampleEvent[] = [
  completedEvent(),
  reopenedEvent(),
  productStructureVersionEvent(),
  structureVersionRemovedEvent(),
  applicationVersionEvent(),
];
