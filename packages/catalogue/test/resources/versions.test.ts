import { expect } from 'chai';
import {
  newestOf,
  type Resource,
  type ResourceFamily,
  resourceFamilies,
  versionFor,
} from '../../src/resources/index.js';

/** Returns a family with the versions 3, 5 and 9, not in this order. */
function familyOfThree(): ResourceFamily {
  const [first] = resourceFamilies.map(newestOf);
  if (first === undefined) throw new Error('there are resources');
  const version = (number: number): Resource => ({ ...first, version: number });
  return { identifier: first.identifier, path: first.path, versions: [version(5), version(3), version(9)] };
}

const chosen = (pinned: number | undefined, minimum: number | undefined): number | undefined =>
  versionFor(familyOfThree(), { pinned, minimum })?.version;

describe('the version of a resource for a client', () => {
  it('is the newest version if the client requests none', () => {
    expect(newestOf(familyOfThree()).version).to.equal(9);
    expect(chosen(undefined, undefined)).to.equal(9);
  });

  it('is the oldest version that is not older than the requested version', () => {
    expect([1, 3, 4, 5, 6, 9].map((pinned) => chosen(pinned, undefined))).to.deep.equal([3, 3, 5, 5, 9, 9]);
  });

  it('is at least the minimum version that the client requires, even if the client requests an older version', () => {
    expect(chosen(3, 4)).to.equal(5);
    expect(chosen(3, 5)).to.equal(5);
    expect(chosen(3, 6)).to.equal(9);
    expect(chosen(5, 3)).to.equal(5);
    expect(chosen(undefined, 1)).to.equal(9);
  });

  it('does not exist if the requested version or the minimum is newer than all versions', () => {
    expect(chosen(undefined, 10)).to.equal(undefined);
    expect(chosen(3, 10)).to.equal(undefined);
    expect(chosen(10, undefined)).to.equal(undefined);
  });

  it('is chosen without a change of the registry', () => {
    const family = familyOfThree();
    versionFor(family, { minimum: 3 });
    expect(family.versions.map(({ version }) => version)).to.deep.equal([5, 3, 9]);
  });

  for (const family of resourceFamilies) {
    it(`has the identifier, path and rights of its family: ${family.path}`, () => {
      for (const resource of family.versions) {
        expect(resource).to.include({ identifier: family.identifier, path: family.path });
        // Takt checks the access to a resource before it knows the version.
        const { clientPermission, duty } = newestOf(family);
        expect(resource).to.include({ clientPermission, duty });
      }
      const { version } = newestOf(family);
      expect(versionFor(family, { minimum: version })?.version).to.equal(version);
      expect(versionFor(family, { minimum: version + 1 })).to.equal(undefined);
    });
  }

  it('is found by a literal path rather than by a path with a parameter', () => {
    const patterns = resourceFamilies.map(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`));
    resourceFamilies.forEach(({ path }, index) => {
      const first = patterns.findIndex((pattern) => pattern.test(path));
      expect(first, path).to.equal(index);
    });
  });

  it('is unique, because all families have different identifiers and paths', () => {
    expect(resourceFamilies).to.have.length.of.at.least(4);
    for (const property of ['identifier', 'path'] as const) {
      const known = new Set(resourceFamilies.map((family) => family[property]));
      expect(known).to.have.lengthOf(resourceFamilies.length);
    }
  });
});
