export {
  EmbeddedServerError,
  hasServer,
  readIfPresent,
  readOrCreateSecret,
  writePrivateFile,
} from './home.js';
export { type EmbeddedServerLease, type EmbeddedServerOptions, leaseEmbeddedServer } from './lease.js';
