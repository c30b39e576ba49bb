import { expect } from 'chai';
import type { SQLWrapper } from 'drizzle-orm';
import {
  type Field,
  filterFieldsOf,
  type ListResource,
  leavesOf,
  type Node,
  newestOf,
  queryFieldsOf,
  type Resource,
  type ResourceFamily,
  resourceFamilies,
  restrictFamily,
  timeFigures,
} from '../../src/resources/index.js';
import { type Duty, duties as everyDuty } from '../../src/rights.js';

const familyOf = (wanted: number): ResourceFamily => {
  const found = resourceFamilies.find(({ identifier }) => identifier === wanted);
  if (found === undefined) throw new Error(`there is no resource ${wanted}`);
  return found;
};

const all = (but: readonly Duty[] = []): readonly Duty[] => everyDuty.filter((duty) => !but.includes(duty));
const shownOf = (family: ResourceFamily, missing: readonly Duty[]): Resource =>
  newestOf(restrictFamily(family, all(missing)));
const pathsOf = ({ fields }: Resource) => leavesOf(fields).map(({ path }) => path.join('.'));
const groupsOf = (nodes: readonly Node[]): readonly Node[] =>
  nodes.flatMap((node) => (node.kind === 'group' ? [node, ...groupsOf(node.children)] : []));

/** Expects that only the fields of a missing duty are gone, also from the items of collections. */
function expectLeft(shown: readonly Node[], whole: readonly Node[], missing: readonly Duty[]): void {
  const expected = leavesOf(whole).filter(({ duties }) => !duties.some((duty) => missing.includes(duty)));
  const left = leavesOf(shown);
  expect(left.map(({ path }) => path)).to.deep.equal(expected.map(({ path }) => path));
  left.forEach(({ node }, index) => {
    const other = expected[index]?.node;
    if (node === other) return;
    if (node.kind !== 'collection') throw new Error(`${node.name} is another field`);
    expectLeft(node.item().children, other?.kind === 'collection' ? other.item().children : [], missing);
  });
  for (const group of groupsOf(shown)) expect(leavesOf([group])).not.to.have.lengthOf(0);
}

function listOf(resource: Resource): ListResource {
  if (resource.kind === 'list') return resource;
  throw new Error(`${resource.path} is no list`);
}

/** Returns a family with a list whose named fields need the duty. */
function listWith(duty: Duty, names: readonly string[]): ResourceFamily {
  const list = listOf(newestOf(familyOf(132)));
  const changed = new Map(
    leavesOf(list.fields).flatMap(({ node }) =>
      node.kind === 'field' && names.includes(node.name) ? [[node, { ...node, duty }]] : [],
    ),
  );
  const now = (field: Field) => changed.get(field) ?? field;
  const fields = list.fields.map((node) => (node.kind === 'field' ? now(node) : node));
  const version = { ...list, fields, key: now(list.key), searched: list.searched.map(now) };
  return { ...familyOf(132), versions: [version] };
}

describe('a resource that is restricted by duties', () => {
  for (const family of resourceFamilies) {
    const whole = newestOf(family);

    it(`is unchanged if no duty is missing: ${family.path}`, () => {
      expect(restrictFamily(family, 'all')).to.equal(family);
      expect(restrictFamily(family, everyDuty)).to.equal(family);
    });

    it(`has all fields except the fields of a missing duty, and no empty group: ${family.path}`, () => {
      for (const missing of [['read-planned-times'], ['read-persons'], everyDuty] as const) {
        const shown = newestOf(restrictFamily(family, all(missing)));
        expectLeft(shown.fields, whole.fields, missing);
      }
    });

    it(`is created once for all readers with access to the same fields: ${family.path}`, () => {
      const first = restrictFamily(family, all(['read-planned-times', 'read-persons']));
      expect(restrictFamily(family, [])).to.equal(first);
      expect(restrictFamily(family, ['operate-queues', 'read-error-messages'])).to.equal(first);
    });
  }

  it('excludes hidden fields from $filter and $orderby', () => {
    const times = listOf(shownOf(familyOf(6215), ['read-planned-times']));
    for (const known of [queryFieldsOf(times), filterFieldsOf(times)]) {
      expect([...known.keys()]).to.include('averageruntime');
      expect(known).not.to.have.any.keys('runtime', 'setuptime', 'cleanuptime');
    }
    expect(queryFieldsOf(listOf(newestOf(familyOf(6215))))).to.include.keys('runtime');
  });

  it('keeps the group of a comparison, but not the planned times in it, if plans are hidden', () => {
    const [run] = listOf(shownOf(familyOf(6215), ['read-planned-times'])).comparisons;
    const [whole] = listOf(newestOf(familyOf(6215))).comparisons;
    expect(run?.heading.eng).to.equal('Run time');
    for (const figure of timeFigures) {
      expect(run?.[figure], figure).to.equal(figure === 'planned' ? undefined : whole?.[figure]);
    }
  });

  it('has no group for a comparison if all fields of the comparison are hidden', () => {
    const times = listOf(newestOf(familyOf(6215)));
    const hidden = times.fields.map((node) => ({ ...node, duty: undefined }));
    const [structure, ...figures] = hidden;
    if (structure === undefined) throw new Error('there are fields');
    const family: ResourceFamily = {
      ...familyOf(6215),
      versions: [
        {
          ...times,
          fields: [structure, ...figures.map((node) => ({ ...node, duty: 'read-persons' as const }))],
        },
      ],
    };
    const shown = listOf(shownOf(family, ['read-persons']));
    expect(shown.comparisons).to.deep.equal([]);
    expect(pathsOf(shown)).to.include('ProductStructureVersion.Name');
  });

  it('is searched only in visible fields', () => {
    const family = listWith('operate-queues', ['Message']);
    expect(listOf(newestOf(family)).searched.map(({ name }) => name)).to.include('Message');
    const { searched } = listOf(shownOf(family, ['operate-queues']));
    expect(searched.map(({ name }) => name)).to.deep.equal(['Namespace', 'ErrorMessageId']);
  });

  it('does not use a search index that contains hidden fields', () => {
    const family = listWith('operate-queues', ['Message']);
    const same = (pattern: SQLWrapper) => pattern;
    const searchIndex = { matching: same, among: same, sizeOf: same };
    const indexed: ResourceFamily = {
      ...family,
      versions: [{ ...listOf(newestOf(family)), searchIndex }],
    };
    expect(listOf(shownOf(indexed, ['operate-queues'])).searchIndex).to.equal(undefined);
    expect(listOf(shownOf(indexed, ['read-persons'])).searchIndex).to.equal(searchIndex);
  });

  it('cannot have a hidden key', () => {
    const family = listWith('operate-queues', ['ErrorMessageId']);
    expect(restrictFamily(family, 'all')).to.equal(family);
    expect(() => restrictFamily(family, [])).to.throw('the key of /system/error-messages cannot be hidden');
  });

  it('has the same restrictions in each version', () => {
    const [times] = familyOf(6215).versions;
    const family: ResourceFamily = { ...familyOf(6215), versions: [times, { ...times, version: 6 }] };
    for (const version of restrictFamily(family, []).versions) {
      expect(pathsOf(version).filter((path) => path.startsWith('Planned'))).to.deep.equal([]);
    }
  });
});
