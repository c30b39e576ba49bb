export { EmbeddedServerError } from './embedded-server-error.js';
export {
  type EmbeddedServerLease,
  type EmbeddedServerOptions,
  leaseEmbeddedServer,
} from './lease-embedded-server.js';
export { readIfPresent, readOrCreateSecret, writePrivateFile } from './private-files.js';
