import { expect } from 'chai';
import { parseEvent } from '../src/index.js';
import { eventFieldPaths, withEventField } from '../src/internal.js';

const EVENT = {
  ...{ specversion: '1.0', id: '1', source: '/mes', time: '2024-05-31T16:20:05Z', line: 3 },
  type: 'work-order-operation.completed.v1',
  data: {
    ...{ database: 'TEM-XX', workOrderOperationId: 1, workOrderId: null, revision: 1, shift: 'late' },
    ...{ productStructureVersionId: 'x', completedAt: '2024-05-31T16:20:00Z', runTime: -1 },
  },
};

describe('a field of an event', () => {
  it('can be edited only if at least one type of event defines the field', () => {
    expect(eventFieldPaths).to.include.members([
      ...['type', 'source', 'time', 'data.database', 'data.productStructureVersionId', 'data.runTime'],
      ...['data.product.name', 'data.reopenedAt'],
    ]);
    expect(eventFieldPaths).not.to.include.oneOf(['id', 'specversion', 'data']);
    expect(new Set(eventFieldPaths).size).to.equal(eventFieldPaths.length);
  });

  it('gets the value of a text in the type of the field, without a change of other fields', () => {
    const before = structuredClone(EVENT);
    const { data } = EVENT;
    expect(withEventField(EVENT, 'data.database', 'TEM-NO')).to.deep.equal({
      ...EVENT,
      data: { ...data, database: 'TEM-NO' },
    });
    const values: readonly (readonly [string, string, unknown])[] = [
      ['productStructureVersionId', '100001', 100_001],
      ['database', '100', '100'],
      ['database', 'true', 'true'],
      ['runTime', '2.25', '2.25'],
      ['setupTime', 'null', null],
      ['workOrderId', '9007199254740993', '9007199254740993'],
      ['revision', 'x', 'x'],
      ['revision', '007', '007'],
    ];
    for (const [name, text, value] of values) {
      expect(withEventField(EVENT, `data.${name}`, text), name).to.deep.equal({
        ...EVENT,
        data: { ...data, [name]: value },
      });
    }
    expect(EVENT).to.deep.equal(before);
  });

  it('can be set in an event of an unknown type, whose type can also be corrected', () => {
    const misnamed = {
      ...EVENT,
      type: 'completed',
      data: { ...EVENT.data, runTime: 1, productStructureVersionId: 5 },
    };
    expect(parseEvent(withEventField(misnamed, 'type', 'work-order-operation.completed.v1'))).to.include({
      ok: true,
    });
    expect(withEventField(misnamed, 'data.workOrderOperationId', '7')).to.have.nested.property(
      'data.workOrderOperationId',
      7,
    );
  });

  it('cannot be set if the data of the job are not an event', () => {
    for (const value of [null, 'text', 1, [EVENT], { type: 'x' }, { data: [] }, { data: 'x' }]) {
      expect(withEventField(value, 'data.database', 'TEM-NO'), JSON.stringify(value)).to.equal(undefined);
    }
    expect(withEventField({}, 'source', '/mes')).to.deep.equal({ source: '/mes' });
  });
});
