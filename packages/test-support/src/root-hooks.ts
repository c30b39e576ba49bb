import { closeTestServer } from './test-database.js';

/** Mocha's root hooks: what the whole run shares is ended after the last test. */
export const mochaHooks = {
  afterAll: closeTestServer,
};
