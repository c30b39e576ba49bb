export {
  type Attack,
  askAsBystander,
  attacks,
  type ProbeAnswer,
  startAttack,
} from './attack.js';
export {
  findAccessibilityViolations,
  findUnstyledClasses,
  openBrowser,
} from './browser.js';
export { type EmptyProject, inEmptyProject, type LineOptions, type LineOutcome } from './empty-project.js';
export { type EventCorpus, eventCorpus } from './event-corpus/event-corpus.js';
export type { BadEvent, CorpusEvent, ExpectedFault } from './event-corpus/expected-fault.js';
export { exactFigures, roundHalfUp, toHours, toMicrohours } from './exact-figures.js';
export { findHtmlFaults } from './html.js';
export { findUnknownLicences, type LockedPackage, readLockedPackages } from './locked-packages.js';
export { malformedRequests } from './malformed-requests.js';
export { readMemoryLimitMb } from './memory-limit.js';
export { beginsOfMonth, monthIn, TIME_ZONES } from './month-in.js';
export { findProgram, leaveOut, mustLeaveNothingOut, needsProgram } from './needs.js';
export { type NistUnivariateSet, nistUnivariateSets } from './nist-univariate.js';
export {
  fetchMemoryBytes,
  findFreePort,
  type ObservedProcess,
  readMainThreadMs,
  readPeakMemoryMb,
  spawnObserved,
} from './observed-process.js';
export { opened, openedForEach } from './opened.js';
export { type PgBouncerOptions, startTestPgBouncer, type TestPgBouncer } from './pgbouncer.js';
export { processorMsOf } from './processor-time.js';
export { type Random, randomFrom, testSeed } from './random.js';
export { exchange, openConnection, type RawAnswer, type RawConnection, request } from './raw-connection.js';
export { startTestRedisCluster, type TestRedisCluster } from './redis-cluster.js';
export { startTestRedis, type TestRedis } from './redis-server.js';
export {
  applicationVersion,
  completion,
  completions,
  ndjson,
  reopening,
  structureVersion,
  structureVersionRemoval,
} from './sample-events.js';
export { startProxy, type TestProxy } from './start-proxy.js';
export { shareOf, someOf, testLength, wantsLongTests } from './test-length.js';
export {
  closeTestServer,
  createEmptyDatabase,
  type EmptyDatabase,
  newDatabaseName,
  type TestServer,
  testServer,
  withDatabase,
} from './test-server.js';
export { waitUntil } from './wait-until.js';
export { expectWrittenPart } from './written-part.js';
export { elementsAt, type ParsedElement, parseXml } from './xml.js';
