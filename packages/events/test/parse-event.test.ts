import { expect } from 'chai';
import { describeProblems, parseEvent } from '../src/index.js';
import { eventDefinitions } from '../src/internal.js';
import { problemsOf } from './support/problems-of.js';
import {
  applicationVersionEvent,
  completedEvent,
  productStructureVersionEvent,
  reopenedEvent,
  sampleEvents,
  structureVersionRemovedEvent,
} from './support/sample-events.js';

const envelopeOf = ({ source, id }: Record<string, unknown>) => ({ source, id });
const originOf = (event: Record<string, unknown>) => {
  return { origin: { ...envelopeOf(event), time: '2025-01-01T12:00:00.000000Z' } };
};

describe('parseEvent', () => {
  it('normalises a completed operation', () => {
    expect(parseEvent(completedEvent())).to.deep.equal({
      ok: true,
      ...envelopeOf(completedEvent()),
      event: {
        type: 'work-order-operation.completed.v1',
        ...originOf(completedEvent()),
        database: 'TEM-NO',
        workOrderOperationId: 4711,
        workOrderOperationKey: null,
        workOrderId: 42,
        workOrderKey: null,
        revision: 1,
        productStructureVersionId: 100240,
        productStructureVersionKey: null,
        completedAt: '2024-05-31T14:20:00.000000Z',
        runTime: '2.250000',
        setupTime: '0.500000',
        cleanupTime: null,
      },
    });
  });

  it('returns null for optional fields that are absent, null or undefined, and keeps zero', () => {
    const absent = JSON.parse(
      JSON.stringify(completedEvent({ workOrderId: undefined, setupTime: undefined })),
    );
    for (const value of [absent, completedEvent({ workOrderId: null, setupTime: null })]) {
      const result = parseEvent(value);
      expect(result).to.have.property('ok', true);
      expect(result).to.have.nested.property('event.workOrderId', null);
      expect(result).to.have.nested.property('event.setupTime', null);
    }
    expect(parseEvent(completedEvent({ setupTime: 0 }))).to.have.nested.property(
      'event.setupTime',
      '0.000000',
    );
  });

  it('normalises a reopened operation', () => {
    expect(parseEvent(reopenedEvent())).to.deep.equal({
      ok: true,
      ...envelopeOf(reopenedEvent()),
      event: {
        type: 'work-order-operation.reopened.v1',
        ...originOf(reopenedEvent()),
        database: 'TEM-NO',
        workOrderOperationId: 4711,
        workOrderOperationKey: null,
        revision: 2,
        reopenedAt: '2024-06-01T00:00:00.000000Z',
      },
    });
  });

  it('normalises a removed product structure version', () => {
    expect(parseEvent(structureVersionRemovedEvent())).to.deep.equal({
      ok: true,
      ...envelopeOf(structureVersionRemovedEvent()),
      event: {
        type: 'product-structure-version.removed.v1',
        ...originOf(structureVersionRemovedEvent()),
        database: 'TEM-NO',
        changedAt: '2024-05-02T08:00:00.000000Z',
        productStructureVersionId: 100240,
        productStructureVersionKey: null,
      },
    });
  });

  it('normalises a product structure version', () => {
    expect(parseEvent(productStructureVersionEvent())).to.deep.equal({
      ok: true,
      ...envelopeOf(productStructureVersionEvent()),
      event: {
        type: 'product-structure-version.changed.v1',
        ...originOf(productStructureVersionEvent()),
        database: 'TEM-NO',
        changedAt: '2024-05-01T08:00:00.000000Z',
        productStructureVersionId: 100240,
        productStructureVersionKey: null,
        status: 4,
        name: 'Bracket 100240 - Milling',
        version: 2,
        revision: 'B',
        product: {
          ...{ productId: 101240, productKey: null, status: 4 },
          ...{ name: 'Bracket 100240', type: 'K', description: 'Welded' },
        },
        plannedProductionTimes: { runTime: '8.250000', setupTime: '0.000000', cleanupTime: null },
      },
    });
  });

  it('separates the type of an application version from the type of the event', () => {
    const result = parseEvent(applicationVersionEvent({ createdBy: { userId: 7, userLink: 'ignored' } }));
    expect(result).to.deep.equal({
      ok: true,
      ...envelopeOf(applicationVersionEvent()),
      event: {
        type: 'application-version.changed.v1',
        ...originOf(applicationVersionEvent()),
        database: 'TEM-NO',
        changedAt: '2024-05-01T08:00:00.000000Z',
        applicationVersion: {
          applicationVersionId: 100,
          applicationId: 10000,
          type: 'WIDGET',
          name: 'Production times',
          status: 4,
          descriptiveName: null,
          description: null,
          namespace: null,
          masterUrl: null,
          lookupKey: null,
          lookupPriority: null,
          contentType: null,
          changeDescription: null,
          createdAt: '2024-04-30T10:00:00.500000Z',
          createdBy: { userId: 7, firstName: null, name: null },
          restrictedToCompany: { companyId: 1, database: 'TEM-NO' },
          permission: { permissionId: 12, name: null },
          scope: 'GLOBAL',
          isChanged: false,
          changedBy: null,
          isPendingDeployment: null,
          customFieldOrder: { fieldOrder: '["a","b"]' },
        },
      },
    });
  });

  it('ignores attributes and fields that the contract does not know', () => {
    const event = completedEvent({ extra: { deep: [1] } }, { subject: 'x', datacontenttype: 1 });
    expect(parseEvent(event)).to.deep.equal(parseEvent(completedEvent()));
  });

  it('reports every broken rule with its field and its value', () => {
    const event = completedEvent(
      { database: '', workOrderId: '42', completedAt: 'yesterday', runTime: -1 },
      { specversion: '0.3', id: '' },
    );
    expect(problemsOf(event)).to.deep.equal([
      'specversion must be "1.0" (got "0.3")',
      'id must be text of 1 to 255 characters without NUL or lone surrogates (got "")',
      'data.database must be text of 1 to 20 characters without NUL or lone surrogates (got "")',
      'data.workOrderId must be an integer from -9007199254740991 to 9007199254740991 (got "42")',
      'data.completedAt must be an RFC 3339 date and time with offset, such as 2024-05-31T16:20:00+02:00 (got "yesterday")',
      'data.runTime must be hours as a number or plain decimal string from 0 to 1000000 (got -1)',
    ]);
  });

  it('accepts a key in place of a number, and refuses both and neither, beside all other problems', () => {
    const keyed = completedEvent({
      ...{ workOrderOperationId: undefined, workOrderOperationKey: 'FA-2026-1000/0010' },
      ...{ productStructureVersionId: null, productStructureVersionKey: 'WL-10.4700' },
      ...{ workOrderId: undefined, workOrderKey: 'FA-2026-1000' },
    });
    expect(parseEvent(keyed))
      .to.have.property('event')
      .that.includes({
        ...{ workOrderOperationId: null, workOrderOperationKey: 'FA-2026-1000/0010' },
        ...{ productStructureVersionId: null, productStructureVersionKey: 'WL-10.4700' },
        ...{ workOrderId: null, workOrderKey: 'FA-2026-1000' },
      });
    const event = completedEvent({ workOrderOperationId: null, workOrderKey: 'FA-1', runTime: -1 });
    expect(problemsOf(event)).to.deep.equal([
      'data.runTime must be hours as a number or plain decimal string from 0 to 1000000 (got -1)',
      'data.workOrderKey must be left out if workOrderId is given (got "FA-1")',
      'data.workOrderOperationId must be given unless workOrderOperationKey is (got null)',
    ]);
  });

  it('reports the path of a nested field', () => {
    const event = productStructureVersionEvent({
      plannedProductionTimes: { runTime: 1, setupTime: 'x' },
      product: 7,
    });
    expect(problemsOf(event)).to.deep.equal([
      'data.product must be a JSON object (got 7)',
      'data.plannedProductionTimes.setupTime must be hours as a number or plain decimal string from 0 to 1000000 (got "x")',
      'data.plannedProductionTimes.cleanupTime must be hours as a number or plain decimal string from 0 to 1000000 (got nothing)',
    ]);
  });

  it('lists the known types in the error for an unknown type', () => {
    const [problem] = problemsOf(completedEvent({}, { type: 'work-order-operation.completed.v2' }));
    expect(problem).to.match(/^type must be one of /);
    for (const { type } of eventDefinitions) {
      expect(problem).to.contain(`"${type}"`);
    }
  });

  it('has a test with an event of every type', () => {
    const types = eventDefinitions.map(({ type }) => type);
    expect(sampleEvents.map(({ type }) => type)).to.have.members(types);
    expect(types).to.include.members([
      ...['work-order-operation.completed.v1', 'work-order-operation.reopened.v1'],
      ...['product-structure-version.changed.v1', 'product-structure-version.removed.v1'],
      'application-version.changed.v1',
    ]);
  });

  for (const sample of sampleEvents) {
    const data = Object.entries(sample['data'] ?? {});
    it(`requires exactly those fields of ${String(sample['type'])} that are marked as required`, () => {
      const optional = Object.keys(sample)
        .concat(data.map(([field]) => `data.${field}`))
        .filter((field) => {
          const copy = JSON.parse(JSON.stringify(sample));
          const [first = '', second] = field.split('.');
          delete (second === undefined ? copy : copy[first])[second ?? first];
          return problemsOf(copy).length === 0;
        });
      expect(optional).to.deep.equal(
        {
          'work-order-operation.completed.v1': ['data.workOrderId', 'data.setupTime', 'data.cleanupTime'],
          'work-order-operation.reopened.v1': [],
          'product-structure-version.changed.v1': [],
          'application-version.changed.v1': [
            ...[
              'status',
              'createdAt',
              'createdBy',
              'restrictedToCompany',
              'permission',
              'scope',
              'isChanged',
            ],
            'customFieldOrder',
          ].map((field) => `data.${field}`),
        }[String(sample['type'])] ?? [],
      );
    });
  }

  it('reports the rule and the value separately, so that errors can be translated', () => {
    const told = (event: unknown) => {
      const result = parseEvent(event);
      return result.ok ? [] : result.problems.map(({ words }) => [words.rule, words.got]);
    };
    expect(told(completedEvent({ revision: 1.5 }, { specversion: undefined }))).to.deep.equal([
      [
        { phrase: 'must be {0}', values: ['"1.0"'] },
        { phrase: 'nothing', values: [] },
      ],
      [{ phrase: 'must be an integer from {0} to {1}', values: ['1', '9007199254740991'] }, '1.5'],
    ]);
    expect(told({ ...completedEvent(), data: [1, 2] })).to.deep.equal([
      [
        { phrase: 'must be a JSON object', values: [] },
        { phrase: 'an array of {0}', values: ['2'] },
      ],
    ]);
  });

  it('describes all problems in one line', () => {
    const result = parseEvent([]);
    expect(result.ok ? '' : describeProblems(result.problems)).to.equal(
      'event must be a JSON object (got an array of 0)',
    );
    expect(
      describeProblems([
        { field: 'id', rule: 'must be a', got: '1' },
        { field: 'data.x', rule: 'must be b', got: 'nothing' },
      ]),
    ).to.equal('id must be a (got 1); data.x must be b (got nothing)');
  });
});
