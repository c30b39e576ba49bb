import { expect } from 'chai';
import {
  error,
  leavesOf,
  newestOf,
  PAGING_DETAILS,
  paging,
  resourceFamilies,
} from '../../src/resources/index.js';

describe('the leaves of the fields of a resource', () => {
  it('are in the order of the definition, each with its path', () => {
    const [times] = resourceFamilies.map(newestOf);
    const paths = leavesOf(times?.fields ?? []).map(({ path }) => path.join('.'));
    expect(paths.slice(0, 2)).to.deep.equal([
      'ProductStructureVersion.ProductStructureVersionId',
      'ProductStructureVersion.ProductStructureVersionKey',
    ]);
    expect(paths).to.include('ProductStructureVersion.ProductStructure.Product.Name');
    expect(paths[29]).to.equal('AggregatedProductionTimes.Changeover.Cleanup.DeviationCleanupTime');
    expect(paths.at(-1)).to.equal('PlanComparison.Changeover.Cleanup.CleanupTimeVerdict');
    expect(paths).to.have.lengthOf(52);
  });

  it('need a request exactly if they are keys or inside the group PlanComparison', () => {
    const [times] = resourceFamilies.map(newestOf);
    const expandable = leavesOf(times?.fields ?? []).filter(({ isExpandable }) => isExpandable);
    expect(expandable).to.have.lengthOf(24);
    for (const { path } of expandable) {
      expect(path[0] === 'PlanComparison' || path.at(-1)?.endsWith('Key'), path.join('.')).to.equal(true);
    }
  });

  it('include the fields and collections of an error, but not the fields of items in the collections', () => {
    expect(leavesOf([error]).map(({ path }) => path.join('.'))).to.deep.equal([
      'Error.HTTPStatusCode',
      'Error.HTTPStatusDescription',
      'Error.Message',
      'Error.TranslatedMessage',
      'Error.ErrorMessage.ErrorMessageId',
      'Error.ErrorMessage.ErrorMessageLink',
      'Error.Parameters',
      'Error.InnerErrors',
    ]);
  });

  it('are the same for an inner error and an outer error, except for the status', () => {
    let group = error;
    for (let depth = 0; depth < 5; depth++) {
      const inner = leavesOf(group.children).find(({ node }) => node.name === 'InnerErrors')?.node;
      if (inner?.kind !== 'collection') throw new Error('an error has inner errors');
      group = inner.item();
      expect(leavesOf(group.children).map(({ node }) => node.name)).to.deep.equal([
        ...[
          'Message',
          'TranslatedMessage',
          'ErrorMessageId',
          'ErrorMessageLink',
          'Parameters',
          'InnerErrors',
        ],
      ]);
    }
  });

  it('are expandable in the group Paging only if they are keys of pages', () => {
    const expandable = paging.children.filter(
      (node) => node.kind === 'field' && node.expandedBy !== undefined,
    );
    expect(expandable.map(({ name }) => name)).to.deep.equal([
      ...['FirstPageKey', 'PreviousPageKey', 'NextPageKey', 'LastPageKey'],
    ]);
    for (const node of expandable) expect(node).to.include({ expandedBy: PAGING_DETAILS, isNullable: true });
  });
});
