import { documentNodes, type ListResource, type Resource } from '@takt/catalogue/resources';
import { expect } from 'chai';
import { type OutlineNode, planColumns } from '../../src/plan/outline.js';
import { resolveExpansion, resolveSelection } from '../../src/plan/resolve-fields.js';
import { faultOf } from '../support/fault-of.js';
import { productionTimes } from '../support/resources.js';

const { collection, group, text } = documentNodes;
const value = (name: string, expandedBy?: string) =>
  text(name, '', {
    from: productionTimes.source.table,
    ...(expandedBy === undefined ? {} : { expandedBy }),
  });

/** A list with an expandable field, an expandable group and an expandable collection. The group needs a duty. */
const expandable: ListResource = {
  ...productionTimes,
  fields: [
    productionTimes.key,
    value('Remark', 'Remarks'),
    group('Around', '', [
      group('Figures', '', [value('First'), group('Inner', '', [value('Second')])], {
        ...{ expandedBy: 'Figures', duty: 'read-planned-times' },
      }),
      value('Plain'),
    ]),
    collection('Months', '', () => group('Month', '', [value('Month')]), { expandedBy: 'Months' }),
  ],
};

function namesIn(nodes: readonly OutlineNode[]): readonly string[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'group') return namesIn(node.children);
    return node.kind === 'field' ? node.field.name : node.collection.name;
  });
}

interface Wishes {
  readonly select?: readonly string[];
  readonly expand?: readonly string[];
  readonly expandsAll?: boolean;
}

const expansionOf = (expand: readonly string[], resource: Resource = expandable) =>
  resolveExpansion(
    resource,
    expand.map((name, index) => ({ name, position: index + 1 })),
  );

/** Returns the expansion as a promise, so that a thrown error becomes a rejection. */
const expanding = async (expand: readonly string[], resource?: Resource) => expansionOf(expand, resource);

function servedOf({ select, expand = [], expandsAll = false }: Wishes): readonly string[] {
  const items = select?.map((name) => ({ text: name, path: [name], position: 1 }));
  const { outline, columns } = planColumns(expandable.fields, {
    ...{ selection: resolveSelection(expandable, items), expansion: expansionOf(expand) },
    ...{ expandsAll, withDescriptions: false },
  });
  const served = namesIn(outline);
  expect(columns).to.have.lengthOf(served.length);
  return served;
}

const KEY = 'ProductStructureVersionId';

describe('a node that $expand can add', () => {
  it('is missing by default, whether it is a field, a group or a collection', () => {
    expect(servedOf({})).to.deep.equal([KEY, 'Plain']);
    expect(servedOf({ expand: ['PagingDetails'] })).to.deep.equal([KEY, 'Plain']);
  });

  it('is added by its name in $expand in any letter case, with everything inside a group', () => {
    expect(servedOf({ expand: ['rEMARKS'] })).to.deep.equal([KEY, 'Remark', 'Plain']);
    expect(servedOf({ expand: ['figures'] })).to.deep.equal([KEY, 'First', 'Second', 'Plain']);
    expect(servedOf({ expand: ['MONTHS'] })).to.deep.equal([KEY, 'Plain', 'Months']);
  });

  it('is added to the selected fields', () => {
    expect(servedOf({ select: ['Plain'], expand: ['Figures'] })).to.deep.equal(['First', 'Second', 'Plain']);
    expect(servedOf({ select: [KEY], expand: ['Months', 'Remarks'] })).to.deep.equal([
      ...[KEY, 'Remark', 'Months'],
    ]);
  });

  it('is added by the selection of the node or of a node inside, but not of a group around the node', () => {
    expect(servedOf({ select: ['Remark'] })).to.deep.equal(['Remark']);
    expect(servedOf({ select: ['Second'] })).to.deep.equal(['Second']);
    expect(servedOf({ select: ['Figures'] })).to.deep.equal(['First', 'Second']);
    expect(servedOf({ select: [KEY, 'Months'] })).to.deep.equal([KEY, 'Months']);
    expect(servedOf({ select: ['Around'] })).to.deep.equal(['Plain']);
    expect(servedOf({ select: ['Around', 'First'] })).to.deep.equal(['First', 'Second', 'Plain']);
  });

  it('is added as a whole by $expand, even if only a part is selected', () => {
    expect(servedOf({ select: ['Second'], expand: ['Figures'] })).to.deep.equal(['First', 'Second']);
  });

  it('is added like any other node if everything is expanded and nothing is selected', () => {
    const all = [KEY, 'Remark', 'First', 'Second', 'Plain', 'Months'];
    expect(servedOf({ expandsAll: true })).to.deep.equal(all);
    expect(servedOf({ expandsAll: true, select: ['Second', 'Months'] })).to.deep.equal(['Second', 'Months']);
    expect(servedOf({ expandsAll: true, select: ['Plain'], expand: ['Remarks'] })).to.deep.equal([
      ...['Remark', 'Plain'],
    ]);
  });

  it('is among the known names in the error for an unknown name in $expand', async () => {
    expect(await faultOf(expanding(['Months', 'Colour']))).to.deep.equal({
      code: 'unknownField',
      parameters: ['$expand', '2', 'Colour', 'PagingDetails, Remarks, Figures, Months, Summary'],
    });
  });
});
