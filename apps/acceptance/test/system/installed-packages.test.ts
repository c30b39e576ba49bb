import { readFileSync } from 'node:fs';
import { findUnknownLicences, readLockedPackages } from '@takt/test-support';
import { expect } from 'chai';

/** Packages that report installation or use to third parties. */
const REPORTING = ['@scarf/scarf', 'posthog-node', '@segment/analytics-node', 'applicationinsights'];

describe('the installed packages', () => {
  const packages = readLockedPackages();
  const naming = (found: typeof packages) => found.map(({ name, version }) => `${name} ${version}`);

  it('each have a checksum', () => {
    expect(packages.length).to.be.above(100);
    expect(naming(packages.filter(({ integrity }) => integrity?.startsWith('sha512-') !== true))).to.be.empty;
  });

  it('run no install scripts', () => {
    const manifest: { allowScripts: Record<string, boolean> } = JSON.parse(
      readFileSync(new URL('../../../../../package.json', import.meta.url), 'utf8'),
    );
    const withScript = packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
    expect(manifest.allowScripts).to.deep.equal(Object.fromEntries(withScript.map((name) => [name, false])));
  });

  it('have known licences if users receive them', () => {
    expect(naming(findUnknownLicences(packages))).to.be.empty;
    const [first] = packages.filter(({ isShipped }) => isShipped);
    for (const licence of [undefined, 'GPL-3.0-only']) {
      expect(findUnknownLicences(first === undefined ? [] : [{ ...first, licence }])).to.have.lengthOf(1);
    }
  });

  it('do not report installation or use to third parties if users receive them', () => {
    const shipped = packages.filter(({ isShipped }) => isShipped);
    expect(naming(shipped.filter(({ name }) => REPORTING.includes(name)))).to.be.empty;
  });
});
