export { type EmbeddedServer, type EmbeddedServerOptions, openEmbeddedServer } from './embedded-server.js';
export {
  EmbeddedServerError,
  hasServer,
  readIfPresent,
  readOrCreateSecret,
  writePrivateFile,
} from './home.js';
