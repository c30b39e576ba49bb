export { findProgram, leaveOut, needsProgram, wantsLongTests } from './needs.js';
export { type NistUnivariateSet, nistUnivariateSets } from './nist-univariate.js';
export { findFreePort, startTestRedis, type TestRedis } from './redis-server.js';
export { createTestDatabase, type TestDatabase } from './test-database.js';
