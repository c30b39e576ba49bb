export { findProgram, leaveOut, needsProgram, wantsLongTests } from './needs.js';
export { findFreePort, startTestRedis, type TestRedis } from './redis-server.js';
export { createTestDatabase, type TestDatabase } from './test-database.js';
